import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";

/** The age in milliseconds at which a folder is made again: its version ranges may match newer versions by then. */
const OLDEST = 7 * 24 * 3600 * 1000;

/** Returns the project's cache of the current user; scripts/corpus.ts uses it too. */
function cacheRoot(): string {
  return join(Deno.env.get("XDG_CACHE_HOME") ?? join(homedir(), ".cache"), "covtool");
}

/** Finds a folder in the cache by kind and contents, or fills a new one with `make`. */
export async function sharedFolder(
  kind: string,
  contents: readonly string[],
  make: (folder: string) => Promise<void>,
  root: string = cacheRoot(),
): Promise<string> {
  const key = createHash("sha256").update(JSON.stringify(contents)).digest("hex").slice(0, 16);
  const folder = join(root, `${kind}-${key}`);
  await Deno.mkdir(root, { recursive: true });
  // Closing the file releases the lock, even if the process ends early.
  using lock = await Deno.open(`${folder}.lock`, { create: true, write: true });
  await lock.lock(true);
  await removeOld(root, kind);
  if (await fileAge(folder) !== undefined) return folder;
  const unfinished = `${folder}.unfinished`;
  await Deno.remove(unfinished, { recursive: true }).catch(() => {});
  await Deno.mkdir(unfinished);
  await make(unfinished);
  await Deno.rename(unfinished, folder);
  return folder;
}

async function removeOld(root: string, kind: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(root)) {
    if (!isDirectory || !name.startsWith(`${kind}-`)) continue;
    if ((await fileAge(join(root, name)) ?? 0) <= OLDEST) continue;
    // Another process may be removing it too.
    await Deno.remove(join(root, name), { recursive: true }).catch(() => {});
  }
}

async function fileAge(path: string): Promise<number | undefined> {
  const status = await Deno.stat(path).catch(() => undefined);
  return status && Date.now() - (status.mtime?.getTime() ?? 0);
}
