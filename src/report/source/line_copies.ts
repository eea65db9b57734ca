import type { CrowdedFile, FormattedCopy } from "./source_coverage.ts";

/** The folder of a path, with a slash at its end; empty if the path names none. */
export function folderOf(path: string): string {
  return path.replace(/[^\\/]*$/, "");
}

/** The formatted copies of files. */
export function copiesOf(crowded: readonly CrowdedFile[]): FormattedCopy[] {
  return crowded.flatMap(({ copy }) => copy === undefined ? [] : [copy]);
}

/** A formatted copy as an output to guard. */
export interface GuardedCopy {
  /** Its name in messages. */
  readonly name: string;
  /** Its path. */
  readonly path: string;
  /** Its text. */
  readonly copy: string;
}

/** Formatted copies as outputs to guard. */
export function guardedCopies(copies: readonly FormattedCopy[]): GuardedCopy[] {
  return copies.map(({ path, text }) => ({ name: "The formatted copy", path, copy: text }));
}

/** The number of lines of a text. */
export function lineCount(text: string): number {
  return text.trimEnd().split(/\r\n|\n|\r/).length;
}

/**
 * The names of formatted copies, each different from the others: `openapi.formatted.json` for `api/openapi.yaml`.
 *
 * @param paths Of the files, by what they are called otherwise.
 * @param folder Where the copies go, with a slash at its end; empty for the working directory.
 */
export function copyPaths(
  paths: ReadonlyMap<string, string>,
  folder: string,
): Map<string, string> {
  const taken = new Set<string>();
  const copies = new Map<string, string>();
  for (const [label, path] of paths) {
    const name = path.split(/[?#]/, 1).join("").replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "");
    let copy = `${name}.formatted.json`;
    for (let number = 2; taken.has(copy); number++) copy = `${name}-${number}.formatted.json`;
    taken.add(copy);
    copies.set(label, folder + copy);
  }
  return copies;
}

/**
 * Warns about files with fewer lines than things to cover: a report that shows lines says little about them.
 *
 * @param crowded Of the source coverage that the report was made from.
 * @param example A format with a file, as the command line has it.
 */
export function crowdedSentences(crowded: readonly CrowdedFile[], example: string): string[] {
  return crowded.map(({ path, lines, things, copy }) => {
    const count = `${lines === 1 ? "1 line" : `${lines.toLocaleString("en-US")} lines`} for ${
      things.toLocaleString("en-US")
    } items to cover`;
    return copy === undefined
      ? `${path} has ${count}, so line coverage means little. Write to a file (--format ${example}) to count the lines of a formatted copy instead.`
      : `${path} has ${count}. The report shows the lines of a formatted copy, ${copy.path}.`;
  });
}
