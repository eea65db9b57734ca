import { builtin } from "../values/builtin.ts";
import { errorCode } from "./files.ts";
import { isGranted } from "./missing_permission.ts";
import { hasEnded, PROCESS_MARK, processMark } from "./process_mark.ts";

const DRAFT_NAME = new RegExp(String.raw`^\.covtool-(${PROCESS_MARK})-[\da-f]{12}\.tmp$`);

/** Returns a random name, with the mark of the process, for a file that is later moved to its place. */
export function draftName(): string {
  return `.covtool-${processMark()}-${crypto.randomUUID().slice(-12)}.tmp`;
}

/** Removes the drafts of killed processes of this machine or container. */
export async function removeAbandonedDrafts(folder: string): Promise<void> {
  if (!isGranted({ name: "read", path: folder })) return;
  const files = builtin("node:fs/promises");
  let names: string[] = [];
  try {
    names = await files.readdir(folder);
  } catch {
    return; // a folder that is write-only
  }
  for (const name of names) {
    const [, mark] = DRAFT_NAME.exec(name) ?? [];
    if (mark === undefined || !hasEnded(mark)) continue;
    try {
      await files.rm(`${folder}/${name}`, { force: true });
    } catch {
      // The draft belongs to another user.
    }
  }
}

const FILE_MODE = 0o644;

/** Writes a file that must not exist yet. It appears complete or not at all. Links are not followed. */
export async function writeNewFile(path: string, text: string): Promise<void> {
  const { dirname, join } = builtin("node:path");
  const files = builtin("node:fs/promises");
  const folder = dirname(path);
  const draft = join(folder, draftName());
  const isGuarded = (["read", "write"] as const).some((name) => !isGranted({ name, path: draft }));
  if (isGuarded) return await write(path, text);
  await removeAbandonedDrafts(folder);
  await write(draft, text);
  try {
    await files.link(draft, path);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw error;
    // Some file systems have no hard links.
    await write(path, text);
  } finally {
    await files.rm(draft, { force: true });
  }
}

export async function writeIfAbsent(path: string, text: string): Promise<boolean> {
  try {
    await writeNewFile(path, text);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function write(path: string, text: string): Promise<void> {
  const files = builtin("node:fs/promises");
  const file = await files.open(path, "wx", FILE_MODE);
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
