/**
 * Runs covtool for as long as it takes to see whether its numbers stay exact and its memory flat.
 *
 *     deno task endure map                              50 million interactions in one map
 *     deno task endure map --interactions 1000000       fewer
 *     deno task endure run                              10,000 tests in 100 processes, under `covtool run`
 *     deno task endure run --tests 500 --workers 5      fewer
 *     deno task endure run --runner jest                with one runner: processes, deno, node:test, vitest, jest
 *
 * Exits with 1 where something is wrong.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { print } from "../../scripts/print.ts";
import { type ManyTests, runManyTests, TESTS_RUNNERS } from "./many_tests.ts";
import { HEAP_BOUND, liveLong, RSS_BOUND } from "./long_lived_map.ts";

async function endureMap(interactions: number): Promise<readonly string[]> {
  print(`${interactions.toLocaleString("en")} interactions`);
  let said = 0;
  const { samples, problems, each } = await liveLong(
    interactions,
    { tests: true },
    ({ interactions, heap, rss, hits }) => {
      if (said++ % 10 !== 9) return;
      const cells = [
        `${interactions.toLocaleString("en").padStart(12)} interactions`,
        `heap ${(heap / 1e6).toFixed(1).padStart(7)} MB`,
        `process ${(rss / 1e6).toFixed(1).padStart(7)} MB`,
        ...hits === undefined ? [] : [`hits ${(hits / 1e6).toFixed(2)} MB`],
      ];
      print(cells.join(", "));
    },
  );
  print(
    `${samples.length} samples, ${
      each.toFixed(1)
    } µs each; bounds: heap ${HEAP_BOUND}, process ${RSS_BOUND}`,
  );
  return problems;
}

async function endureTests(suite: ManyTests, names: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const runner of TESTS_RUNNERS) {
    if (names.length > 0 && !names.includes(runner.name)) continue;
    const outcome = await runManyTests(runner, suite);
    const { tests, workers } = suite;
    print(
      `${runner.name}: ${tests} tests in ${workers} files at once, ${outcome.requests} requests, ${
        outcome.seconds.toFixed(0)
      } s: ${outcome.problems.length === 0 ? "exact" : "not exact"}`,
    );
    problems.push(...outcome.problems.map((problem) => `${runner.name}: ${problem}`));
  }
  return problems;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      interactions: { type: "string", default: "50000000" },
      tests: { type: "string", default: "10000" },
      workers: { type: "string", default: "100" },
      runner: { type: "string", multiple: true, default: [] },
    },
  });
  const [what] = positionals;
  if (what !== "map" && what !== "run") {
    print("Say what to run: map, run.");
    return 1;
  }
  const problems = what === "map"
    ? await endureMap(Number(values.interactions))
    : await endureTests(
      { tests: Number(values.tests), workers: Number(values.workers) },
      values.runner,
    );
  for (const problem of problems) print(problem);
  print(problems.length === 0 ? "ok" : `not ok: ${problems.length} to mend`);
  return problems.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
