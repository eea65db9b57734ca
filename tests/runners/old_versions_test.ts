import assert from "node:assert/strict";
import { fails } from "../command_end.ts";
import { type NpmProject, npmProject } from "./npm_project.ts";

/** Sends one request to its own server. */
const SENDS = `const server = http.createServer((_, response) => response.end("{}")).listen(0);
  const url = "http://127.0.0.1:" + server.address().port + "/api/v1/books";
  await SEND(url);
  server.close();`;

const OPTIONS = '{ schema: "openapi.yaml", format: "json", failUnderOperations: 80 }';

for (const version of ["1.6.1", "3.0.9"]) {
  Deno.test(`Vitest ${version}, which doesn't call the plugin, is refused before tests run`, async () => {
    using project = await npmProject([`vitest@${version}`]);
    project.write({
      "vitest.config.mjs": `import { covtool } from "covtool/vitest";
export default { plugins: [covtool(process.env.MEASURED ? ${OPTIONS} : {})] };`,
      "a.test.mjs": 'import { test } from "vitest";\ntest("runs", () => console.log("it runs"));',
    });
    const measured = await fails(
      project.run("vitest", ["run"], { MEASURED: "1" }),
      new RegExp(`needs Vitest 3\\.1 or later, and this is Vitest ${version}`),
    );
    assert.doesNotMatch(measured.out + measured.err, /it runs|\n\s+at /);
    const { code, out } = await project.run("vitest", ["run"]);
    assert.deepEqual([code, out.includes("it runs")], [0, true]);
  });
}

async function assertFailed(project: NpmProject, program: string, args: string[]): Promise<void> {
  await fails(project.run(program, args), /Threshold not met:\n {2}operations: 6\.3% is below 80%/);
  assert.equal(project.report().traffic.matched, 1);
}

for (const packages of [["vitest@~3.1.0", "vite@6"], ["vitest@4"]]) {
  Deno.test(`covtool measures what workers of ${packages.join(" with ")} send, and thresholds fail the run`, async () => {
    using project = await npmProject(packages);
    project.write({
      "vitest.config.mjs": `import { covtool } from "covtool/vitest";
export default { plugins: [covtool(${OPTIONS})] };`,
      "a.test.mjs": `import http from "node:http";
import { test } from "vitest";
test("sends", async () => {
  ${SENDS.replace("SEND", "fetch")}
});`,
    });
    await assertFailed(project, "vitest", ["run"]);
  });
}

Deno.test("thresholds fail a run of Playwright 1.36, which ignores results of reporters", async () => {
  using project = await npmProject(["@playwright/test@~1.36.0"]);
  project.write({
    "playwright.config.mjs":
      `export default { testMatch: "*.spec.mjs", reporter: [["covtool/playwright", ${OPTIONS}]] };`,
    "a.spec.mjs": `import { test as base } from "@playwright/test";
import { trackTest } from "covtool/playwright";
import http from "node:http";
trackTest(base)("sends", async ({ request }) => {
  ${SENDS.replace("SEND", "request.get")}
});`,
  });
  await assertFailed(project, "playwright", ["test"]);
  project.write({ "openapi.yaml": "openapi: [" });
  const broken = await fails(project.run("playwright", ["test"]), /covtool: Cannot load .* line 1/);
  assert.match(broken.out, /1 skipped/);
});

for (const version of [28, 29]) {
  Deno.test(`covtool measures what workers of Jest ${version} send, and thresholds fail the run`, async () => {
    using project = await npmProject([`jest@${version}`]);
    project.write({
      "jest.config.js": `module.exports = {
  setupFilesAfterEnv: ["covtool/jest-setup"],
  reporters: [["covtool/jest", ${OPTIONS}]],
};`,
      "a.test.js": `const http = require("http");
test("sends", async () => {
  ${SENDS.replace("SEND", "fetch")}
});`,
    });
    await assertFailed(project, "jest", []);
  });
}
