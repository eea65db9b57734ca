/**
 * Reads the changes to files that a section of a page documents, and makes them.
 *
 * @module
 */

export interface DocumentedChange {
  /** The file, relative to the project. */
  readonly path: string;
  /** A new file's text, or hunks to apply. */
  readonly kind: "file" | "diff";
  readonly text: string;
}

const HEADING = /^(#+) (.+)$/;
const FENCE = /^```(\w*)$/;
const PATH = /`([\w.-]+(?:\/[\w.-]+)+)`/g;

/** Reads the changes that a section documents: each `ts` or `diff` block changes the last file named above it. */
export function documentedChanges(page: string, heading: string): DocumentedChange[] {
  const changes: DocumentedChange[] = [];
  let level = 0;
  let path = "";
  let language: string | undefined;
  let text = "";
  for (const line of page.split("\n")) {
    const [, signs, title] = language === undefined ? HEADING.exec(line) ?? [] : [];
    if (signs !== undefined && level === 0 && title === heading) level = signs.length;
    else if (signs !== undefined && signs.length <= level) break;
    if (level === 0) continue;
    const [, opened] = FENCE.exec(line) ?? [];
    if (opened === undefined) {
      if (language !== undefined) text += `${line}\n`;
      else path = [...line.matchAll(PATH)].at(-1)?.[1] ?? path;
    } else if (language === undefined) {
      language = opened;
      text = "";
    } else {
      if (language === "ts") changes.push({ path, kind: "file", text });
      if (language === "diff") changes.push({ path, kind: "diff", text });
      language = undefined;
    }
  }
  return changes;
}

/** Applies hunks, separated by lines that begin with `@@`, to a text. */
export function applyHunks(text: string, hunks: string): string {
  let changed = text;
  for (const hunk of hunks.trimEnd().split(/^@@.*\n/m)) {
    const lines = hunk.trimEnd().split("\n");
    const side = (sign: string) =>
      lines.filter((line) => !line.startsWith(sign)).map((line) => `${line.slice(1)}\n`).join("");
    const before = side("+");
    const at = `\n${changed}`.indexOf(`\n${before}`);
    if (at < 0) throw new Error(`The file doesn't contain:\n${before}`);
    changed = changed.slice(0, at) + side("-") + changed.slice(at + before.length);
  }
  return changed;
}
