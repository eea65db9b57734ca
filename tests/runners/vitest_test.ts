import assert from "node:assert/strict";
import { fails, succeeds } from "../command_end.ts";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodePackage } from "../../scripts/npm/try_package.ts";
import { coveredBy, MEETING, type NpmProject, npmProject, timeless } from "./npm_project.ts";

/** A server that all test files share. */
const SERVER = `import { createServer } from "node:http";
export default async function () {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const status = request.method === "POST" ? 201 : request.url.includes("404") ? 404 : 200;
      response.writeHead(status).end("{}");
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.env.SHOP = "http://127.0.0.1:" + server.address().port + "/api/v1";
  return () => new Promise((resolve) => server.close(resolve));
}
`;

const CONFIGURATION = `import { defineConfig } from "vitest/config";
import { covtool } from "covtool/vitest";
export default defineConfig({
  plugins: [covtool(JSON.parse(process.env.OPTIONS))],
  test: { globalSetup: "./server.mjs" },
});
`;

const IN_ONE_PROCESS = ["books", "--no-isolate", "--no-file-parallelism"];

const OPTIONS = { schema: "openapi.yaml", format: ["hits", "json"] };

/** Adds a book with axios, which the test tracks. A worker needs longer to load axios than everything else. */
const BY_AXIOS = `import axios from "axios";
import { collector } from "covtool/vitest";
const client = collector.axios.trackClient(axios.create({ baseURL: process.env.SHOP }));
const add = (book) => client.post("/books", book);
`;
const BY_FETCH = `const headers = { "content-type": "application/json" };
const add = (book) =>
  fetch(process.env.SHOP + "/books", { method: "POST", headers, body: JSON.stringify(book) });
`;

/** A test file with requests that no other file sends. */
function testFile(page: number): string {
  return `import { beforeEach, describe, test } from "vitest";
${page === 1 ? BY_AXIOS : BY_FETCH}
beforeEach(() => fetch(process.env.SHOP + "/me"));
describe("books", () => {
  test("are listed", () => fetch(process.env.SHOP + "/books?page=${page}"));
  test("are added", () => add({ title: "Book ${page}" }));
});
${MEETING}
const allBegan = meeting(3);
const allSent = meeting(3);
describe.concurrent("together", () => {
  test.for([1, 404, 2])("book %i", async (id) => {
    await allBegan();
    await fetch(process.env.SHOP + "/books/" + id);
    await allSent();
  });
});
`;
}

function vitest(
  project: NpmProject,
  args: readonly string[],
  options: Readonly<Record<string, unknown>> = OPTIONS,
  variables: Readonly<Record<string, string>> = {},
): ReturnType<NpmProject["run"]> {
  const node = join(project.folder, "node_modules/node/bin");
  const env = {
    PATH: `${node}:${Deno.env.get("PATH")}`,
    OPTIONS: JSON.stringify(options),
    ...variables,
  };
  return project.run("vitest", ["run", ...args], env);
}

