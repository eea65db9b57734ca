import { builtin } from "./builtin.ts";
import { draftName, removeAbandonedDrafts } from "./draft_file.ts";
import { isGranted } from "./is_granted.ts";

interface FileHandle {
  writeFile(text: string): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

interface FileSystem {
  link(from: string, to: string): Promise<void>;
  open(path: string, flags: "wx", mode: number): Promise<FileHandle>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

interface PathModule {
  dirname(path: string): string;
  join(...parts: readonly string[]): string;
}

/** A new file, readable by all. */
const MODE = 0o644;

/**
 * Writes a file that must not exist yet: it is there as a whole, or not at all. Links are not followed.
 *
 * @throws the file system's error where it cannot be written; its code is `EEXIST` where something is there.
 */
export async function writeNewFile(path: string, text: string): Promise<void> {
  const { dirname, join } = builtin<PathModule>("node:path");
  const files = builtin<FileSystem>("node:fs/promises");
  const folder = dirname(path);
  const draft = join(folder, draftName());
  const isGuarded = (["read", "write"] as const).some((name) => !isGranted({ name, path: draft }));
  if (isGuarded) return await write(path, text);
  await removeAbandonedDrafts(folder);
  await write(draft, text);
  try {
    await files.link(draft, path);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "EEXIST") throw error;
    // Not every file system has links.
    await write(path, text);
  } finally {
    await files.rm(draft, { force: true });
  }
}

async function write(path: string, text: string): Promise<void> {
  const files = builtin<FileSystem>("node:fs/promises");
  const file = await files.open(path, "wx", MODE);
  try {
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await files.rm(path, { force: true });
    throw error;
  }
}
