import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CoverageMap, type Report } from "../../mod.ts";
import { run } from "../../scripts/run.ts";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { npmProject } from "../runners/npm_project.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");
const DESCRIPTION = `${ROOT}/examples/bookshop/openapi.yaml`;
const CONFIG = ["--config", `${ROOT}/deno.json`];

/** What is run: so many tests, divided among so many test files that run at the same time. */
export interface ManyTests {
  readonly tests: number;
  readonly workers: number;
}

/** How a run ended. */
export interface ManyTestsOutcome {
  /** Sentences about numbers that differ from what was sent; none if all are right. */
  readonly problems: readonly string[];
  readonly requests: number;
  readonly seconds: number;
}

/** A way to run tests. */
export interface TestsRunner {
  readonly name: string;
  /** The packages that npm installs; undefined where it needs none. */
  readonly packages?: readonly string[];
  /** The files of a suite, by their paths. */
  files(suite: ManyTests): Readonly<Record<string, string>>;
  /** The command that runs the tests, with variables of its own. */
  command(suite: ManyTests): {
    readonly args: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  };
}

/** The code of every worker: what test number `id` sends, to a shop that answers by itself. */
const SENDING = `
const shop = collector.handler.trackClient(async (request) => {
  await request.text();
  const status = request.method === "POST" ? 201 : 200;
  return new Response("{}", { status, headers: { "content-type": "application/json" } });
});
const ask = async (path, init) => {
  await (await shop(new Request("http://127.0.0.1:8901/api/v1" + path, init))).text();
};
const send = async (id) => {
  await ask("/books?q=" + "x".repeat(id % 50));
  await ask("/books/" + id);
  if (id % 3 !== 0) return;
  await ask("/books", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ title: "Book " + id, price: id / 7 }),
  });
};
`;

/** A file for each worker, with tests that a line defines each. */
function testFiles(
  { tests, workers }: ManyTests,
  name: (worker: number) => string,
  head: string,
  test: (id: number) => string,
): Record<string, string> {
  const each = Math.ceil(tests / workers);
  return Object.fromEntries(
    Array.from({ length: workers }, (_, worker) => {
      const ids = Array.from({ length: each }, (_, index) => worker * each + index)
        .filter((id) => id < tests);
      return [name(worker), [head, SENDING, ...ids.map(test), ""].join("\n")];
    }),
  );
}

const test = (id: number) => `test("test ${id}", () => send(${id}));`;
/** Installed programs run through covtool, or have it as their reporter. */
const COVTOOL = [
  ...["node_modules/.bin/covtool", "run", "openapi.yaml", "--no-config"],
  ...["--format", "json=coverage.json", "--"],
];

/** `covtool run` with a program that starts a process for each worker, all at once. */
const PROCESSES: TestsRunner = {
  name: "processes",
  files: (suite) => ({
    ...testFiles(
      suite,
      (worker) => `worker${worker}.ts`,
      `import { TrafficCollector } from "${ROOT}/src/entries/collect.ts";
const collector = TrafficCollector.shared();`,
      (id) => `await collector.tests.run("test ${id}", () => send(${id}));`,
    ),
    // Each waits for the others, so that all of them record at the same time.
    "all.ts": `const workers = Array.from({ length: ${suite.workers} }, (_, worker) =>
  new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", ...${JSON.stringify(CONFIG)}, "worker" + worker + ".ts"],
  }).spawn().status);
const codes = (await Promise.all(workers)).map(({ code }) => code);
Deno.exit(Math.max(...codes));
`,
  }),
  command: () => ({
    args: [
      ...[Deno.execPath(), "run", "-A", ...CONFIG, COVTOOL_MODULE, "run", "openapi.yaml"],
      ...["--no-config", "--format", "json=coverage.json", "--"],
      ...[Deno.execPath(), "run", "-A", "all.ts"],
    ],
  }),
};

const DENO: TestsRunner = {
  name: "deno",
  files: (suite) =>
    testFiles(
      suite,
      (worker) => `worker${worker}_test.ts`,
      `import { collector } from "${ROOT}/src/entries/deno.ts";`,
      (id) => `Deno.${test(id)}`,
    ),
  command: ({ workers }) => ({
    args: [
      ...[Deno.execPath(), "run", "-A", ...CONFIG, COVTOOL_MODULE, "run", "openapi.yaml"],
      ...["--no-config", "--format", "json=coverage.json", "--"],
      ...[Deno.execPath(), "test", "-A", "--quiet", "--no-check", "--parallel", ...CONFIG],
      ...["--preload", `${ROOT}/src/entries/deno.ts`],
      ...Array.from({ length: workers }, (_, worker) => `worker${worker}_test.ts`),
    ],
    env: { DENO_JOBS: String(workers) },
  }),
};

const NODE_TEST: TestsRunner = {
  name: "node:test",
  packages: [],
  files: (suite) =>
    testFiles(
      suite,
      (worker) => `tests/worker${worker}.test.mjs`,
      'import { collector } from "covtool/node-test";\nimport { test } from "node:test";',
      test,
    ),
  // Node.js starts a process for each file, as many at a time as there are cores but one.
  command: ({ workers }) => ({
    args: [
      ...[...COVTOOL, "node", "--import", "covtool/node-test", "--test", "--test-reporter", "dot"],
      ...Array.from({ length: workers }, (_, worker) => `tests/worker${worker}.test.mjs`),
    ],
  }),
};

