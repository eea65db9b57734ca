import { readdir, realpath, stat } from "node:fs/promises";

/** A search for files, which a walk through folders asks about each name. */
export interface FolderSearch<State> {
  /** The folder where it begins; empty for the working directory. */
  readonly start: string;
  /** What is known of the path to that folder. */
  readonly state: State;
  /** The state in a folder of a name, within another folder; undefined if nothing is looked for there. */
  enter(state: State, name: string): State | undefined;
  /** A text that is the same for states in which the same is looked for. */
  keyOf(state: State): string;
  /** True for a state that doesn't tell all that is looked for: a folder that comes again may have more. */
  isVague(state: State): boolean;
  /** True if a file is looked for. */
  isWanted(path: string, name: string): boolean;
  /** Is told of a folder that cannot be read. */
  onUnread(path: string, error: unknown): void;
}

/**
 * Finds files in a folder and those below it, links included. A folder is read once in each state, whatever leads to it:
 * requests would count twice, and links between folders make more paths than anybody has time for. In vague states it is
 * passed over only on a way that leads through it already.
 *
 * @returns the paths, in no order.
 */
export async function walkFolders<State>(search: FolderSearch<State>): Promise<string[]> {
  const found: string[] = [];
  const visited = new Set<string>();
  interface Folder {
    readonly path: string;
    readonly state: State;
    readonly above: Above | undefined;
  }
  const open: Folder[] = [{ path: search.start, state: search.state, above: undefined }];
  // They come last, in an order of their own: what they lead to may have a name of its own.
  const links: Folder[] = [];
  const nextLink = (): Folder | undefined =>
    links.sort((one, other) => one.path < other.path ? -1 : 1).shift();
  for (let folder = open.pop(); folder !== undefined; folder = open.pop() ?? nextLink()) {
    const { path, state } = folder;
    const tell = (error: unknown): undefined => void search.onUnread(path, error);
    const real = await realpath(path || ".").catch(tell);
    if (real === undefined) continue;
    const key = JSON.stringify([real, search.keyOf(state)]);
    if (search.isVague(state) ? isAmong(key, folder.above) : visited.has(key)) continue;
    visited.add(key);
    const above: Above = { key, above: folder.above };
    const entries = await readdir(path || ".", { withFileTypes: true }).catch(tell);
    for (const entry of entries ?? []) {
      const { name } = entry;
      const inner = path === "" || path.endsWith("/") ? path + name : `${path}/${name}`;
      const isLink = entry.isSymbolicLink();
      const kind = isLink ? await kindOf(inner) : entry.isDirectory() ? "folder" : "file";
      if (kind === "folder") {
        const below = search.enter(state, name);
        if (below !== undefined) (isLink ? links : open).push({ path: inner, state: below, above });
      } else if (kind !== "nothing" && search.isWanted(inner, name)) found.push(inner);
    }
  }
  return found;
}

/** A folder on the way to another one. */
interface Above {
  readonly key: string;
  readonly above: Above | undefined;
}

function isAmong(key: string, start: Above | undefined): boolean {
  for (let folder = start; folder !== undefined; folder = folder.above) {
    if (folder.key === key) return true;
  }
  return false;
}

/** The kind of what a path leads to; `unread` for what may be there, of which reading reports the error. */
export async function kindOf(
  path: string,
): Promise<"folder" | "file" | "special" | "nothing" | "unread"> {
  try {
    const status = await stat(path);
    return status.isDirectory() ? "folder" : status.isFile() ? "file" : "special";
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    return code === "ENOENT" || code === "ELOOP" ? "nothing" : "unread";
  }
}
