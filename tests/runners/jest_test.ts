import assert from "node:assert/strict";
import { fails, succeeds } from "../command_end.ts";
import { coveredBy, MEETING, type NpmProject, npmProject, timeless } from "./npm_project.ts";

const APP = `const express = require("express");
const app = express();
app.use(express.json());
app.get("/api/v1/books", (request, response) => response.json([]));
app.post("/api/v1/books", (request, response) => response.status(201).json(request.body));
module.exports = app;
`;

/** Configuration of Jest with the reporter; `OPTIONS` are the reporter's. */
const CONFIGURATION = `module.exports = {
  testMatch: ["**/tests/*.test.js"],
  setupFilesAfterEnv: ["covtool/jest-setup"],
  reporters: [
    "default",
    ["covtool/jest", {
      schema: "openapi.yaml",
      format: ["hits", "json"],
      print: false,
      ...JSON.parse(process.env.OPTIONS || "{}"),
    }],
  ],
};
`;

/** The same list for all tests, which share its installation. */
const PACKAGES = ["jest@^30", "supertest@^7", "express@^5"];

/** Jest runs tests in its own process where it remembers that they are fast. */
const PARALLEL = ["--maxWorkers", "4", "--cacheDirectory", "fresh"];

/** How many processes ran tests since it was asked last. */
function processes(project: NpmProject): number {
  const path = `${project.folder}/processes`;
  const count = new Set(Deno.readTextFileSync(path).trimEnd().split("\n")).size;
  Deno.removeSync(path);
  return count;
}

/** A test file with requests that differ from those of the others. */
function testFile(page: number): string {
  return `const { collector } = require("covtool/jest");
const app = require("../app");
const request = collector.supertest.trackClient(require("supertest"));
require("fs").appendFileSync("processes", process.pid + "\\n");

describe("books", () => {
  test("page ${page} is listed", () => request(app).get("/api/v1/books?page=${page}").expect(200));
  test("a book is added", () =>
    request(app).post("/api/v1/books").send({ title: "Book ${page}" }).expect(201));
});
test("fetch is tracked by itself", async () => {
  const server = app.listen(0);
  const { port } = server.address();
  await (await fetch("http://localhost:" + port + "/api/v1/books?page=${-page}")).text();
  await new Promise((resolve) => server.close(resolve));
});
`;
}

function writeProject(project: NpmProject): void {
  project.write({
    "app.js": APP,
    "jest.config.js": CONFIGURATION,
    ...Object.fromEntries([1, 2, 3, 4].map((n) => [`tests/books${n}.test.js`, testFile(n)])),
  });
}

