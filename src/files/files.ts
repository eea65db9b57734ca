/**
 * Reads files with the runtime's API. The library can also be loaded where there is none, such as in browsers.
 *
 * @module
 */
import { concatBytes } from "../values/collections.ts";
import { builtin } from "../values/builtin.ts";
import { MAX_BYTES } from "../values/input_limits.ts";
import { missingPermission } from "./missing_permission.ts";

const PIECE_LENGTH = 1 << 18;
/** A longer chain of links is taken for a loop. */
const MAX_LINKS = 40;

export async function readFile(path: string | URL): Promise<Uint8Array> {
  const files = builtin("node:fs/promises");
  return await files.readFile(toPath(path));
}

/**
 * Reads a file as bytes; throws if it is longer than `maxBytes`.
 *
 * @param allowSpecial True to read pipes and devices too, which may never end or never begin.
 */
export async function readBoundedFile(
  path: string | URL,
  maxBytes: number,
  allowSpecial = false,
): Promise<Uint8Array> {
  const status = await builtin("node:fs/promises").stat(toPath(path));
  if (status.size > maxBytes) throw tooLargeError(maxBytes);
  if (status.isFile() && status.size > 0) return await readFile(path);
  if (!status.isFile() && !allowSpecial) throw new TypeError("This is not a regular file.");
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of readFilePieces(path)) {
    length += piece.length;
    if (length > maxBytes) throw tooLargeError(maxBytes);
    pieces.push(piece);
  }
  return concatBytes(pieces);
}

function tooLargeError(maxBytes: number): RangeError {
  return new RangeError(
    `It is larger than ${maxBytes / 2 ** 20} MiB, the most that covtool reads.`,
  );
}

/** Resolves all links in a path, dangling ones too. Parts that do not exist stay as they are. */
export async function realPath(path: string | URL): Promise<string> {
  const { basename, dirname, join, resolve } = builtin("node:path");
  const { realpath } = builtin("node:fs/promises");
  const missing: string[] = [];
  let current = resolve(toPath(path));
  for (let links = 0;;) {
    try {
      return join(await realpath(current), ...missing);
    } catch {
      const target = links++ < MAX_LINKS ? await linkTarget(current) : undefined;
      if (target !== undefined) {
        current = target;
        continue;
      }
      const parent = dirname(current);
      if (parent === current) return join(current, ...missing);
      missing.unshift(basename(current));
      current = parent;
    }
  }
}

async function linkTarget(path: string): Promise<string | undefined> {
  const { dirname, resolve } = builtin("node:path");
  const { readlink, realpath } = builtin("node:fs/promises");
  try {
    const target = await readlink(path);
    return resolve(await realpath(dirname(path)), target);
  } catch {
    return undefined;
  }
}

/** A part of a file, as byte offsets. */
export interface FileRange {
  readonly start: number;
  /** Default: the end of the file. */
  readonly end?: number;
}

/** Reads a file in pieces, so that memory does not grow with the file. The pieces share no buffer. */
export async function* readFilePieces(
  path: string | URL,
  range?: FileRange,
): AsyncGenerator<Uint8Array, void> {
  const files = builtin("node:fs/promises");
  const handle = await files.open(toPath(path), "r");
  try {
    let position = range?.start ?? null;
    for (;;) {
      const length = range?.end === undefined || position === null
        ? PIECE_LENGTH
        : Math.min(PIECE_LENGTH, range.end - position);
      if (length <= 0) return;
      const piece = new Uint8Array(length);
      const { bytesRead } = await handle.read(piece, 0, length, position);
      if (bytesRead === 0) return;
      if (position !== null) position += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Reads a text file in UTF-8, or in UTF-16 if it has that byte order mark. The mark is removed. */
export async function readTextFile(path: string | URL): Promise<string> {
  return decodeText(await readBoundedFile(path, MAX_BYTES, true));
}

export function decodeText(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe
    ? "utf-16le"
    : bytes[0] === 0xfe && bytes[1] === 0xff
    ? "utf-16be"
    : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/** Returns the absolute `file:` URL of a path; throws on platforms without files, such as browsers. */
export function pathToUrl(path: string | URL): URL {
  if (path instanceof URL) return path;
  if (/^file:/i.test(path)) return new URL(path);
  return builtin("node:url").pathToFileURL(path);
}

export function fileErrorSentence(error: unknown): string {
  switch (errorCode(error)) {
    case "ENOENT":
      return "There is no such file: check the path.";
    case "ENOTDIR":
    case "EEXIST": // from mkdir; code that creates files handles it
      return "A folder of this path is a file: check the path.";
    case "EISDIR":
      return "This is a folder: name a file in it.";
    case "EACCES":
    case "EPERM":
      return "Permission to use this file is denied: check its permissions and those of its folder.";
    case "ENOSPC":
      return "The disk is full: free some space, or choose a file on another disk.";
    case "EDQUOT":
      return "Your disk quota is exceeded: free some space, or choose a file on another disk.";
    case "EFBIG":
      return "The file would exceed the size limit (see `ulimit -f`).";
    case "EROFS":
      return "This disk is read-only: choose a file on another disk.";
    case "ELOOP":
      return "The path has a loop of symbolic links: check the path.";
    case "ENAMETOOLONG":
      return "The path is too long: use a shorter one.";
    case "ERR_INVALID_ARG_VALUE": // the only reason why Node.js rejects a string
      return "The path contains a null character, which no file name can contain.";
  }
  if (isProgramPermission(error)) {
    return "covtool may not use files of the system, such as those in /dev.";
  }
  const permission = missingPermission(error);
  if (permission !== undefined) return permission;
  if (error instanceof RangeError || error instanceof TypeError) return error.message;
  return `The file cannot be used: ${error instanceof Error ? error.message : String(error)}.`;
}

/** True if the permissions of a compiled program, which its user can't change, are the reason. */
function isProgramPermission(error: unknown): boolean {
  return error instanceof Error && error.name === "NotCapable" &&
    /\bduring compilation\b/.test(error.message);
}

export function toPath(path: string | URL): string {
  if (typeof path === "string" && !/^file:/i.test(path)) return path;
  const url = new URL(path);
  if (/%00/.test(url.pathname)) {
    throw new TypeError(escapeProblem("%00", "no file name can contain"));
  }
  try {
    return builtin("node:url").fileURLToPath(url);
  } catch (cause) {
    throw new TypeError(urlProblem(url), { cause });
  }
}

function urlProblem({ host, pathname }: URL): string {
  const [slash] = /%2f|%5c/i.exec(pathname) ?? [];
  if (slash !== undefined) return escapeProblem(slash, "is an encoded slash: write `/` instead");
  if (host !== "") return `It is on another computer, ${host}, and only local files can be read.`;
  return "It contains an invalid escape sequence: write `%25` for a percent sign.";
}

function escapeProblem(escape: string, why: string): string {
  return `It contains \`${escape}\`, which ${why}.`;
}

/** Error numbers of Linux and macOS for which Deno has no name. */
const CODES_BY_NUMBER: Readonly<Record<string, string>> = {
  27: "EFBIG",
  28: "ENOSPC",
  30: "EROFS",
};

export function errorCode(error: unknown): unknown {
  const { code, message } = (error ?? {}) as Record<string, unknown>;
  if (code !== undefined || typeof message !== "string") return code;
  return CODES_BY_NUMBER[/\(os error (\d+)\)$/.exec(message)?.[1] ?? ""];
}
