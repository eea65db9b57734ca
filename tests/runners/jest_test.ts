import assert from "node:assert/strict";
import { fails, succeeds } from "../command_end.ts";
import type { Report } from "../../mod.ts";
import { coveredBy, MEETING, type NpmProject, npmProject, timeless } from "./npm_project.ts";

const APP = `module.exports = require("node:http").createServer((request, response) => {
  response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" });
  request.resume().on("end", () => response.end("[]"));
});
`;

/** Jest's configuration with the reporter; `OPTIONS` are the reporter's options. */
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

/** The same list for all tests, so that they share the installation. */
const PACKAGES = ["jest@^30", "supertest@^7"];

/** Jest remembers fast tests and runs them in its own process, except with a memory limit. */
const PARALLEL = ["--maxWorkers=2", "--workerIdleMemoryLimit=4000000000"];

/** Number of processes that ran tests since the last call. */
function processes(project: NpmProject): number {
  const path = `${project.folder}/processes`;
  const count = new Set(Deno.readTextFileSync(path).trimEnd().split("\n")).size;
  Deno.removeSync(path);
  return count;
}

/** A test file with requests that no other file sends. */
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
  await new Promise((resolve) => app.listen(0, resolve));
  const { port } = app.address();
  await (await fetch("http://localhost:" + port + "/api/v1/books?page=${-page}")).text();
  await new Promise((resolve) => app.close(resolve));
});
`;
}

const OTHERS = {
  "tests/together.test.js": `const { collector } = require("covtool/jest");
const request = collector.supertest.trackClient(require("supertest"));
const app = require("../app").listen(0);
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
afterAll(() => new Promise((resolve) => app.close(resolve)));
`,
  "tests/hooks.test.js": `const { collector } = require("covtool/jest");
const request = collector.supertest.trackClient(require("supertest"));
const app = require("../app");
beforeAll(() => request(app).get("/api/v1/books"));
beforeEach(() => request(app).get("/api/v1/books"));
test("adds", () => request(app).post("/api/v1/books").send({ title: "Momo" }));
afterAll(() => request(app).get("/api/v1/books"));
`,
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
  "tests/lacking.test.js": `/** @jest-environment ./page_environment.js */
test("has no fetch", () => expect(typeof fetch + typeof TextDecoder).toBe("undefinedundefined"));
`,
  "tests/dies.test.js": `const app = require("../app");
const { collector } = require("covtool/jest");
const request = collector.supertest.trackClient(require("supertest"));
test("dies", async () => {
  await request(app).post("/api/v1/books").send({ title: "Momo" });
  process.kill(process.pid, "SIGKILL");
});
`,
  "tests/asleep.test.js": `const native = fetch;
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
};

Deno.test("covtool/jest measures what Jest's workers send", async (test) => {
  using project = await npmProject(PACKAGES);
  project.write({
    "app.js": APP,
    "jest.config.js": CONFIGURATION,
    ...OTHERS,
    ...Object.fromEntries([1, 2, 3].map((n) => [`tests/books${n}.test.js`, testFile(n)])),
  });
  let expected: Report;

  await test.step("a threshold that is not met fails the run", async () => {
    const env = { OPTIONS: '{"failUnderOperations":50}' };
    const run = project.run("jest", ["--runInBand", "books"], env);
    const { err } = await fails(run, /12\.5% .*50/);
    assert.match(err, /Tests: +9 passed/);
    const { verdict, ...report } = project.report();
    assert.equal(verdict?.passed, false);
    expected = report;
    assert.equal(expected.traffic.matched, 9);
    assert.deepEqual(expected.summary.operations.seen, 2);
    assert.equal(processes(project), 1);
  });

  await test.step("two workers give the same numbers as one process", async () => {
    const parallel = await succeeds(project.run("jest", [...PARALLEL, "books"]));
    assert.ok(processes(project) > 1);
    assert.deepEqual(timeless(project.report()), timeless(expected));
    assert.match(parallel.err, /Operations +█+░+ +12\.5% +2 of 16/);
  });

  await test.step("the report says which test covered what", () => {
    assert.deepEqual(
      coveredBy(project, "POST", "/books"),
      [1, 2, 3].map((n) => `tests/books${n}.test.js > books a book is added`),
    );
    assert.equal(coveredBy(project, "GET", "/books").length, 6);
  });

  await test.step("test environments without fetch and TextDecoder are supported", async () => {
    const run = project.run("jest", ["--runInBand", "together", "hooks", "lacking"]);
    assert.match((await succeeds(run)).err, /Tests: +4 passed/);
    assert.equal(project.report().traffic.matched, 6);
  });

  await test.step("parallel tests are told apart, and hooks around all tests belong to none", () => {
    for (const [method, name] of [["GET", "lists"], ["POST", "adds"]] as const) {
      const tests = ["tests/hooks.test.js > adds", `tests/together.test.js > ${name}`];
      assert.deepEqual(coveredBy(project, method, "/books"), tests);
    }
  });

  for (
    const [options, sentence] of [
      ['{"failUnderAll":50}', /The options of covtool\/jest .*: Unknown option "failUnderAll"\./],
      [
        '{"schema":"missing.yaml"}',
        /Cannot load missing\.yaml: There is no such file: check the p/,
      ],
      ['{"schema":"jest.config.js"}', /Cannot load jest\.config\.js: /],
    ] as const
  ) {
    await test.step(`${options} is an error before the first test`, async () => {
      const run = project.run("jest", ["lacking"], { OPTIONS: options });
      const { err } = await fails(run, new RegExp(`^covtool: ${sentence.source}`));
      assert.doesNotMatch(err, /\n\s+at |Tests:/);
    });
  }

  await test.step("in watch mode, tests run, and are measured once the description can be loaded", async () => {
    const child = new Deno.Command("node_modules/.bin/jest", {
      args: ["--watchAll", "books1"],
      cwd: project.folder,
      env: { NO_COLOR: "1", CI: "", OPTIONS: '{"schema":"later.yaml"}' },
      stdin: "piped",
      stdout: "null",
      stderr: "piped",
      signal: AbortSignal.timeout(60_000),
    }).spawn();
    let text = "";
    let changing: ReturnType<typeof setInterval> | undefined;
    for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (/^Operations/m.test(text)) break;
      if (changing !== undefined || !text.includes("Ran all")) continue;
      Deno.copyFileSync(`${project.folder}/openapi.yaml`, `${project.folder}/later.yaml`);
      // Jest overlooks a change while it is running tests.
      changing = setInterval(() => {
        project.write({ "tests/books1.test.js": `${testFile(1)}// ${Date.now()}\n` });
      }, 1000);
    }
    clearInterval(changing);
    await child.stdin.close();
    child.kill("SIGKILL");
    await child.status;
    assert.match(text, /covtool: Cannot load later\.yaml: [^]*Tests: +3 passed[^]*Operations/);
  });

  await test.step("a killed worker loses no completed request", async () => {
    await fails(project.run("jest", [...PARALLEL, "books3", "dies"]));
    assert.ok(coveredBy(project, "POST", "/books").includes("tests/dies.test.js > dies"));
    assert.ok(coveredBy(project, "GET", "/books").length >= 2);
  });

  await test.step("without the reporter, nothing changes", async () => {
    Deno.removeSync(`${project.folder}/coverage.json`);
    const { out } = await succeeds(project.run("jest", ["asleep", "--reporters", "default"]));
    assert.equal(out, "");
    assert.throws(() => project.report());
  });
});

Deno.test("covtool/jest measures tests that are ES modules", async () => {
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
