import { instrument, type SourceFile } from "./instrument.ts";
import { hashOf, type Mutant } from "./mutant.ts";
import { runTestFile } from "./run_test_file.ts";

/** What one test file reaches. */
export interface ReachedByFile {
  readonly file: string;
  /** Seconds that it takes without a mutant. */
  readonly seconds: number;
  /** The last lines of its output, where it fails without a mutant: it can't judge any. */
  readonly failure?: string;
  /** True if it passes only where nothing is counted, such as when it measures the stack: it may reach any mutant. */
  readonly isUncounted?: boolean;
  /** Mutants that are reached outside of tests, such as when modules load. */
  readonly whole: readonly string[];
  /** Mutants by the name of the test that reaches them. */
  readonly tests: readonly (readonly [name: string, mutants: readonly string[]])[];
}

/** Generous, since the machine may have other things to do. */
const LIMITS = { work: 300, time: 900 };

/** Runs every test file once, without mutants, to see which of them it reaches. What is known from before is kept. */
export async function findReached(
  mutants: readonly Mutant[],
  sources: readonly SourceFile[],
  tests: readonly SourceFile[],
  folders: readonly string[],
  cache: string,
  say: (line: string) => void,
): Promise<ReachedByFile[]> {
  const { files, ids } = await instrument(mutants, sources);
  const idsOf = (names: readonly string[]) =>
    names.flatMap((name) => ids.has(name) ? [ids.get(name) ?? ""] : []);
  const all = hashOf(...mutants.map(({ id }) => id), ...sources.map(({ text }) => text));
  Deno.mkdirSync(cache, { recursive: true });
  const found: ReachedByFile[] = [];
  const uncounted: [test: SourceFile, key: string][] = [];
  const keep = (key: string, result: ReachedByFile) => {
    if (result.failure === undefined) Deno.writeTextFileSync(key, JSON.stringify(result));
    found.push(result);
  };
  const queue = tests.entries();
  const count = async (folder: string) => {
    for (const [index, test] of queue) {
      const { path, text } = test;
      const key = `${cache}/${hashOf(all, path, text)}.json`;
      const kept = readJson(key) as ReachedByFile | undefined;
      if (kept !== undefined) {
        found.push(kept);
        continue;
      }
      say(`test file ${index + 1} of ${tests.length}: ${path}`);
      const reached = `${folder}.reached.json`;
      Deno.writeTextFileSync(reached, "null");
      const { outcome, seconds } = await runTestFile(
        folder,
        path,
        { MUTATE_REACHED: reached },
        LIMITS,
      );
      const seen = readJson(reached) as Pick<ReachedByFile, "whole" | "tests"> | null;
      if (outcome !== "passed" || seen === null) {
        uncounted.push([test, key]);
        continue;
      }
      const byTest = seen.tests.map(([name, names]) => [name, idsOf(names)] as const);
      keep(key, { file: path, seconds, whole: idsOf(seen.whole), tests: byTest });
    }
  };
  try {
    putAll(files, folders);
    await Promise.all(folders.map(count));
  } finally {
    putAll(sources, folders);
  }
  const [folder = ""] = folders;
  for (const [{ path }, key] of uncounted) {
    const { outcome, output, seconds } = await runTestFile(folder, path, {}, LIMITS);
    const result = { file: path, seconds, isUncounted: true, whole: [], tests: [] };
    const failure = output.trimEnd().split("\n").slice(-12).join("\n");
    keep(key, outcome === "passed" ? result : { ...result, failure });
  }
  return found;
}

/** Writes files into each copy of the project. */
function putAll(files: readonly SourceFile[], folders: readonly string[]): void {
  for (const folder of folders) {
    for (const { path, text } of files) Deno.writeTextFileSync(`${folder}/${path}`, text);
  }
}

/** The JSON of a file; undefined where there is none. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(Deno.readTextFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
