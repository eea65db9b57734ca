import { decodeUri } from "../../values/decode_uri.ts";
import type { CrowdedFile, FormattedCopy } from "./source_coverage.ts";

const URL_SCHEME = /^[a-z][a-z0-9+.-]+:/i;
const DRIVE = /^[a-z]:[\\/]/i;

/** The path or URL by which other tools find a file, relative if it is below the working directory. */
export function sourcePath(
  location: string,
  label: string,
  workingDirectory: string | undefined,
): string {
  if (isUrl(label)) return isFileUrl(label) ? local(fromFileUrl(label), workingDirectory) : label;
  if (isUrl(location) && !isFileUrl(location)) {
    return label === "" ? location : new URL(label.replaceAll("%", "%25"), location).href;
  }
  const entry = withSlashes(isFileUrl(location) ? fromFileUrl(location) : location);
  const path = label === "" ? entry : entry.slice(0, entry.lastIndexOf("/") + 1) + label;
  return local(path, workingDirectory);
}

function isUrl(text: string): boolean {
  return URL_SCHEME.test(text) && !DRIVE.test(text);
}

function isFileUrl(text: string): boolean {
  return /^file:/i.test(text);
}

function fromFileUrl(text: string): string {
  const decoded = decodeUri(new URL(text).pathname);
  return DRIVE.test(decoded.slice(1)) ? decoded.slice(1) : decoded;
}

/** A backslash separates segments only on Windows; elsewhere it is part of a name. */
function withSlashes(path: string): string {
  return DRIVE.test(path) || (path.includes("\\") && !path.includes("/"))
    ? path.replaceAll("\\", "/")
    : path;
}

function local(path: string, workingDirectory: string | undefined): string {
  const plain = normalized(path);
  if (workingDirectory === undefined) return plain;
  const root = normalized(withSlashes(workingDirectory)).replace(/\/$/, "") + "/";
  return plain.startsWith(root) ? plain.slice(root.length) : plain;
}

function normalized(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "." || (segment === "" && segments.length > 0)) continue;
    const last = segments.at(-1);
    if (segment === ".." && last !== undefined && last !== "..") {
      if (last !== "") segments.pop();
    } else {
      segments.push(segment);
    }
  }
  return segments.join("/");
}

/** The folder of a path, with a trailing slash. Empty if the path has no folder. */
export function parentFolder(path: string): string {
  return path.replace(/[^\\/]*$/, "");
}

export function chooseCopies(crowded: readonly CrowdedFile[]): FormattedCopy[] {
  return crowded.flatMap(({ copy }) => copy === undefined ? [] : [copy]);
}

interface GuardedCopy {
  readonly name: string;
  readonly path: string;
  readonly copy: string;
}

export function guardedCopies(copies: readonly FormattedCopy[]): GuardedCopy[] {
  return copies.map(({ path, text }) => ({ name: "The formatted copy", path, copy: text }));
}

export function lineCount(text: string): number {
  return text.trimEnd().split(/\r\n|\n|\r/).length;
}

/** Chooses a unique name for each copy in a folder: `openapi.formatted.json` for `api/openapi.yaml`. */
export function copyPaths(
  paths: ReadonlyMap<string, string>,
  folder: string,
  taken = new Map<string, string>(),
): Map<string, string> {
  const copies = new Map<string, string>();
  for (const [label, path] of paths) {
    const name = path.split(/[?#]/, 1).join("").replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "");
    let copy = `${folder}${name}.formatted.json`;
    for (let number = 2; (taken.get(copy) ?? path) !== path; number++) {
      copy = `${folder}${name}-${number}.formatted.json`;
    }
    taken.set(copy, path);
    copies.set(label, copy);
  }
  return copies;
}

/** Warns about files with fewer lines than things to cover, for which line coverage says little. */
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
