import assert from "node:assert/strict";
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

/** An application that opens no connection, and tests that call it by `inject()` or as a handler. */
const IN_PROCESS = (agent: string): string =>
  `const { test } = require("node:test");
const { equal } = require("node:assert");
const { collector } = require("covtool/collect");
${agent}
${TESTS}`;

const INJECT = {
  "books.test.js": IN_PROCESS(`const app = require("fastify")();
app.get("/books/:id", async (request, reply) =>
  request.params.id === "9" ? reply.code(404).send({ message: "none" }) : { id: 1, title: "Momo" });
collector.fastify.trackClient(app);
const request = async (path) => {
  const response = path.endsWith("1")
    ? await app.inject(path)
    : await new Promise((resolve) => app.inject({ url: path }, (_, response) => resolve(response)));
  return { status: response.statusCode, body: response.json() };
};`),
};

const HANDLER = {
  "books.test.js": IN_PROCESS(`const app = ({ url }) => url.endsWith("/9")
  ? Response.json({ message: "none" }, { status: 404 })
  : Response.json({ id: 1, title: "Momo" });
const handler = collector.handler.trackClient(app);
const request = async (path) => {
  const response = await handler(new Request("http://localhost" + path));
  return { status: response.status, body: await response.json().catch(() => ({})) };
};`),
};

const NODE = ["node", "--import", "covtool/node-test", "--test"] as const;

for (
  const [runner, files, command] of [
    ["Jest with supertest", JEST, ["npx", "jest", "--silent"]],
    ["node:test", NODE_TEST, NODE],
    ["node:test with Fastify's inject()", INJECT, NODE],
    ["node:test with a handler", HANDLER, NODE],
  ] as const
) {
  Deno.test(`${runner} gets changed answers, and tells covtool mutate which test notices them`, async () => {
    using project = await npmProject(["jest@^30", "supertest@^7", "express@^5", "fastify@^5"]);
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
