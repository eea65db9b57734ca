const URL_SCHEME = /^[a-z][a-z0-9+.-]+:/i;
const DRIVE = /^[a-z]:[\\/]/i;

/**
 * The path of a file of a description, as other tools look it up: with `/` between segments, relative to the working
 * directory where it lies below it; for a file from the web its URL.
 *
 * @param location What the description was loaded from: a path, a `file:` URL or an http(s) URL.
 * @param label The path of the file relative to the description, or its URL; empty for the description itself.
 * @param workingDirectory An absolute path; undefined without one.
 *
 * @example
 * ```ts
 * import { sourcePath } from "./source_path.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(sourcePath("api/openapi.yaml", "../common/user.yaml", "/work"), "common/user.yaml");
 * assert.equal(sourcePath("file:///work/openapi.yaml", "", "/work"), "openapi.yaml");
 * ```
 */
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
  const path = new URL(text).pathname;
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // A lone `%` is itself.
  }
  return DRIVE.test(decoded.slice(1)) ? decoded.slice(1) : decoded;
}

/** A backslash separates segments on Windows only; elsewhere it is part of a name. */
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
