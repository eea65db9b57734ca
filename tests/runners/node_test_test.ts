import assert from "node:assert/strict";
import { fails, succeeds } from "../command_end.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { nodePackage } from "../../scripts/npm/try_package.ts";
import { coveredBy, MEETING, npmProject } from "./npm_project.ts";

/** A test file with its own server. */
function testFile(page: number): string {
  return `import { createServer } from "node:http";
import { describe, it, test, after } from "node:test";
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(request.method === "POST" ? 201 : 200).end());
}).listen(0);
after(() => server.close());
const send = (path, init) =>
  fetch("http://localhost:" + server.address().port + "/api/v1" + path, init).then((r) => r.text());
test("lists", async (t) => {
  await send("/books?page=${page}");
  await t.test("stores", () => send("/me"));
});
${MEETING}
const bothBegan = meeting(2);
const bothSent = meeting(2);
describe("together", { concurrency: true }, () => {
  for (const id of [1, 2]) {
    it("book " + id, async () => {
      await bothBegan();
      await send("/books/" + id);
      await bothSent();
    });
  }
});
`;
}

/** Hooks that are called once for all tests, and one that is called for each. */
const HOOKS = `import { before, beforeEach, describe, it } from "node:test";
const send = (path) => fetch("http://localhost:1/api/v1" + path).catch(() => {});
before(() => send("/me"));
describe("hooks", () => {
  before(() => send("/me"));
  beforeEach(() => send("/books"));
  it("a test", () => send("/books/1"));
});
`;

/** A test whose process is ended by a signal. */
const ENDS = `import { createServer } from "node:http";
import { test } from "node:test";
const server = createServer((request, response) => response.end("[]")).listen(0);
const send = (path) => fetch("http://localhost:" + server.address().port + "/api/v1" + path);
test("reads no response", () => send("/books"));
test("is ended", async () => {
  await send("/me");
  setTimeout(() => process.kill(process.pid, "SIGTERM"), 200);
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
`;

for (const version of [22, 24, 26]) {
  Deno.test(`covtool run measures node:test of Node.js ${version}`, async (test) => {
    const package_ = nodePackage(Deno.build.os, Deno.build.arch);
    using project = await npmProject([`node@npm:${package_}@${version}`]);
    const files = [1, 2, 3].map((n) => `tests/books${n}.test.mjs`);
    const [file = ""] = files;
    project.write(Object.fromEntries(files.map((path, at) => [path, testFile(at + 1)])));
    const node = join(project.folder, "node_modules/node/bin");
    const env = { PATH: `${node}:${Deno.env.get("PATH")}` };
    const command = ["node", "--import", "covtool/node-test", "--test"];

    await test.step("the report has the requests of every file with the names of tests", async () => {
      const options = ["openapi.yaml", "--format", "hits", "--format", "json=coverage.json"];
      const args = ["run", ...options, "--", ...command, ...files];
      await succeeds(project.run("covtool", args, env));
      assert.equal(project.report().traffic.matched, 12);
      assert.deepEqual(coveredBy(project, "GET", "/books"), files.map((file) => `${file} > lists`));
      assert.deepEqual(
        coveredBy(project, "GET", "/me"),
        files.map((file) => `${file} > lists > stores`),
      );
      // Before Node.js 24, parallel tests in one file can't be told apart, so they have no names.
      assert.deepEqual(
        coveredBy(project, "GET", "/books/{book_id}"),
        version < 24
          ? []
          : files.flatMap((file) => [1, 2].map((id) => `${file} > together > book ${id}`)),
      );
    });

    await test.step("a signal doesn't lose a request whose response was not read", async () => {
      project.write({ "tests/ends.test.mjs": ENDS });
      const args = ["run", "openapi.yaml", "--format", "json=ends.json", "--", ...command];
      await project.run("covtool", [...args, "tests/ends.test.mjs"], env);
      assert.equal(project.report("ends.json").traffic.matched, 2);
    });

    await test.step("requests of a hook belong to the test that it is called for, if there is one", async () => {
      project.write({ "tests/hooks.test.mjs": HOOKS });
      const options = ["openapi.yaml", "--format", "hits", "--format", "json=coverage.json"];
      const args = ["run", ...options, "--", ...command, "tests/hooks.test.mjs"];
      await succeeds(project.run("covtool", args, env));
      const { tests, traffic } = project.report();
      assert.equal(traffic.matched, 4);
      assert.deepEqual(tests, ["tests/hooks.test.mjs > hooks > a test"]);
      assert.deepEqual(coveredBy(project, "GET", "/books"), tests);
      assert.deepEqual(coveredBy(project, "GET", "/me"), []);
    });

    // The rest depends only on covtool, so the newest version is enough.
    if (version < 24) return;
    await test.step("a threshold fails the run", async () => {
      const args = ["run", "openapi.yaml", "--fail-under", "90", "--", ...command, file];
      await fails(project.run("covtool", args, env), /Thresholds not met:\n/);
    });

    await test.step("inside another covtool run, it only collects, and its thresholds fail nothing", async () => {
      const inner = ["run", "openapi.yaml", "--format", "json=inner.json", "--fail-under", "90"];
      await succeeds(project.run("covtool", [
        ...["run", "openapi.yaml", "--format", "json=outer.json"],
        ...["--", "node_modules/.bin/covtool", ...inner, "--", ...command, file],
      ], env));
      assert.equal(project.report("outer.json").traffic.matched, 4);
      assert.ok(!existsSync(join(project.folder, "inner.json")));
    });

    await test.step("without covtool run, nothing happens", async () => {
      Deno.removeSync(join(project.folder, "coverage.json"));
      const { out, err } = await succeeds(project.run("../node/bin/node", [
        ...command.slice(1),
        file,
      ]));
      assert.doesNotMatch(out + err, /covtool/);
      assert.ok(!existsSync(join(project.folder, "coverage.json")));
    });
  });
}
