/**
 * Compares the time of two commits, run in turns so that a noisy neighbour disturbs both alike.
 *
 *     deno run -A scripts/compare_commits.ts main~5             that commit against the work tree
 *     deno run -A scripts/compare_commits.ts main~5 main        two commits
 *     deno run -A scripts/compare_commits.ts main~5 main Zoom   with another description than Stripe
 *
 * Prints, for loading and recording, the ratio of the second to the first in each round, and the median.
 *
 * @module
 */
import { median } from "../tests/bench/measured.ts";
import { checkOut } from "./check_out.ts";
import { print } from "./print.ts";
import { runOrThrow } from "./run.ts";
import { ROOT } from "./source_files.ts";

const ROUNDS = 5;

async function spent(folder: string, what: string, description: string): Promise<number> {
  const config = `${folder}/deno.dev.json`;
  const measure = `${folder}/tests/bench/measure.ts`;
  const args = ["run", "-A", "--quiet", "--config", config, measure, what, description];
  return Number(JSON.parse(await runOrThrow(Deno.execPath(), args, { cwd: folder })).spent);
}

if (import.meta.main) {
  const [base, head, description = "Stripe"] = Deno.args;
  if (base === undefined) {
    print("Name a commit to compare with: deno run -A scripts/compare_commits.ts main~5");
    Deno.exit(1);
  }
  Deno.env.set("COVTOOL_BENCH_CACHE", `${ROOT}/.cache/bench`);
  const folders = [await checkOut(base), head === undefined ? ROOT : await checkOut(head)] as const;
  for (const what of ["load", "record"]) {
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = await spent(folders[0], what, description);
      const after = await spent(folders[1], what, description);
      ratios.push(after / before);
    }
    const each = ratios.map((ratio) => ratio.toFixed(2)).join(" ");
    print(`${what}, ${description}: ${median(ratios).toFixed(2)} × (${each})`);
  }
}
