import { builtin, type FileHandle, type FileStatus } from "../values/builtin.ts";
import { rechunk } from "../values/collections.ts";
import { draftName, removeAbandonedDrafts } from "./write_new_file.ts";
import { errorCode, realPath, toPath } from "./files.ts";
import { isGranted } from "./missing_permission.ts";

export interface WriteOptions {
  /** The mode of the file, as for `chmod` (default: the mode of the replaced file, or of new files). */
  readonly mode?: number | undefined;
}

interface WriteTarget {
  readonly path: string;
  readonly existing?: FileStatus | undefined;
  /** Set if the place isn't a regular file, so that it is written to directly. */
  readonly flags?: string | undefined;
}

type Text = Iterable<string> | AsyncIterable<string>;

const NEW_FILE_MODE = 0o666;
/** The standard streams and other descriptors of a process are written to directly. */
const STREAM = /^\/(?:dev\/(?:fd\/\d+|std(?:out|err))|proc\/[^/]+\/fd\/\d+)$/;

/**
 * Writes a text to a file, and creates its folder. The pieces of an iterable are encoded one after the other, so that
 * the whole text is never in memory.
 *
 * The text is written to a draft in the same folder, which replaces the file once it is complete and on the disk. If
 * writing fails, the old file is unchanged. If the folder permits no new file, or the path isn't a regular file (a
 * pipe, `/dev/stdout`), it is written to directly. Symbolic links are kept, and so is the file's mode. Drafts of killed
 * processes are removed from the folder.
 */
export async function writeTextFile(
  path: string | URL,
  text: string | Text,
  { mode }: WriteOptions = {},
): Promise<void> {
  const pieces = typeof text === "string" ? [text] : text;
  const target = await findTarget(toPath(path));
  if (target.flags !== undefined) {
    return await withFile(target.path, target.flags, undefined, (file) => write(file, pieces));
  }
  const folder = builtin("node:path").dirname(target.path);
  await removeAbandonedDrafts(folder);
  const draft = await openDraft(folder, mode ?? target.existing?.mode);
  if (draft === undefined) {
    return await withFile(target.path, "w", mode, (file) => write(file, pieces));
  }
  const files = builtin("node:fs/promises");
  registerDraft(draft.path);
  try {
    try {
      await write(draft.handle, pieces);
      if (target.existing !== undefined) await copyOwnership(draft.handle, target.existing, mode);
      await draft.handle.sync();
    } finally {
      await draft.handle.close();
    }
    await replaceFile(draft.path, target.path);
  } catch (error) {
    await files.rm(draft.path, { force: true });
    throw error;
  } finally {
    unregisterDraft(draft.path);
  }
  await syncFolder(folder);
}

const drafts = new Set<string>();

function removeDrafts(): void {
  for (const path of drafts) builtin("node:fs").rmSync(path, { recursive: false, force: true });
}

function registerDraft(draft: string): void {
  if (drafts.size === 0) builtin("node:process").once("exit", removeDrafts);
  drafts.add(draft);
}

function unregisterDraft(draft: string): void {
  drafts.delete(draft);
  if (drafts.size === 0) builtin("node:process").off("exit", removeDrafts);
}

async function withFile(
  path: string,
  flags: string,
  mode: number | undefined,
  use: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await builtin("node:fs/promises").open(path, flags, mode);
  try {
    await use(file);
  } finally {
    await file.close();
  }
}

async function findTarget(path: string): Promise<WriteTarget> {
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
    // Replacing a file needs no write permission for the file itself, so that permission is checked here.
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

/** Creates a file that no other process has; undefined if the folder permits none. */
async function openDraft(
  folder: string,
  mode = NEW_FILE_MODE,
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
  if (Symbol.iterator in text) return await writeChunks(handle, rechunk(text));
  for await (const piece of text) await writeChunks(handle, rechunk([piece]));
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

async function copyOwnership(
  handle: FileHandle,
  old: FileStatus,
  mode: number | undefined,
): Promise<void> {
  const { uid, gid } = await handle.stat();
  try {
    if (uid !== old.uid || gid !== old.gid) await handle.chown(old.uid, old.gid);
    await handle.chmod((mode ?? old.mode) & 0o7777);
  } catch {
    // Another user's file, or a file system without owners and modes.
  }
}

async function replaceFile(from: string, to: string): Promise<void> {
  const files = builtin("node:fs/promises");
  try {
    await files.rename(from, to);
  } catch (error) {
    // A file that is a mount point (in containers) or open (on Windows) can't be replaced, only written to.
    const code = errorCode(error);
    if (code !== "EBUSY" && code !== "EXDEV" && code !== "EPERM") throw error;
    await files.copyFile(from, to);
    await files.rm(from, { force: true });
  }
}

/** Makes the move durable on systems that can sync folders. */
async function syncFolder(folder: string): Promise<void> {
  if (!isGranted({ name: "read", path: folder })) return;
  try {
    await withFile(folder, "r", undefined, (handle) => handle.sync());
  } catch {
    // Windows can't sync folders.
  }
}
