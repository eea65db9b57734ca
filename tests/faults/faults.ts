/**
 * Kills covtool at random moments, and checks that its files are complete.
 *
 *     deno task faults                                 100 times, from a random seed that it prints
 *     deno task faults --times 1000 --seed 7           a thousand times, from a given seed
 *     deno task faults --scenario proxy                one scenario; can be repeated
 *     deno task faults --program dist/covtool          the compiled program instead of the sources
 *
 * Exits with 1 at the first file that is neither the old nor the new one.
 *
 * @module
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { print } from "../../scripts/print.ts";
import { SOURCES } from "./covtool_process.ts";
import { killCovtool } from "./kill_covtool.ts";
import { SCENARIOS } from "./scenarios.ts";

/** Number of cases between lines of progress. */
const EVERY = 50;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      times: { type: "string", default: "100" },
      seed: { type: "string" },
      scenario: { type: "string", multiple: true },
      program: { type: "string" },
    },
  });
  const names = SCENARIOS.map(({ name }) => name);
  const unknown = values.scenario?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    print(`There is no scenario ${unknown}. Choose ${names.join(", ")}.`);
    return 1;
  }
  const seed = values.seed ?? String(Math.floor(Math.random() * 1e9));
  print(`Seed ${seed}, ${values.times} times`);
  try {
    const figures = await killCovtool({
      program: values.program === undefined ? SOURCES : [resolve(values.program)],
      times: Number(values.times),
      seed,
      scenarios: values.scenario,
      onCase: (done) => {
        if (done % EVERY === 0) print(`${done} of ${values.times}`);
      },
    });
    for (const [name, { killed, ended, left }] of figures) {
      print(`${name}: ${killed} killed, ${left} of them left something; ${ended} ended first`);
    }
    print("Every file was whole, and nothing temporary stayed.");
    return 0;
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    print(`Again: deno task faults --times ${values.times} --seed ${seed}`);
    return 1;
  }
}

if (import.meta.main) Deno.exit(await main());
