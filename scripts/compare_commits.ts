/**
 * Compares what two commits take, run in turns so that a noisy neighbour disturbs both alike.
 *
 *     deno run -A scripts/compare_commits.ts main~5             that commit against the work tree
 *     deno run -A scripts/compare_commits.ts main~5 main        two commits
 *     deno run -A scripts/compare_commits.ts main~5 main Zoom   with another description than Stripe
 *
 * Prints, for loading and recording, the ratio of the second to the first in each round, and the median.
 *
 * @module
 */
import { print } from "./print.ts";
import { ROOT } from "./source_files.ts";

const ROUNDS = 5;

/** The middle of a list of numbers; between the two middle ones where it is even. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("There is no median of no values.");
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(command, { args: [...args], cwd })
    .output();
  if (code !== 0) {
    throw new Error(`${command} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  }
  return new TextDecoder().decode(stdout).trim();
}

/** A folder with the files of a commit. */
async function checkOut(commit: string): Promise<string> {
  const hash = await run("git", ["rev-parse", "--short", commit], ROOT);
  const folder = `${ROOT}/.cache/compare/${hash}`;
  await run("git", ["worktree", "prune"], ROOT);
  try {
    await Deno.stat(folder);
  } catch {
    await run("git", ["worktree", "add", "--detach", folder, commit], ROOT);
  }
  return folder;
}

async function spent(folder: string, what: string, description: string): Promise<number> {
  const args = ["run", "-A", "--quiet", `${folder}/tests/bench/measure.ts`, what, description];
  return Number(JSON.parse(await run(Deno.execPath(), args, folder)).spent);
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
