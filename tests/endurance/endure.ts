/**
 * Records millions of interactions into one map, to check that its numbers are exact and its memory stays constant.
 *
 *     deno task endure                          50 million interactions
 *     deno task endure --interactions 1000000   fewer
 *
 * Exits with 1 if there is a problem.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { print } from "../../scripts/print.ts";
import { HEAP_BOUND, liveLong, RSS_BOUND, type Sample } from "./long_lived_map.ts";

/** Prints one in ten samples. */
function sayTenths(): (sample: Sample) => void {
  let said = 0;
  return ({ interactions, heap, rss, hits }) => {
    if (said++ % 10 !== 9) return;
    const cells = [
      `${interactions.toLocaleString("en").padStart(12)} interactions`,
      `heap ${(heap / 1e6).toFixed(1).padStart(7)} MB`,
      `process ${(rss / 1e6).toFixed(1).padStart(7)} MB`,
      ...hits === undefined ? [] : [`hits ${(hits / 1e6).toFixed(2)} MB`],
    ];
    print(cells.join(", "));
  };
}

if (import.meta.main) {
  const options = { interactions: { type: "string", default: "50000000" } } as const;
  const interactions = Number(parseArgs({ options }).values.interactions);
  print(`${interactions.toLocaleString("en")} interactions`);
  const { samples, problems, each } = await liveLong(interactions, { tests: true }, sayTenths());
  const bounds = `bounds: heap ${HEAP_BOUND}, process ${RSS_BOUND}`;
  print(`${samples.length} samples, ${each.toFixed(1)} µs each; ${bounds}`);
  for (const problem of problems) print(problem);
  print(problems.length === 0 ? "ok" : `not ok: ${problems.length} to mend`);
  Deno.exit(problems.length === 0 ? 0 : 1);
}
