import assert from "node:assert/strict";
import { jestPackages } from "./jest_suite.ts";
import { npmProject } from "./npm_project.ts";

const APP = `const http = require("node:http");
module.exports = http.createServer((request, response) => {
  request.resume().on("end", () => {
    response.setHeader("content-type", "application/json");
    if (request.url.endsWith("/9")) response.writeHead(404).end('{"message":"none"}');
    else response.end('{"id":1,"title":"Momo"}');
  });
});
`;

const DESCRIPTION = `openapi: 3.1.0
info: { title: Books, version: "1" }
paths:
  /books/{id}:
    get:
      responses:
        "200":
          description: One.
          content:
            application/json:
              schema: { type: object, properties: { id: {}, title: {} } }
        "404":
          description: None.
          content: { application/json: { schema: { type: object } } }
`;

/** The same three tests for each runner: \`request\` is supertest's, or does as much with the global \`fetch\`. */
const TESTS = `
test("reads", async () => equal((await request("/books/1")).body.title, "Momo"));
test("asserts nothing", async () => void await request("/books/1"));
test("finds none", async () => equal((await request("/books/9")).status, 404));
`;

const SUPERTEST = `const agent = require("supertest")(require("./app.js"));
const request = (path) => agent.get(path);
`;

const FETCH = `const { createServer } = require("node:http");
const app = require("./app.js");
const request = async (path) => {
  if (!app.listening) await new Promise((resolve) => app.listen(0, "127.0.0.1", resolve));
  app.unref();
  const response = await fetch("http://127.0.0.1:" + app.address().port + path);
  return { status: response.status, body: await response.json().catch(() => ({})) };
};
`;

const JEST = {
  "jest.config.js": `module.exports = {
    testMatch: ["**/*.test.js"],
    setupFilesAfterEnv: ["covtool/jest-setup"],
  };`,
  "books.test.js": `const equal = (a, b) => expect(a).toEqual(b);\n${SUPERTEST}${TESTS}`,
};

const NODE_TEST = {
  "books.test.js":
    `const { test } = require("node:test");\nconst { equal } = require("node:assert");\n${FETCH}${TESTS}`,
};

for (
  const [runner, files, command] of [
    ["Jest with supertest", JEST, ["npx", "jest", "--silent"]],
    ["node:test", NODE_TEST, ["node", "--import", "covtool/node-test", "--test"]],
  ] as const
) {
  Deno.test(`${runner} gets changed answers, and tells covtool mutate which test notices them`, async () => {
    using project = await npmProject(jestPackages(30));
    project.write({ "app.js": APP, "books.yaml": DESCRIPTION, ...files });
    const { code, err } = await project.run("covtool", [
      ...["mutate", "books.yaml", "--format", "json=report.json", "--", ...command],
    ]);
    assert.equal(code, 0, err);
    const { noticed = [] } = project.report("report.json");
    const found = noticed.map(({ status_code, part, name = "", state, noticed_by = [] }) =>
      [`${status_code} ${part} ${name}`.trim(), state, ...noticed_by] as const
    );
    assert.deepEqual(found, [
      ["200 status", "unnoticed"],
      ["200 body", "noticed", "books.test.js > reads"],
      ["200 property id", "unnoticed"],
      ["200 property title", "noticed", "books.test.js > reads"],
      ["404 status", "noticed", "books.test.js > finds none"],
      ["404 body", "unnoticed"],
    ]);
    // Without the key nothing is changed.
    const [program = "", ...args] = command;
    const plain = await new Deno.Command(program, {
      args,
      cwd: project.folder,
      env: { COVTOOL_TRAFFIC: `${project.folder}/traffic` },
    }).output();
    assert.equal(plain.code, 0);
  });
}
