import { builtin, type FileHandle, type FileStatus } from "../values/builtin.ts";
import { chunksOf } from "../values/collections.ts";
import { draftName, removeAbandonedDrafts } from "./write_new_file.ts";
import { errorCode, realPath, toPath } from "./files.ts";
import { isGranted } from "./missing_permission.ts";

export interface WriteOptions {
  /** The file's mode, as for `chmod` (default: that of the file that is replaced, or of new files). */
  readonly mode?: number | undefined;
}

interface Place {
  readonly path: string;
  readonly existing?: FileStatus | undefined;
  /** Set where it isn't a file, and so is written to directly. */
  readonly flags?: string | undefined;
}

type Text = Iterable<string> | AsyncIterable<string>;

const NEW_FILE = 0o666;
/** The process's own streams: each is written to as it is, wherever it leads. */
const STREAM = /^\/(?:dev\/(?:fd\/\d+|std(?:out|err))|proc\/[^/]+\/fd\/\d+)$/;

/**
 * Writes a text to a file, folders included, without ever holding all of it: the pieces of an iterable are encoded one
 * after the other.
 *
 * The file is written beside its place and moved there when it is whole and on the disk, so that whatever breaks off
 * costs nothing that was there before. Where the folder allows no other file, and where the path isn't a file (a pipe,
 * `/dev/stdout`), it is written to directly. A symbolic link stays one, and the file keeps its mode. What a run that was
 * killed left in the folder is removed.
 */
export async function writeTextFile(
  path: string | URL,
  text: string | Text,
  { mode }: WriteOptions = {},
): Promise<void> {
  const pieces = typeof text === "string" ? [text] : text;
  const place = await findPlace(toPath(path));
  if (place.flags !== undefined) {
    return await withFile(place.path, place.flags, undefined, (file) => write(file, pieces));
  }
  const folder = builtin("node:path").dirname(place.path);
  await removeAbandonedDrafts(folder);
  const draft = await openDraft(folder, mode ?? place.existing?.mode);
  if (draft === undefined) {
    return await withFile(place.path, "w", mode, (file) => write(file, pieces));
  }
  const files = builtin("node:fs/promises");
  keepTrack(draft.path);
  try {
    try {
      await write(draft.handle, pieces);
      if (place.existing !== undefined) await takeAfter(draft.handle, place.existing, mode);
      await draft.handle.sync();
    } finally {
      await draft.handle.close();
    }
    await move(draft.path, place.path);
  } catch (error) {
    await files.rm(draft.path, { force: true });
    throw error;
  } finally {
    loseTrack(draft.path);
  }
  await syncFolder(folder);
}

/** The drafts that are being written: those of a process that exits meanwhile go with it. */
const drafts = new Set<string>();

function removeDrafts(): void {
  for (const path of drafts) builtin("node:fs").rmSync(path, { recursive: false, force: true });
}

function keepTrack(draft: string): void {
  if (drafts.size === 0) builtin("node:process").once("exit", removeDrafts);
  drafts.add(draft);
}

function loseTrack(draft: string): void {
  drafts.delete(draft);
  if (drafts.size === 0) builtin("node:process").off("exit", removeDrafts);
}

/** Opens a file for some work, and closes it after that. */
async function withFile(
  path: string,
  flags: string,
  mode: number | undefined,
  work: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await builtin("node:fs/promises").open(path, flags, mode);
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

async function findPlace(path: string): Promise<Place> {
  const files = builtin("node:fs/promises");
  const paths = builtin("node:path");
  if (STREAM.test(paths.resolve(path))) return { path, flags: "a" };
  if (!isGranted({ name: "read", path })) {
    await makeFolder(paths.dirname(path));
    return { path, flags: "w" };
  }
  try {
    const status = await files.stat(path);
    if (!status.isFile()) return { path, flags: "w" };
    // Moving another file to its place would not ask for that.
    await (await files.open(path, "r+")).close();
    return { path: await files.realpath(path), existing: status };
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  const target = await realPath(path);
  await makeFolder(paths.dirname(target));
  return { path: target };
}

async function makeFolder(path: string): Promise<void> {
  if (!isGranted({ name: "write", path })) return;
  await builtin("node:fs/promises").mkdir(path, { recursive: true });
}

/** A new file that no other process has; undefined if the folder allows none. */
async function openDraft(
  folder: string,
  mode = NEW_FILE,
): Promise<{ readonly path: string; readonly handle: FileHandle } | undefined> {
  const path = builtin("node:path").join(folder, draftName());
  if (!isGranted({ name: "write", path }) || !isGranted({ name: "read", path })) return undefined;
  try {
    const handle = await builtin("node:fs/promises").open(path, "wx", mode & 0o777);
    return { path, handle };
  } catch (error) {
    const code = errorCode(error);
    if (code === "EACCES" || code === "EPERM" || code === "EROFS") return undefined;
    throw error;
  }
}

async function write(handle: FileHandle, text: Text): Promise<void> {
  if (Symbol.iterator in text) return await writeChunks(handle, chunksOf(text));
  for await (const piece of text) await writeChunks(handle, chunksOf([piece]));
}

async function writeChunks(handle: FileHandle, chunks: Iterable<string>): Promise<void> {
  const encoder = new TextEncoder();
  for (const chunk of chunks) {
    const bytes = encoder.encode(chunk);
    for (let offset = 0; offset < bytes.length;) {
      offset += (await handle.write(bytes, offset, bytes.length - offset)).bytesWritten;
    }
  }
}

/** Gives a file the owner and the mode of the one whose place it takes, as far as that is allowed. */
async function takeAfter(
  handle: FileHandle,
  old: FileStatus,
  mode: number | undefined,
): Promise<void> {
  const { uid, gid } = await handle.stat();
  try {
    if (uid !== old.uid || gid !== old.gid) await handle.chown(old.uid, old.gid);
    await handle.chmod((mode ?? old.mode) & 0o7777);
  } catch {
    // Another user's file, or a file system without either.
  }
}

async function move(from: string, to: string): Promise<void> {
  const files = builtin("node:fs/promises");
  try {
    await files.rename(from, to);
  } catch (error) {
    // A file that is mounted by itself, as containers have it, or that Windows keeps open, can only be written to.
    const code = errorCode(error);
    if (code !== "EBUSY" && code !== "EXDEV" && code !== "EPERM") throw error;
    await files.copyFile(from, to);
    await files.rm(from, { force: true });
  }
}

/** Lets the move outlive a power cut, where folders can be told to. */
async function syncFolder(folder: string): Promise<void> {
  if (!isGranted({ name: "read", path: folder })) return;
  try {
    await withFile(folder, "r", undefined, (handle) => handle.sync());
  } catch {
    // Windows has no such thing.
  }
}
