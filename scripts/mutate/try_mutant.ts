import type { SourceFile } from "./instrument.ts";
import { type Mutant, mutated } from "./mutant.ts";
import type { ReachedByFile } from "./reached.ts";
import { distance } from "./rooms.ts";
import { runTestFile } from "./run_test_file.ts";
import { run } from "../run.ts";

/** The outcome of trying a mutant. */
export interface MutantResult {
  /** `killed`: a test fails. `hung`: a test doesn't end. `types`: all tests pass, and the code doesn't type-check. */
  readonly status: "killed" | "hung" | "types" | "survived" | "unreached" | "invalid";
  /** The test file that noticed the mutant. */
  readonly by?: string;
}

/** True if a test or the type checker noticed the mutant. */
export function isNoticed(status: MutantResult["status"]): boolean {
  return status === "killed" || status === "hung" || status === "types";
}

/** Limits the processor time of a test file with a mutant, as a multiple of its duration without one. */
const WORK_FACTOR = 4;

/** Limits the elapsed time in the same way; `least` is the smallest limit, in seconds. */
const TIME = { factor: 15, least: 120 };

/** The smallest limit of processor time, in seconds. */
const LEAST_WORK = 8;

/** A test file that reaches a mutant. */
export interface ReachingFile {
  readonly file: ReachedByFile;
  /** The names of the tests that reach the mutant; undefined for all tests. */
  readonly names: readonly string[] | undefined;
}

/** Test files that reach a mutant, nearest and fastest first. */
export function reachingTests(mutant: Mutant, reached: readonly ReachedByFile[]): ReachingFile[] {
  return reached.flatMap((file): ReachingFile[] => {
    if (file.failure !== undefined) return [];
    if (file.isUncounted === true || file.whole.includes(mutant.id)) {
      return [{ file, names: undefined }];
    }
    const names = file.tests.filter(([, ids]) => ids.includes(mutant.id)).map(([name]) => name);
    return names.length > 0 ? [{ file, names }] : [];
  }).sort((left, right) =>
    Number(left.file.isUncounted === true) - Number(right.file.isUncounted === true) ||
    distance(mutant.file, left.file.file) - distance(mutant.file, right.file.file) ||
    left.file.seconds - right.file.seconds
  );
}

/** Puts a mutant into a copy of the project and runs the tests that reach it, until one fails. */
export async function tryMutant(
  mutant: Mutant,
  source: SourceFile,
  reached: readonly ReachedByFile[],
  folder: string,
  leastWork: number = LEAST_WORK,
): Promise<MutantResult> {
  const tests = reachingTests(mutant, reached);
  const path = `${folder}/${mutant.file}`;
  const list = `${folder}.tests.json`;
  Deno.writeTextFileSync(path, mutated(source.text, mutant));
  try {
    for (const { file, names } of tests) {
      if (names !== undefined) Deno.writeTextFileSync(list, JSON.stringify(names));
      const { outcome, output } = await runTestFile(
        folder,
        file.file,
        names === undefined ? {} : { MUTATE_TESTS: list },
        {
          work: Math.max(leastWork, WORK_FACTOR * file.seconds),
          time: Math.max(TIME.least, TIME.factor * file.seconds),
        },
      );
      if (output.includes("source code could not be parsed")) return { status: "invalid" };
      if (outcome !== "passed") {
        return { status: outcome === "failed" ? "killed" : "hung", by: file.file };
      }
    }
    const checked = await run(Deno.execPath(), [
      "check",
      "--config",
      "deno.dev.json",
      "--quiet",
      path,
    ], { cwd: folder });
    if (checked.code !== 0) return { status: "types" };
    const isReached = tests.some(({ file }) => file.isUncounted !== true);
    return { status: isReached ? "survived" : "unreached" };
  } finally {
    Deno.writeTextFileSync(path, source.text);
  }
}
