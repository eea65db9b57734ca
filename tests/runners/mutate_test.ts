import assert from "node:assert/strict";
import { succeeds } from "../command_end.ts";
import { existsSync } from "node:fs";
import { bookVerdicts, describeBooks, verdictsIn } from "../recorders/recorded_suite.ts";
import { npmProject } from "./npm_project.ts";

const APP = `const http = require("node:http");
module.exports = http.createServer((request, response) => {
  request.resume().on("end", () => {
    response.setHeader("content-type", "application/json");
    if (request.url === "/events") {
      response.setHeader("content-type", "text/event-stream").write("data: 1\\n\\n");
    } else if (request.url.endsWith("/9")) response.writeHead(404).end('{"message":"none"}');
    else response.end('{"id":1,"title":"Momo"}');
  });
});
`;

/** The same three tests for each file. \`request\` is supertest's, or has the same members as used here. */
const suite = (name: string): string => `
test("reads", async () => equal((await request("/${name}/1")).body.title, "Momo"));
test("asserts nothing", async () => void await request("/${name}/1"));
test("finds none", async () => equal((await request("/${name}/9")).status, 404));
`;

/** One test is of a stream of events without an end, which is not changed. */
const SUPERTEST = `const app = require("./app.js");
const agent = require("supertest")(app);
const request = (path) => agent.get(path);
test("begins to read a stream", (done) => {
  const server = app.listen(0, "127.0.0.1", () =>
    require("node:http").get({ port: server.address().port, path: "/events" }, (response) =>
      response.once("data", () => {
        response.destroy();
        server.close(done);
        server.closeAllConnections();
      })));
});
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
    reporters: process.env.COVTOOL_CHANGES
      ? [["covtool/jest", { schema: "books.json", format: "json", failUnder: 100 }]]
      : [],
  };`,
  "books.test.js": `const equal = (a, b) => expect(a).toEqual(b);\n${SUPERTEST}${suite("books")}`,
};

const nodeTest = (name: string, agent: string): string =>
  `const { test } = require("node:test");
const { equal } = require("node:assert");
${agent}${suite(name)}`;

/** The collector tracks calls of `inject()` and of handlers, which open no connection. */
const COLLECTOR = 'const { collector } = require("covtool/collect");\n';

const INJECT = `${COLLECTOR}const app = require("fastify")();
app.get("/inject/:id", async (request, reply) =>
  request.params.id === "9" ? reply.code(404).send({ message: "none" }) : { id: 1, title: "Momo" });
collector.fastify.trackClient(app);
const request = async (path) => {
  const response = path.endsWith("1")
    ? await app.inject(path)
    : await new Promise((resolve) => app.inject({ url: path }, (_, response) => resolve(response)));
  return { status: response.statusCode, body: response.json() };
};`;

const HANDLER = `${COLLECTOR}const app = ({ url }) => url.endsWith("/9")
  ? Response.json({ message: "none" }, { status: 404 })
  : Response.json({ id: 1, title: "Momo" });
const handler = collector.handler.trackClient(app);
const request = async (path) => {
  const response = await handler(new Request("http://localhost" + path));
  return { status: response.status, body: await response.json().catch(() => ({})) };
};`;

const NODE_TESTS = {
  "fetch.test.js": nodeTest("fetch", FETCH),
  "handler.test.js": nodeTest("handler", HANDLER),
  "inject.test.js": nodeTest("inject", INJECT),
};

for (
  const [runner, files, command] of [
    ["Jest with supertest", JEST, ["node", "node_modules/jest/bin/jest.js", "--silent"]],
    [
      "node:test, with fetch, a handler and Fastify's inject(),",
      NODE_TESTS,
      ["node", "--import", "covtool/node-test", "--test"],
    ],
  ] as const
) {
  Deno.test(`tests with ${runner} get changed responses, and covtool mutate learns which test notices`, async () => {
    const names = Object.keys(files).flatMap((file) => /^(\w+)\.test\.js$/.exec(file)?.[1] ?? []);
    using project = await npmProject(["jest@^30", "supertest@^7", "express@^5", "fastify@^5"]);
    project.write({ "app.js": APP, "books.json": JSON.stringify(describeBooks(names)), ...files });
    await succeeds(project.run("covtool", [
      ...["mutate", "books.json", "--format", "json=report.json", "--", ...command],
    ]));
    assert.deepEqual(
      Object.entries(verdictsIn(project.report("report.json"))),
      names.flatMap((name) =>
        bookVerdicts(name, `${name}.test.js > reads`, `${name}.test.js > finds none`)
      ),
    );
    assert.ok(!existsSync(`${project.folder}/coverage.json`));
    // Without the key, nothing is changed.
    const [program = "", ...args] = command;
    const plain = await new Deno.Command(program, {
      args,
      cwd: project.folder,
      env: { COVTOOL_TRAFFIC: `${project.folder}/traffic` },
    }).output();
    assert.equal(plain.code, 0);
  });
}
