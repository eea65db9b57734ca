import assert from "node:assert/strict";
import { CONFIGURATION, jestPackages } from "./jest_suite.ts";
import { coveredBy, npmProject } from "./npm_project.ts";

Deno.test("Jest measures tests that are modules", async () => {
  using project = await npmProject(jestPackages(30), { type: "module" });
  project.write({
    "jest.config.js": CONFIGURATION.replace("module.exports =", "export default"),
    "tests/books.test.js": `import { createServer } from "node:http";
import { collector } from "covtool/jest";

const server = createServer((request, response) => response.end("[]"));
beforeAll(() => new Promise((resolve) => server.listen(0, resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

test("books are listed", async () => {
  expect(collector.isActive).toBe(true);
  await (await fetch("http://localhost:" + server.address().port + "/api/v1/books")).text();
});
`,
  });
  const { code, err } = await project.run("jest", [], {
    NODE_OPTIONS: "--experimental-vm-modules --no-warnings",
  });
  assert.equal(code, 0, err);
  assert.deepEqual(coveredBy(project, "GET", "/books"), ["tests/books.test.js > books are listed"]);
});
