import { instrument, type SourceFile } from "./instrument.ts";
import { type Mutant, shortHash } from "./mutant.ts";
import { runTestFile } from "./run_test_file.ts";

/** The mutants that a test file reaches. */
export interface ReachedByFile {
  readonly file: string;
  /** The duration without a mutant. */
  readonly seconds: number;
  /** The last lines of the output if the file fails without a mutant: such a file can't notice any. */
  readonly failure?: string;
  /** True if the file passes only without counters, such as when it measures the stack: it may reach any mutant. */
  readonly isUncounted?: boolean;
  /** Mutants reached outside of tests, such as when modules load. */
  readonly whole: readonly string[];
  /** Mutants by the name of the test that reaches them. */
  readonly tests: readonly (readonly [name: string, mutants: readonly string[]])[];
}

/** Generous, since the machine may be busy. */
const LIMITS = { work: 300, time: 900 };

/** Runs every test file once, without mutants, to find the mutants that it reaches. Results are cached. */
export async function findReached(
  mutants: readonly Mutant[],
  sources: readonly SourceFile[],
  tests: readonly SourceFile[],
  folders: readonly string[],
  cache: string,
  say: (line: string) => void,
): Promise<ReachedByFile[]> {
  const { files, ids } = await instrument(mutants, sources);
  const knownIds = (names: readonly string[]) =>
    names.flatMap((name) => ids.has(name) ? [ids.get(name) ?? ""] : []);
  const all = shortHash(...mutants.map(({ id }) => id), ...sources.map(({ text }) => text));
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
      const key = `${cache}/${shortHash(all, path, text)}.json`;
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
      const byTest = seen.tests.map(([name, names]) => [name, knownIds(names)] as const);
      keep(key, { file: path, seconds, whole: knownIds(seen.whole), tests: byTest });
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

/** Reads a JSON file; undefined if it doesn't exist. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(Deno.readTextFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
