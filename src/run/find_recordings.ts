import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileErrorSentence } from "../files/files.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import { CommandError } from "./command_error.ts";
import type { FolderSearch } from "./pattern_search.ts";

/** Files whose status is read at the same time. */
const TOGETHER = 64;

export interface FoundRecording {
  readonly path: string;
  /** True if it was named itself, so it must be a recording; false if it was found in a folder or by a pattern. */
  readonly named: boolean;
}

/** Finds the recordings for files, folders, patterns such as `traffic/**\/*.har`, and `-`; those found are sorted by path. */
export async function findRecordings(
  names: readonly string[],
  onUnread: (sentence: string) => void = () => {},
): Promise<FoundRecording[]> {
  if (names.filter((name) => name === STANDARD_INPUT).length > 1) {
    throw new CommandError("Standard input can only be read once. Remove the extra -.");
  }
  const found: FoundRecording[] = [];
  for (const name of names) {
    for (const recording of await findOne(name, onUnread)) found.push(recording);
  }
  return found;
}

async function findOne(
  name: string,
  onUnread: (sentence: string) => void,
): Promise<FoundRecording[]> {
  if (name === STANDARD_INPUT) return [{ path: name, named: true }];
  const kind = await recordingKind(name);
  if (kind === "folder") return await findInFolder(name);
  const isPattern = (kind === "nothing" || kind === "unread") && /[*?[{]/.test(name);
  if (!isPattern) return [{ path: name, named: true }];
  // Most runs name their files and don't need this code.
  const { patternSearch } = await import("./pattern_search.ts");
  const unread: string[] = [];
  // On Windows a backslash is between folders, and shells leave patterns to programs.
  const pattern = process.platform === "win32" ? name.replaceAll("\\", "/") : name;
  const search = patternSearch(pattern, (folder, error) => {
    // What is removed meanwhile isn't there to be read.
    if ((error as { readonly code?: unknown }).code === "ENOENT") return;
    unread.push(unreadSentence(folder || ".", error));
  });
  const files = await regularFiles(await withoutRepeats(await walkFolders(search)));
  if (files.length === 0) {
    const [first] = unread;
    throw new CommandError(first ?? `No files match ${name}. Check the pattern and the folder.`);
  }
  for (const sentence of unread) onUnread(sentence);
  return files;
}

/** The files in a folder and those below it, but for hidden ones. */
async function findInFolder(start: string): Promise<FoundRecording[]> {
  const paths = await walkFolders({
    start: start.replace(/(?<=[^\\/])[\\/]+$/, ""),
    state: "",
    enter: (state, name) => name.startsWith(".") ? undefined : state,
    keyOf: (state) => state,
    isVague: () => false,
    isWanted: (_path, name) => !name.startsWith("."),
    onUnread(folder, error) {
      throw new CommandError(unreadSentence(folder, error), error);
    },
  });
  const files = await regularFiles(paths);
  if (files.length > 0) return files;
  throw new CommandError(`The folder ${start} is empty. Name one that contains recordings.`);
}

/** Of the paths to which links between folders lead for one file, the first. */
async function withoutRepeats(found: readonly string[]): Promise<string[]> {
  const folders = new Map<string, string>();
  const known = new Set<string>();
  const kept: string[] = [];
  for (const path of [...found].sort()) {
    const folder = dirname(path);
    let real = folders.get(folder);
    if (real === undefined) {
      real = await realpath(folder).catch(() => folder); // reading it reports the error
      folders.set(folder, real);
    }
    const file = join(real, basename(path));
    if (known.has(file)) continue;
    known.add(file);
    kept.push(path);
  }
  return kept;
}

function unreadSentence(folder: string, error: unknown): string {
  return `Cannot read the folder ${folder}: ${fileErrorSentence(error)}`;
}

/** Sorts files by path, and leaves out pipes and devices, which might never end. */
async function regularFiles(found: readonly string[]): Promise<FoundRecording[]> {
  const paths = [...found].sort();
  const files: FoundRecording[] = [];
  for (let start = 0; start < paths.length; start += TOGETHER) {
    const some = paths.slice(start, start + TOGETHER);
    const kinds = await Promise.all(some.map((path) => recordingKind(path)));
    for (const [index, path] of some.entries()) {
      if (kinds[index] !== "special") files.push({ path, named: false });
    }
  }
  return files;
}

/** Finds files below a folder. One is read once in each state, or requests would count twice; in vague states, once on each way. */
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
      const kind = isLink ? await recordingKind(inner) : entry.isDirectory() ? "folder" : "file";
      if (kind === "folder") {
        const below = search.enter(state, name);
        if (below !== undefined) (isLink ? links : open).push({ path: inner, state: below, above });
      } else if (kind !== "nothing" && search.isWanted(inner, name)) found.push(inner);
    }
  }
  return found;
}

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
export async function recordingKind(
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
