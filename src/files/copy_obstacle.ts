import { builtin } from "./builtin.ts";
import { formattedCopy } from "../values/formatted_copy.ts";
import { readTextFile } from "./files.ts";

interface Status {
  isFile(): boolean;
  isSymbolicLink(): boolean;
}

interface FileSystem {
  lstat(path: string): Promise<Status>;
}

/**
 * Checks that a formatted copy of a document may be written to a path that the user did not choose. Only an earlier
 * copy of the same document is replaced: JSON that is formatted just so, with the same title or, in a part of a
 * description, with some of the same names. No link is followed.
 *
 * @param text The copy.
 * @returns The end of a sentence about the file that is in the way; undefined if the copy may be written.
 */
export async function copyObstacle(path: string, text: string): Promise<string | undefined> {
  let status: Status;
  try {
    status = await builtin<FileSystem>("node:fs/promises").lstat(path);
  } catch {
    return undefined; // nothing is there, or writing says why it cannot be
  }
  if (status.isSymbolicLink()) return "which is a link";
  if (!status.isFile()) return "which is not a regular file";
  try {
    const existing = await readTextFile(path);
    if (existing === text || isCopyOfSame(existing, text)) return undefined;
  } catch {
    // A file that cannot be read, or isn't JSON, is not a copy.
  }
  return "which covtool did not write";
}

function isCopyOfSame(existing: string, text: string): boolean {
  const old: unknown = JSON.parse(existing);
  if (formattedCopy(old) !== existing) return false;
  const copy: unknown = JSON.parse(text);
  if (!isObject(old) || !isObject(copy)) return Array.isArray(old) && Array.isArray(copy);
  const [before, now] = [titleOf(old), titleOf(copy)];
  if (before !== undefined || now !== undefined) return before === now;
  return Object.keys(copy).some((name) => Object.hasOwn(old, name));
}

/** The title of a description; undefined for a part of one. */
function titleOf(document: Readonly<Record<string, unknown>>): unknown {
  const { info } = document;
  const isWhole = Object.hasOwn(document, "openapi") || Object.hasOwn(document, "swagger");
  return isWhole ? (isObject(info) ? info["title"] : undefined) ?? "" : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