function startWatch(project: NpmProject): {
  /** The number of requests in the next report. */
  requests(): Promise<string | undefined>;
  end(): Promise<void>;
} {
  const child = new Deno.Command(join(project.folder, "node_modules/node/bin/node"), {
    args: ["node_modules/vitest/vitest.mjs", "watch", "books1", "books2"],
    cwd: project.folder,
    env: { NO_COLOR: "1", CI: "", OPTIONS: JSON.stringify(OPTIONS) },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
    signal: AbortSignal.timeout(60_000),
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    async requests() {
      for (;;) {
        const found = /\n(\d+) requests?: [\s\S]*W\w+ for file changes/.exec(text);
        if (found !== null) {
          text = text.slice(found.index + found[0].length);
          return found[1];
        }
        const { done, value } = await reader.read();
        assert.ok(!done, text);
        text += value;
      }
    },
    async end() {
      await reader.cancel();
      await child.stdin.close();
      child.kill("SIGINT");
      await child.status;
    },
  };
}

Deno.test("covtool/vitest measures what Vitest's workers send", async (test) => {
  const node = `node@npm:${nodePackage(Deno.build.os, Deno.build.arch)}@22`;
  using project = await npmProject(["vitest@^5", "axios@^1", node]);
  const files = [1, 2, 3];
  project.write({
    "server.mjs": SERVER,
    "vitest.config.mjs": CONFIGURATION,
    ...Object.fromEntries(files.map((n) => [`tests/books${n}.test.mjs`, testFile(n)])),
  });
  let expected: unknown;

  await test.step("the plugin prints the text report and writes the requested one", async () => {
    const { out, err } = await succeeds(vitest(project, IN_ONE_PROCESS));
    assert.match(out, /\nGET {4}\/books\/\{book_id\} +9 /);
    assert.match(err, /Report: coverage\.json\n/);
    const report = project.report();
    assert.deepEqual(report.traffic.matched, 30);
    assert.equal(report.tests?.length, 15);
    expected = timeless(report);
  });

  for (
    const args of [
      ["--pool=forks", "--maxWorkers=2"],
      ["--pool=threads", "--maxWorkers=2", "--no-isolate"],
    ]
  ) {
    await test.step(`${args.join(" ")} gives the same numbers as the serial run`, async () => {
      await succeeds(vitest(project, args));
      assert.deepEqual(timeless(project.report()), expected);
    });
  }

  await test.step("parallel tests are told apart", () => {
    assert.deepEqual(
      coveredBy(project, "GET", "/books/{book_id}", "404"),
      files.map((n) => `tests/books${n}.test.mjs > together > book 404`),
    );
    // A hook belongs to the test that it is called for.
    assert.equal(coveredBy(project, "GET", "/me", "200").length, 15);
  });

  await test.step("an invalid option is an error message", async () => {
    const { out, err } = await fails(
      vitest(project, [], { ...OPTIONS, failUnder: 800 }),
      /covtool\(\) in the configuration of Vitest: failUnder must be a perc/,
    );
    assert.doesNotMatch(out + err, /\n\s+at /);
  });

  await test.step("a description that can't be loaded ends the run before the first test", async () => {
    project.write({ "broken.yaml": "openapi: [" });
    for (const [schema, reason] of [["missing", "There is no"], ["broken", "line 1"]] as const) {
      const { out, err } = await fails(
        vitest(project, ["books1"], { ...OPTIONS, schema: `${schema}.yaml` }),
        new RegExp(`covtool: Cannot load ${schema}\\.yaml: ${reason}`),
      );
      assert.doesNotMatch(out + err, /\n\s+at |Test Files/);
    }
  });

  await test.step("without a description, nothing happens", async () => {
    Deno.removeSync(join(project.folder, "coverage.json"));
    const { out, err } = await succeeds(vitest(project, ["books2"], {}));
    assert.doesNotMatch(out + err, /Operations/);
    assert.ok(!existsSync(join(project.folder, "coverage.json")));
  });

  await test.step("trackFetch: false doesn't track fetch, and a threshold that is not met fails the run", async () => {
    const options = { ...OPTIONS, trackFetch: false, failUnderOperations: 80 };
    await fails(vitest(project, ["books1"], options), /Threshold not met:\n {2}operations: /);
    assert.equal(project.report().traffic.recorded, 1);
  });

  await test.step("projects that share the plugin are one run", async () => {
    project.write({
      "projects.config.mjs": CONFIGURATION.replace(
        "test: {",
        `test: {
    projects: [1, 2].map((n) => ({
      extends: true,
      test: { name: "p" + n, include: ["tests/books" + n + ".test.mjs"] },
    })),`,
      ),
    });
    await succeeds(vitest(project, ["--config", "projects.config.mjs"]));
    const { traffic, tests } = project.report();
    assert.equal(traffic.matched, 20);
    assert.equal(tests?.[0], "|p1| tests/books1.test.mjs > books > are added");
  });

  await test.step("in watch mode, a file that runs again replaces its requests", async () => {
    const watch = startWatch(project);
    try {
      assert.equal(await watch.requests(), "20");
      project.write({
        "tests/books1.test.mjs": testFile(1).replace('test("are added"', 'test.skip("are added"'),
      });
      assert.equal(await watch.requests(), "18");
    } finally {
      await watch.end();
      project.write({ "tests/books1.test.mjs": testFile(1) });
    }
  });

  await test.step("a killed worker loses no completed request", async () => {
    project.write({
      "tests/killed.test.mjs": `import { test } from "vitest";
test("is killed", async () => {
  await (await fetch(process.env.SHOP + "/books?page=77")).text();
  process.kill(process.pid, "SIGKILL");
});
`,
    });
    await fails(vitest(project, ["--pool=forks", "killed"]));
    const { traffic, tests } = project.report();
    assert.equal(traffic.matched, 1);
    assert.deepEqual(tests, ["tests/killed.test.mjs > is killed"]);
  });

  await test.step("in covtool run, which alone reports, the plugin collects with and without a description", async () => {
    const node = join(project.folder, "node_modules/node/bin");
    Deno.removeSync(join(project.folder, "coverage.json"));
    for (const options of [{}, { ...OPTIONS, failUnder: 100 }]) {
      await succeeds(project.run("covtool", [
        ...["run", "openapi.yaml", "--format", "json=run.json"],
        ...["--", "node_modules/.bin/vitest", "run", "books"],
      ], { PATH: `${node}:${Deno.env.get("PATH")}`, OPTIONS: JSON.stringify(options) }));
      assert.deepEqual(timeless(project.report("run.json")), expected);
    }
    assert.ok(!existsSync(join(project.folder, "coverage.json")));
  });

  await test.step("a given folder is created, and covtool report reads it", async () => {
    await succeeds(vitest(project, IN_ONE_PROCESS, {}, { COVTOOL_TRAFFIC: "kept" }));
    const report = await succeeds(project.run("covtool", [
      ...["report", "openapi.yaml", "kept", "--format", "json=kept.json"],
    ]));
    assert.doesNotMatch(report.err, /Warning/);
    assert.deepEqual(timeless(project.report("kept.json")), expected);
  });

  await test.step("no temporary folder is left behind", () => {
    const left = readdirSync(tmpdir()).filter((name) => /^covtool-run-\d+-/.test(name))
      .filter((name) => !existsSync(`/proc/${name.split("-")[2]}`));
    assert.deepEqual(left, []);
  });
});
