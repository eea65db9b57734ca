import assert from "node:assert/strict";
import { ROOT, WITH_DEV_CONFIG } from "../../scripts/source_files.ts";
import { relative } from "node:path";
import { inFolder } from "../in_folder.ts";
import { readSeed } from "../test_seed.ts";
import {
  batchModule,
  runLimited,
  skipReasons,
  testBatches,
  testProblem,
  testTotals,
} from "../../scripts/run_tests.ts";

Deno.test("testTotals() reads Deno's summary, in colour, with steps and skipped tests", () => {
  assert.deepEqual(testTotals("a ... ok (1ms)\n\nok | 6 passed | 0 failed (120ms)\n"), {
    passed: 6,
    failed: 0,
    skipped: 0,
  });
  assert.deepEqual(
    testTotals(
      "\n\u001b[0m\u001b[31mFAILED\u001b[0m | 19 passed (2 steps) | 3 failed (1 step) | 4 ignored (2 steps) | 1 filtered out \u001b[38;5;245m(1s)\u001b[0m\n",
    ),
    { passed: 19, failed: 3, skipped: 4 },
  );
});

Deno.test("testTotals() uses the last summary, and ignores one that a test printed", () => {
  assert.equal(testTotals("error: Type checking failed.\n"), undefined);
  assert.deepEqual(
    testTotals("ok | 1 passed | 0 failed (1ms)\nok | 2 passed | 0 failed (1ms)\n")?.passed,
    2,
  );
});

Deno.test("testProblem() only lets a complete run pass", () => {
  const good = { passed: 5, failed: 0, skipped: 0 };
  assert.equal(testProblem(good, 0, false), undefined);
  assert.equal(testProblem(undefined, 0, true), "The tests did not run to their end.");
  assert.equal(testProblem({ ...good, failed: 1 }, 1, true), "Some tests fail.");
  assert.equal(testProblem(good, 1, true), "Some tests fail.");
  assert.equal(testProblem({ ...good, passed: 0 }, 0, true), "There are no tests.");
  assert.equal(testProblem({ ...good, skipped: 1 }, 0, false), "1 test is skipped.");
  assert.equal(testProblem({ ...good, skipped: 2 }, 0, false), "2 tests are skipped.");
  assert.equal(testProblem({ ...good, skipped: 2 }, 0, true), undefined);
});

Deno.test("skipReasons() counts skipped tests by reason, and lists those without one", () => {
  const output = [
    "one (skipped: no Chromium; set CHROMIUM) ... ignored (0ms)",
    "two (skipped: no Chromium; set CHROMIUM) ... \u001b[33mignored\u001b[0m (0ms)",
    "all.json is followed (skipped: no suite (of tests)) ... ignored (0ms)",
    "three ... ignored (0ms)",
    "four (skipped: never) ... ok (1ms)",
  ].join("\n");
  assert.deepEqual([...skipReasons(output)], [
    ["no Chromium; set CHROMIUM", 2],
    ["no suite (of tests)", 1],
    ['no reason given by "three"', 1],
  ]);
});

Deno.test("testBatches() begins with slow files one by one, and runs the rest by folder", () => {
  const files = ["tests/http/a_test.ts", "tests/faults/f_test.ts", "tests/http/b_test.ts"];
  assert.deepEqual(testBatches([...files, "tests/corpus/corpus_test.ts"]), [
    { name: "tests/corpus/corpus_test.ts", files: ["tests/corpus/corpus_test.ts"] },
    { name: "tests/faults/f_test.ts", files: ["tests/faults/f_test.ts"] },
    { name: "tests/http", files: ["tests/http/a_test.ts", "tests/http/b_test.ts"] },
  ]);
});