Deno.test("Jest measures what its workers send", async (test) => {
  using project = await npmProject(PACKAGES);
  writeProject(project);

  await test.step("four workers come to the numbers of one process", async () => {
    await succeeds(project.run("jest", ["--runInBand"]));
    const expected = project.report();
    assert.equal(expected.traffic.matched, 12);
    assert.deepEqual(expected.summary.operations.seen, 2);
    assert.equal(processes(project), 1);
    const parallel = await succeeds(project.run("jest", PARALLEL));
    assert.ok(processes(project) > 1);
    assert.deepEqual(timeless(project.report()), timeless(expected));
    assert.match(parallel.err, /Operations +█+░+ +12\.5% +2 of 16/);
  });

  await test.step("the report says which test covered what", () => {
    assert.deepEqual(
      coveredBy(project, "POST", "/books"),
      [1, 2, 3, 4].map((n) => `tests/books${n}.test.js > books a book is added`),
    );
    assert.equal(coveredBy(project, "GET", "/books").length, 8);
  });

  await test.step("a threshold that is not met fails the run", async () => {
    const options = JSON.stringify({ failUnderOperations: 50 });
    const { err } = await fails(project.run("jest", [], { OPTIONS: options }), /12\.5% .*50/);
    assert.match(err, /Tests: +12 passed/);
  });

  await test.step(
    "an option that is of no use is said in a sentence, and fails the run",
    async () => {
      const { err } = await fails(
        project.run("jest", [], { OPTIONS: '{"failUnderAll":50}' }),
        /covtool: The options of covtool\/jest .*: Unknown option "failUnderAll"\./,
      );
      assert.doesNotMatch(err, /\n\s+at /);
    },
  );

  await test.step("tests that run at the same time are told apart", async () => {
    project.write({
      "tests/books5.test.js": `const { collector } = require("covtool/jest");
const request = collector.supertest.trackClient(require("supertest"));
const app = require("../app");
${MEETING}
const bothBegan = meeting(2);
const bothSent = meeting(2);
test.concurrent("lists", async () => {
  await bothBegan();
  await request(app).get("/api/v1/books");
  await bothSent();
});
test.concurrent("adds", async () => {
  await bothBegan();
  await request(app).post("/api/v1/books").send({ title: "Momo" });
  await bothSent();
});
`,
    });
    await succeeds(project.run("jest", ["books5"]));
    assert.deepEqual(coveredBy(project, "GET", "/books"), ["tests/books5.test.js > lists"]);
    assert.deepEqual(coveredBy(project, "POST", "/books"), ["tests/books5.test.js > adds"]);
  });

  await test.step("hooks around a test belong to it, those around all tests to none", async () => {
    project.write({
      "tests/books5.test.js": `const { collector } = require("covtool/jest");
const request = collector.supertest.trackClient(require("supertest"));
const app = require("../app");
beforeAll(() => request(app).get("/api/v1/books"));
beforeEach(() => request(app).get("/api/v1/books"));
test("adds", () => request(app).post("/api/v1/books").send({ title: "Momo" }));
afterAll(() => request(app).get("/api/v1/books"));
`,
    });
    await succeeds(project.run("jest", ["books5"]));
    assert.deepEqual(coveredBy(project, "GET", "/books"), ["tests/books5.test.js > adds"]);
    assert.equal(project.report().traffic.matched, 4);
    assert.equal(project.report().operations[0]?.covered_by?.length, 1);
  });

  await test.step("a worker that is killed loses nothing that was complete", async () => {
    project.write({
      "tests/books5.test.js": `const app = require("../app");
const { collector } = require("covtool/jest");
const request = collector.supertest.trackClient(require("supertest"));
test("dies", async () => {
  await request(app).post("/api/v1/books").send({ title: "Momo" });
  process.kill(process.pid, "SIGKILL");
});
`,
    });
    Deno.removeSync(`${project.folder}/fresh`, { recursive: true });
    await fails(project.run("jest", [...PARALLEL, "books4", "books5"]));
    assert.ok(coveredBy(project, "POST", "/books").includes("tests/books5.test.js > dies"));
    assert.ok(coveredBy(project, "GET", "/books").length >= 2);
  });

  await test.step("tests in an environment that lacks much are left alone", async () => {
    project.write({
      "page_environment.js": `const { TestEnvironment } = require("jest-environment-node");
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of ["fetch", "TextDecoder", "TextEncoder", "ReadableStream", "Response"]) {
      delete this.global[name];
    }
  }
};
`,
      "tests/books5.test.js": `/** @jest-environment ./page_environment.js */
test("has no fetch", () => expect(typeof fetch + typeof TextDecoder).toBe("undefinedundefined"));
`,
    });
    const { err } = await succeeds(project.run("jest", ["books5"]));
    assert.match(err, /Tests: +1 passed/);
  });

  await test.step("without the reporter nothing changes", async () => {
    project.write({
      "tests/books5.test.js": `const native = fetch;
const { collector } = require("covtool/jest");
test("is as it was", () => {
  expect(String(fetch)).toMatch(/fetch/);
  expect(Object.keys(process.env).filter((name) => name.startsWith("COVTOOL"))).toEqual([]);
  expect(collector.isActive).toBe(false);
  const agent = {};
  expect(collector.supertest.trackClient(agent)).toBe(agent);
  expect(collector.fetch.trackClient(native)).toBe(native);
});
`,
    });
    Deno.removeSync(`${project.folder}/coverage.json`);
    const { out } = await succeeds(project.run("jest", ["books5", "--reporters", "default"]));
    assert.equal(out, "");
    assert.throws(() => project.report());
  });
});

Deno.test("Jest measures tests that are modules", async () => {
  using project = await npmProject(PACKAGES, { type: "module" });
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
  await succeeds(project.run("jest", [], {
    NODE_OPTIONS: "--experimental-vm-modules --no-warnings",
  }));
  assert.deepEqual(coveredBy(project, "GET", "/books"), ["tests/books.test.js > books are listed"]);
});
