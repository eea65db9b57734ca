import type { Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import process from "node:process";
import { errorCode, fileErrorSentence } from "../files/files.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import { CommandError } from "./command_error.ts";
import type { FolderSearch } from "./pattern_search.ts";

export interface FoundRecording {
  readonly path: string;
  /** True if the file was named itself, so it must be a recording; false if found in a folder or by a pattern. */
  readonly isNamed: boolean;
}

/**
 * Finds the recordings for files, folders, patterns such as `traffic/**\/*.har`, and `-`; those in folders and patterns
 * are sorted by path. A file that several names lead to is one recording.
 */
export async function findRecordings(
  names: readonly string[],
  onUnread: (sentence: string) => void = () => {},
): Promise<FoundRecording[]> {
  /** By real path. */
  const found = new Map<string, FoundRecording>();
  for (const name of names) {
    for (const recording of await findByName(name, onUnread)) {
      const { path, isNamed } = recording;
      const real = path === STANDARD_INPUT ? path : await realpath(path).catch(() => path);
      // A file that is named itself has to be a recording, even if it was also found in a folder.
      if (isNamed || !found.has(real)) found.set(real, recording);
    }
  }
  return [...found.values()];
}

async function findByName(
  name: string,
  onUnread: (sentence: string) => void,
): Promise<FoundRecording[]> {
  if (name === STANDARD_INPUT) return [{ path: name, isNamed: true }];
  const kind = await recordingKind(name);
  if (kind === "folder") return await findInFolder(name);
  if (kind === "nothing" && /^https?:\/\//i.test(name)) {
    throw new CommandError(
      `Cannot read ${name}: Recordings are read from files, not from URLs. Download it first.`,
    );
  }
  const isPattern = (kind === "nothing" || kind === "unread") && /[*?[{]/.test(name);
  if (!isPattern) return [{ path: name, isNamed: true }];
  // Loaded only here, as most runs have no patterns.
  const { patternSearch } = await import("./pattern_search.ts");
  const unread: string[] = [];
  // On Windows, a backslash separates folders, and shells don't expand patterns.
  const pattern = process.platform === "win32" ? name.replaceAll("\\", "/") : name;
  const search = patternSearch(pattern, (folder, error) => {
    // The folder was removed meanwhile, so there is nothing to read.
    if (errorCode(error) === "ENOENT") return;
    unread.push(unreadableSentence(folder || ".", error));
  });
  const files = await walkFolders(search);
  if (files.length === 0) {
    const [first] = unread;
    throw new CommandError(first ?? `No files match ${name}. Check the pattern and the folder.`);
  }
  for (const sentence of unread) onUnread(sentence);
  return files;
}

/** Finds the files in a folder and those below it, except hidden ones. */
async function findInFolder(start: string): Promise<FoundRecording[]> {
  const files = await walkFolders({
    start: start.replace(/(?<=[^\\/])[\\/]+$/, ""),
    state: "",
    enter: (state, name) => name.startsWith(".") ? undefined : state,
    stateKey: (state) => state,
    isAmbiguous: () => false,
    matches: (_path, name) => !name.startsWith("."),
    onUnreadable(folder, error) {
      throw new CommandError(unreadableSentence(folder, error), error);
    },
  });
  if (files.length > 0) return files;
  throw new CommandError(`The folder ${start} is empty. Name one that contains recordings.`);
}

function unreadableSentence(folder: string, error: unknown): string {
  return `Cannot read the folder ${folder}: ${fileErrorSentence(error)}`;
}

/**
 * Finds files below a folder, sorted by path, without pipes and devices, which might never end. Each folder is read
 * once per state, so that no request counts twice; in vague states, once on each way to it.
 */
export async function walkFolders<State>(search: FolderSearch<State>): Promise<FoundRecording[]> {
  const found: string[] = [];
  const visited = new Set<string>();
  interface Folder {
    readonly path: string;
    readonly state: State;
    /** The keys of the folders that contain it. */
    readonly ancestors: readonly string[];
  }
  const open: Folder[] = [{ path: search.start, state: search.state, ancestors: [] }];
  // Links come last, sorted by path, so that a folder is found under its own name where it has one.
  const links: Folder[] = [];
  const nextLink = (): Folder | undefined =>
    links.sort((one, other) => one.path < other.path ? -1 : 1).shift();
  for (let folder = open.pop(); folder !== undefined; folder = open.pop() ?? nextLink()) {
    const { path, state } = folder;
    const report = (error: unknown): undefined => void search.onUnreadable(path, error);
    const real = await realpath(path || ".").catch(report);
    if (real === undefined) continue;
    const key = JSON.stringify([real, search.stateKey(state)]);
    if (search.isAmbiguous(state) ? folder.ancestors.includes(key) : visited.has(key)) continue;
    visited.add(key);
    const ancestors = [...folder.ancestors, key];
    const entries = await readdir(path || ".", { withFileTypes: true }).catch(report);
    for (const entry of entries ?? []) {
      const { name } = entry;
      const entryPath = path === "" || path.endsWith("/") ? path + name : `${path}/${name}`;
      const isLink = entry.isSymbolicLink();
      const kind = isLink ? await recordingKind(entryPath) : entryKind(entry);
      if (kind === "folder") {
        const inner = search.enter(state, name);
        if (inner !== undefined) {
          (isLink ? links : open).push({ path: entryPath, state: inner, ancestors });
        }
      } else if (kind !== "nothing" && kind !== "special" && search.matches(entryPath, name)) {
        found.push(entryPath);
      }
    }
  }
  return found.sort().map((path) => ({ path, isNamed: false }));
}

type EntryKind = "folder" | "file" | "special";

function entryKind(entry: Pick<Stats, "isDirectory" | "isFile">): EntryKind {
  if (entry.isDirectory()) return "folder";
  return entry.isFile() ? "file" : "special";
}

/** Returns the kind of file at a path; `unread` if it may exist, so that reading it will report the error. */
async function recordingKind(path: string): Promise<EntryKind | "nothing" | "unread"> {
  try {
    return entryKind(await stat(path));
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" || code === "ELOOP" ? "nothing" : "unread";
  }
}
