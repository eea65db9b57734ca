import { mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fileErrorSentence } from "../files.ts";
import { CommandError } from "./command_error.ts";

/**
 * Writes a file beside its place and moves it there when it is whole, so that what breaks off half-way costs nothing
 * that was there before. What is no file, such as a pipe, is written directly. Folders are made.
 *
 * @param mode Who may read a new file, as `chmod` says it.
 * @throws {CommandError} where it cannot be written, and whatever the pieces throw.
 */
export async function writeAside(
  path: string,
  pieces: AsyncIterable<string>,
  mode = 0o666,
): Promise<void> {
  const place = await orError(path, placeOf(path));
  const handle = await orError(path, open(place.written, "w", mode));
  let isWhole = false;
  try {
    const encoder = new TextEncoder();
    for await (const piece of pieces) {
      const bytes = encoder.encode(piece);
      for (let offset = 0; offset < bytes.length;) {
        const { bytesWritten } = await orError(path, handle.write(bytes, offset));
        offset += bytesWritten;
      }
    }
    isWhole = true;
  } finally {
    await handle.close();
    if (!isWhole && place.written !== place.target) await rm(place.written, { force: true });
  }
  if (place.written !== place.target) await orError(path, rename(place.written, place.target));
}

async function placeOf(path: string): Promise<{ written: string; target: string }> {
  let target = path;
  try {
    const status = await stat(path);
    if (!status.isFile()) return { written: path, target: path };
    // A link stays a link.
    target = await realpath(path);
  } catch {
    await mkdir(dirname(path), { recursive: true });
  }
  return { written: `${target}.part`, target };
}

async function orError<Result>(path: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new CommandError(`Cannot write ${path}: ${fileErrorSentence(error)}`, error);
  }
}