Deno.test("testBatches() keeps the page's tests together, splits large folders, and has every file once", () => {
  const page = ["tests/browser/a_test.ts", "tests/browser/b_test.ts"];
  const quick = Array.from({ length: 40 }, (_, index) => `tests/http/${index}_test.ts`);
  const batches = testBatches([...page, ...quick]);
  assert.deepEqual(batches.map(({ name }) => name), [
    "tests/browser",
    "tests/http",
    "tests/http, from tests/http/25_test.ts",
  ]);
  assert.deepEqual(batches[0]?.files, page);
  assert.deepEqual(batches.flatMap(({ files }) => files), [...page, ...quick]);
});

Deno.test("batchModule() runs the tests of each file, in order, in one process", () =>
  inFolder({
    "a_test.ts": 'Deno.test("a", () => {});',
    "b #1_test.ts": 'Deno.test("b", () => { throw new Error("not b"); });',
  }, async (folder) => {
    const files = ["a_test.ts", "b #1_test.ts"].map((name) => relative(ROOT, `${folder}/${name}`));
    await Deno.writeTextFile(`${folder}/all_test.ts`, batchModule(files));
    const args = ["test", "--no-check", "--no-config", `${folder}/all_test.ts`];
    const { code, output } = await runLimited(args, 60_000, { NO_COLOR: "1" });
    assert.deepEqual(testTotals(output.replaceAll("\r", "")), { passed: 1, failed: 1, skipped: 0 });
    assert.notEqual(code, 0);
    assert.match(output, /a \.\.\. ok[^]*b \.\.\. FAILED[^]*b #1_test\.ts/);
  }));

Deno.test("runLimited() returns the output and the exit code", async () => {
  const program = 'console.log("out"); console.error("err"); Deno.exit(3)';
  const ended = await runLimited(["eval", ...WITH_DEV_CONFIG, program], 60_000);
  assert.deepEqual(ended, { code: 3, output: "out\nerr\n", isLate: false });
});

Deno.test("runLimited() kills a program that takes too long, and keeps its output", async () => {
  const program = 'console.log("begun"); setInterval(() => {}, 1000)';
  const { code, output, isLate } = await runLimited(["eval", ...WITH_DEV_CONFIG, program], 3_000);
  assert.ok(isLate && code !== 0);
  assert.equal(output, "begun\n");
});

Deno.test({
  name: "runLimited() ends even if a started program keeps the output open",
  ignore: Deno.build.os === "windows",
  async fn() {
    const program = 'new Deno.Command("sleep", { args: ["20"] }).spawn(); Deno.exit(0)';
    const start = performance.now();
    const { isLate } = await runLimited(["eval", ...WITH_DEV_CONFIG, program], 2_000);
    assert.ok(isLate && performance.now() - start < 15_000);
  },
  sanitizeOps: false,
  sanitizeResources: false,
});

Deno.test("tests have the same random input in every run, and other input with another seed", async () => {
  const program = `const { default: fc } = await import("${new URL(
    "../seeded_fast_check.ts",
    import.meta.url,
  )}");
    console.log(JSON.stringify([fc.sample(fc.nat(), 5), fc.readConfigureGlobal().seed]));`;
  const samples = async (seed: string) => {
    const variables = { TEST_SEED: seed };
    return JSON.parse(
      (await runLimited(["eval", ...WITH_DEV_CONFIG, program], 60_000, variables)).output,
    ) as unknown[];
  };
  const [first, again, other] = await Promise.all(["1", "", "7"].map(samples));
  assert.deepEqual(first, again);
  assert.notDeepEqual(first?.[0], other?.[0]);
  assert.equal(other?.[1], 7);
});

Deno.test("fast-check starts with the seed of the run in all tests", async () => {
  const settings = JSON.parse(
    await Deno.readTextFile(new URL("../../deno.dev.json", import.meta.url)),
  );
  assert.equal(settings.scopes["./tests/"]["fast-check"], "./tests/seeded_fast_check.ts");
});

Deno.test("a seed is a 32-bit integer", () => {
  assert.deepEqual([readSeed(undefined), readSeed(""), readSeed("-7")], [1, 1, -7]);
  for (const text of ["x", "1.5", "9999999999"]) assert.throws(() => readSeed(text), /32 bits/);
});
