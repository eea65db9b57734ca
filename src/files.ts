/**
 * The only module that touches files. It reaches the file system of Deno, Node.js or Bun at run time, so that nothing
 * here is a static `node:` import and the library also loads where there are no files.
 *
 * @module
 */

interface FileHandle {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ bytesRead: number }>;
  write(data: Uint8Array, offset: number, length: number): Promise<{ bytesWritten: number }>;
  close(): Promise<void>;
}

interface FileSystem {
  readFile(path: string): Promise<Uint8Array>;
  open(path: string, flags: string): Promise<FileHandle>;
  mkdir(path: string, options: { recursive: boolean }): Promise<unknown>;
}

interface UrlModule {
  pathToFileURL(path: string): URL;
  fileURLToPath(url: URL): string;
}

interface PathModule {
  dirname(path: string): string;
}

/** Large files are read in pieces of this many bytes. */
const PIECE_LENGTH = 1 << 18;
/** Text is written in pieces of about this many UTF-16 units. */
const CHUNK_LENGTH = 1 << 20;

/**
 * Reads a file as bytes.
 *
 * @param path A path, relative to the working directory, or a `file:` URL.
 */
export async function readFile(path: string | URL): Promise<Uint8Array> {
  const files = builtin<FileSystem>("node:fs/promises");
  return await files.readFile(toPath(path));
}

/** A part of a file, in bytes from its beginning. */
export interface FileRange {
  readonly start: number;
  /** The end of the file where none is given. */
  readonly end?: number;
}

/**
 * Reads a file piece by piece, so that memory does not grow with it. Each piece has bytes of its own.
 *
 * @param path A path, relative to the working directory, or a `file:` URL.
 * @param range What of it is read; by default all, also of what can be read only once.
 */
export async function* readFilePieces(
  path: string | URL,
  range?: FileRange,
): AsyncGenerator<Uint8Array, void> {
  const files = builtin<FileSystem>("node:fs/promises");
  const handle = await files.open(toPath(path), "r");
  try {
    let position = range?.start ?? null;
    for (;;) {
      const left = range?.end === undefined || position === null
        ? PIECE_LENGTH
        : Math.min(PIECE_LENGTH, range.end - position);
      if (left <= 0) return;
      const piece = new Uint8Array(left);
      const { bytesRead } = await handle.read(piece, 0, left, position);
      if (bytesRead === 0) return;
      if (position !== null) position += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/**
 * Reads a file as text: UTF-8, or UTF-16 where a byte order mark says so. The mark is left out.
 *
 * @param path A path, relative to the working directory, or a `file:` URL.
 */
export async function readTextFile(path: string | URL): Promise<string> {
  return decodeText(await readFile(path));
}

/**
 * Decodes bytes as text: UTF-8, or UTF-16 where a byte order mark says so. The mark is left out.
 *
 * @example
 * ```ts
 * import { decodeText } from "./files.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(decodeText(new Uint8Array([0xff, 0xfe, 0x61, 0x00])), "a");
 * ```
 */
export function decodeText(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe
    ? "utf-16le"
    : bytes[0] === 0xfe && bytes[1] === 0xff
    ? "utf-16be"
    : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/**
 * Writes a text to a file, folders included, without ever holding all of it: the pieces of an iterable are encoded one
 * after the other.
 *
 * @param path A path, relative to the working directory, or a `file:` URL.
 */
export async function writeTextFile(
  path: string | URL,
  text: string | Iterable<string>,
): Promise<void> {
  const files = builtin<FileSystem>("node:fs/promises");
  const paths = builtin<PathModule>("node:path");
  const target = toPath(path);
  await files.mkdir(paths.dirname(target), { recursive: true });
  const handle = await files.open(target, "w");
  try {
    const encoder = new TextEncoder();
    for (const chunk of chunksOf(typeof text === "string" ? [text] : text)) {
      const bytes = encoder.encode(chunk);
      for (let offset = 0; offset < bytes.length;) {
        offset += (await handle.write(bytes, offset, bytes.length - offset)).bytesWritten;
      }
    }
  } finally {
    await handle.close();
  }
}

/**
 * The absolute `file:` URL of a path, in which special characters are percent-encoded.
 *
 * @throws {Error} where there are no files, in a browser for example.
 */
export function pathToUrl(path: string | URL): URL {
  if (path instanceof URL) return path;
  if (/^file:/i.test(path)) return new URL(path);
  return builtin<UrlModule>("node:url").pathToFileURL(path);
}

/** What is wrong with a file, as one sentence that says what to do. */
export function fileErrorSentence(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return "There is no such file: check the path.";
    case "EISDIR":
      return "This is a folder: name a file in it.";
    case "EACCES":
    case "EPERM":
      return "Permission to use this file is denied.";
  }
  if (error instanceof Error && error.name === "NotCapable") {
    return `Deno denies access to this file: allow it (${error.message.split("\n", 1)[0]}).`;
  }
  return `The file cannot be used: ${error instanceof Error ? error.message : String(error)}.`;
}

function toPath(path: string | URL): string {
  if (typeof path === "string" && !/^file:/i.test(path)) return path;
  return builtin<UrlModule>("node:url").fileURLToPath(new URL(path));
}

/** Cuts long strings and joins short ones; a surrogate pair is never cut in two. */
function* chunksOf(parts: Iterable<string>): Generator<string> {
  let waiting = "";
  for (const part of parts) {
    if (waiting.length + part.length <= CHUNK_LENGTH) {
      waiting += part;
      continue;
    }
    if (waiting !== "") yield waiting;
    waiting = "";
    let start = 0;
    while (part.length - start > CHUNK_LENGTH) {
      const last = part.charCodeAt(start + CHUNK_LENGTH - 1);
      const end = start + CHUNK_LENGTH - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
      yield part.slice(start, end);
      start = end;
    }
    waiting = part.slice(start);
  }
  if (waiting !== "") yield waiting;
}

/** A built-in module of the runtime. */
function builtin<Module>(name: string): Module {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
  };
  const module = process?.getBuiltinModule?.(name);
  if (module === undefined || module === null) {
    throw new Error(
      "nothing here gives access to files: Deno 2, Node.js 20.16 and Bun 1.2 do, browsers do not",
    );
  }
  return module as Module;
}
