import { Instrumenter } from "@stryker-mutator/instrumenter";
import { type Mutant, type Place, shortHash, textBetween } from "./mutant.ts";

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const ignore = () => {};
const no = () => false;

/** A logger for Stryker that prints nothing; covtool's script reports progress itself. */
const SILENT = {
  ...{ isTraceEnabled: no, isDebugEnabled: no, isInfoEnabled: no },
  ...{ isWarnEnabled: no, isErrorEnabled: no, isFatalEnabled: no },
  ...{ trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore, fatal: ignore },
};

const OPTIONS = { plugins: null, excludedMutations: [], ignorers: [] };

/** A mutant as Stryker describes it. */
export interface StrykerMutant {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

/** Gives mutants stable ids: Stryker's ids are numbers that change with the code before them. */
function named(found: readonly StrykerMutant[], files: readonly SourceFile[]): Mutant[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const times = new Map<string, number>();
  return found.map(({ fileName: file, mutatorName: kind, replacement, location }) => {
    const { start, end } = location;
    const original = textBetween(texts.get(file) ?? "", start, end);
    const what = shortHash(file, kind, original, replacement);
    const time = times.get(what) ?? 0;
    times.set(what, time + 1);
    return { id: shortHash(what, `${time}`), file, kind, start, end, original, replacement };
  });
}

/** Puts all mutants that Stryker can make into source files, under Stryker's ids. */
export function instrumentAll(files: readonly SourceFile[]): Promise<{
  readonly files: readonly { readonly name: string; readonly content: string }[];
  readonly mutants: readonly StrykerMutant[];
}> {
  return new Instrumenter(SILENT).instrument(
    files.map(({ path, text }) => ({ name: path, content: text, mutate: true })),
    OPTIONS,
  );
}

export async function findMutants(files: readonly SourceFile[]): Promise<Mutant[]> {
  return named((await instrumentAll(files)).mutants, files);
}

/** Source files that count how often each mutant's place is reached. */
export interface Instrumented {
  readonly files: readonly SourceFile[];
  /** The ids of mutants, by the ids of Stryker that the counters have. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Makes a key of a mutant's place and change, which are the same in both runs of the instrumenter. */
function placeKey(file: string, kind: string, replacement: string, start: Place, end: Place) {
  return JSON.stringify([file, kind, replacement, start.line, start.column, end.line, end.column]);
}

/** Adds counters to the source files at the places of mutants. */
export async function instrument(
  mutants: readonly Mutant[],
  files: readonly SourceFile[],
): Promise<Instrumented> {
  const byKey = new Map(
    mutants.map(({ id, file, kind, replacement, start, end }) => [
      placeKey(file, kind, replacement, start, end),
      id,
    ]),
  );
  const result = await new Instrumenter(SILENT).instrument(
    files.map(({ path, text }) => ({
      name: path,
      content: text,
      mutate: mutants.filter(({ file }) => file === path)
        .map(({ start, end }) => ({ start: { ...start }, end: { ...end } })),
    })),
    OPTIONS,
  );
  const ids = new Map<string, string>();
  for (const { id, fileName, mutatorName, replacement, location } of result.mutants) {
    const { start, end } = location;
    const own = byKey.get(placeKey(fileName, mutatorName, replacement, start, end));
    if (own !== undefined) ids.set(id, own);
  }
  return { files: result.files.map(({ name, content }) => ({ path: name, text: content })), ids };
}
