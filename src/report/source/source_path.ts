import { decodeUri } from "../../values/escapes.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import type { CrowdedFile, FormattedCopy } from "./source_coverage.ts";

const URL_SCHEME = /^[a-z][a-z0-9+.-]+:/i;
const DRIVE = /^[a-z]:[\\/]/i;

/** The path or URL by which other tools find a file, relative if it is below the working directory. */
export function sourcePath(
  location: string,
  label: string,
  workingDirectory: string | undefined,
): string {
  if (isUrl(label)) {
    return isFileUrl(label) ? localPath(fromFileUrl(label), workingDirectory) : label;
  }
  if (isUrl(location) && !isFileUrl(location)) {
    return label === "" ? location : new URL(label.replaceAll("%", "%25"), location).href;
  }
  const entry = withSlashes(isFileUrl(location) ? fromFileUrl(location) : location);
  const path = label === "" ? entry : entry.slice(0, entry.lastIndexOf("/") + 1) + label;
  return localPath(path, workingDirectory);
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

function localPath(path: string, workingDirectory: string | undefined): string {
  const normalized = normalizePath(path);
  if (workingDirectory === undefined) return normalized;
  const root = normalizePath(withSlashes(workingDirectory)).replace(/\/$/, "") + "/";
  return normalized.startsWith(root) ? normalized.slice(root.length) : normalized;
}

function normalizePath(path: string): string {
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

export function guardedCopies(
  copies: readonly FormattedCopy[],
): { readonly name: string; readonly path: string; readonly copy: string }[] {
  return copies.map(({ path, text }) => ({ name: "The formatted copy", path, copy: text }));
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

export function crowdedSentences(crowded: readonly CrowdedFile[], example: string): string[] {
  return crowded.map(({ path, lines, things, copy }) => {
    const count = `${formatAmount(lines, "line")} for ${formatNumber(things)} items to cover`;
    return copy === undefined
      ? `${path} has ${count}, so line coverage means little. Write to a file (--format ${example}) to count the lines of a formatted copy instead.`
      : `${path} has ${count}. The report shows the lines of a formatted copy, ${copy.path}.`;
  });
}
