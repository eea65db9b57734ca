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
  for (const folder of folders) {
    for (const { path, text } of files) Deno.writeTextFileSync(`${folder}/${path}`, text);
  }
  const found: ReachedByFile[] = [];
  const queue = tests.entries();
  const work = async (folder: string) => {
    for (const [index, { path, text }] of queue) {
      const key = `${cache}/${hashOf(all, path, text)}.json`;
      const kept = readJson(key) as ReachedByFile | undefined;
      if (kept !== undefined) {
        found.push(kept);
        continue;
      }
      say(`test file ${index + 1} of ${tests.length}: ${path}`);
      const reached = `${folder}.reached.json`;
      Deno.writeTextFileSync(reached, "null");
      const env = { MUTATE_REACHED: reached };
      const { outcome, output, seconds } = await runTestFile(folder, path, env, LIMITS);
      const seen = readJson(reached) as Pick<ReachedByFile, "whole" | "tests"> | null;
      const failure = outcome === "passed" && seen !== null
        ? undefined
        : output.trimEnd().split("\n").slice(-12).join("\n");
      const result: ReachedByFile = {
        file: path,
        seconds,
        ...(failure === undefined ? {} : { failure }),
        whole: idsOf(seen?.whole ?? []),
        tests: (seen?.tests ?? []).map(([name, names]) => [name, idsOf(names)]),
      };
      if (failure === undefined) Deno.writeTextFileSync(key, JSON.stringify(result));
      found.push(result);
    }
  };
  await Promise.all(folders.map(work));
  for (const folder of folders) {
    for (const { path, text } of sources) Deno.writeTextFileSync(`${folder}/${path}`, text);
  }
  return found;
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