const VITEST: TestsRunner = {
  name: "vitest",
  packages: ["vitest@^5", "node@npm:node@24"],
  files: (suite) => ({
    ...testFiles(
      suite,
      (worker) => `tests/worker${worker}.test.js`,
      'import { collector } from "covtool/vitest";\nimport { test } from "vitest";',
      test,
    ),
    "vitest.config.mjs": `import { defineConfig } from "vitest/config";
import { covtool } from "covtool/vitest";
export default defineConfig({
  plugins: [covtool({ schema: "openapi.yaml", format: "json", config: false })],
  test: { maxWorkers: ${suite.workers}, reporters: "dot", testTimeout: 60_000 },
});
`,
  }),
  command: () => ({ args: ["node", "node_modules/vitest/vitest.mjs", "run"] }),
};

const JEST: TestsRunner = {
  name: "jest",
  packages: ["jest@^30"],
  files: (suite) => ({
    ...testFiles(
      suite,
      (worker) => `tests/worker${worker}.test.js`,
      'const { collector } = require("covtool/jest");',
      test,
    ),
    "jest.config.js": `module.exports = {
  testMatch: ["**/tests/*.test.js"],
  testTimeout: 60_000,
  setupFilesAfterEnv: ["covtool/jest-setup"],
  reporters: [["covtool/jest", { schema: "openapi.yaml", format: "json", config: false }]],
};
`,
  }),
  command: ({ workers }) => ({
    args: ["node_modules/.bin/jest", "--maxWorkers", String(workers), "--cacheDirectory", "fresh"],
  }),
};

/** The runners, by their names; npm installs what those behind the first two need. */
export const TESTS_RUNNERS: readonly TestsRunner[] = [PROCESSES, DENO, NODE_TEST, VITEST, JEST];

/** Runs many tests at the same time, and compares the report with that of one map that got the same requests. */
export async function runManyTests(
  runner: TestsRunner,
  suite: ManyTests,
): Promise<ManyTestsOutcome> {
  const { folder, remove } = await projectOf(runner);
  try {
    for (const [path, text] of Object.entries(runner.files(suite))) {
      Deno.mkdirSync(join(folder, path, ".."), { recursive: true });
      Deno.writeTextFileSync(join(folder, path), text);
    }
    const { args, env } = runner.command(suite);
    const [program = "", ...rest] = args;
    const began = performance.now();
    const ended = await run(
      program.startsWith("node_modules/") ? join(folder, program) : program,
      rest,
      { cwd: folder, env: { NO_COLOR: "1", CI: "1", ...env } },
    );
    const seconds = (performance.now() - began) / 1000;
    const problems: string[] = [];
    if (ended.code !== 0) {
      problems.push(`It ends with ${ended.code}: ${(ended.out + ended.err).slice(-2000)}`);
    }
    const report: Report = JSON.parse(Deno.readTextFileSync(join(folder, "coverage.json")));
    const expected = await oneMap(suite);
    problems.push(...differences(report, expected, suite));
    return { problems, requests: expected.traffic.recorded, seconds };
  } finally {
    remove();
  }
}

async function projectOf({ packages }: TestsRunner): Promise<{
  readonly folder: string;
  remove(): void;
}> {
  if (packages !== undefined) {
    const project = await npmProject(packages);
    return { folder: project.folder, remove: () => project[Symbol.dispose]() };
  }
  const folder = Deno.makeTempDirSync({ prefix: "covtool-endurance-" });
  Deno.copyFileSync(DESCRIPTION, join(folder, "openapi.yaml"));
  return { folder, remove: () => Deno.removeSync(folder, { recursive: true }) };
}

/** The report of one map in one process that got the requests of all tests, one after the other. */
async function oneMap({ tests }: ManyTests): Promise<Report> {
  const map = await CoverageMap.fromPath(DESCRIPTION);
  const send = new Function("collector", `${SENDING}\nreturn send;`)(map) as (
    id: number,
  ) => Promise<void>;
  for (let id = 0; id < tests; id++) {
    map.setTest(`test ${id}`);
    await send(id);
  }
  await map.settled();
  return JSON.parse(map.generateReport({ format: "json" })) as Report;
}

/** Sentences about what a report has otherwise than one map. Times, orders and files of tests may differ. */
function differences(report: Report, expected: Report, { tests }: ManyTests): string[] {
  const problems: string[] = [];
  const compare = (what: string, is: unknown, should: unknown): void => {
    const [one, other] = [JSON.stringify(is), JSON.stringify(should)];
    if (one === other) return;
    problems.push(`${what}: ${one?.slice(0, 500)} instead of ${other?.slice(0, 500)}`);
  };
  compare("requests", report.traffic.recorded, expected.traffic.recorded);
  compare("matched requests", report.traffic.matched, expected.traffic.matched);
  compare("names of tests", new Set(report.tests).size, tests);
  compare("summary", report.summary, expected.summary);
  expected.operations.forEach((operation, index) => {
    const found = report.operations[index];
    const name = `${operation.method} ${operation.path}`;
    compare(name, plainly(found), plainly(operation));
    compare(`tests of ${name}`, testsOf(report, index), testsOf(expected, index));
  });
  return problems;
}

const LEFT_OUT = new Set(["first_at", "last_at", "elapsed", "covered_by", "findings"]);

/** Something of a report without times and tests. */
function plainly(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member) => LEFT_OUT.has(key) ? undefined : member) ?? "null",
  );
}

/** The numbers of the tests that called an operation, in order. */
function testsOf({ tests = [], operations }: Report, index: number): number[] {
  return (operations[index]?.covered_by ?? [])
    .map((test) => Number(/test (\d+)$/.exec(tests[test] ?? "")?.[1] ?? NaN))
    .sort((one, other) => one - other);
}
