import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileErrorSentence } from "../files/files.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import { CommandError } from "./command_error.ts";
import { kindOf, walkFolders } from "./walk_folders.ts";

/** Files whose status is read at the same time. */
const TOGETHER = 64;

/** A recording to read. */
export interface FoundRecording {
  /** Its path, or `-`. */
  readonly path: string;
  /** True if it was named itself, so it must be a recording; false if it was found in a folder or by a pattern. */
  readonly named: boolean;
}

/**
 * Finds the recordings for a list of arguments: files, folders with everything in them, glob patterns such as
 * `traffic/**\/*.har`, and standard input. Files of a folder or pattern are sorted by path.
 *
 * @param onUnread Is told of folders that a pattern leads to and that cannot be read, in a sentence.
 * @throws {CommandError} if a folder or pattern has no files, a folder or one in it cannot be read, or standard input is
 * named twice.
 */
export async function findRecordings(
  names: readonly string[],
  onUnread: (sentence: string) => void = () => {},
): Promise<FoundRecording[]> {
  if (names.filter((name) => name === STANDARD_INPUT).length > 1) {
    throw new CommandError("Standard input can only be read once. Remove the extra -.");
  }
  const found: FoundRecording[] = [];
  for (const name of names) found.push(...await findOne(name, onUnread));
  return found;
}

async function findOne(
  name: string,
  onUnread: (sentence: string) => void,
): Promise<FoundRecording[]> {
  if (name === STANDARD_INPUT) return [{ path: name, named: true }];
  const kind = await kindOf(name);
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
    throw new CommandError(
      first ?? `No files match ${name}. Check the pattern and the folder.`,
    );
  }
  for (const sentence of unread) onUnread(sentence);
  return files;
}

/**
 * The files in a folder and those below it, but for hidden ones.
 *
 * @throws {CommandError} if one of the folders cannot be read, or there is no file.
 */
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
    const kinds = await Promise.all(some.map((path) => kindOf(path)));
    for (const [index, path] of some.entries()) {
      if (kinds[index] !== "special") files.push({ path, named: false });
    }
  }
  return files;
}
