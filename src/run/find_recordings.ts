import { stat } from "node:fs/promises";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import { CommandError } from "./command_error.ts";

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
 * @throws {CommandError} if a folder or pattern has no files, or standard input is named twice.
 */
export async function findRecordings(names: readonly string[]): Promise<FoundRecording[]> {
  if (names.filter((name) => name === STANDARD_INPUT).length > 1) {
    throw new CommandError("Standard input can only be read once. Remove the extra -.");
  }
  const found: FoundRecording[] = [];
  for (const name of names) found.push(...await findOne(name));
  return found;
}

async function findOne(name: string): Promise<FoundRecording[]> {
  if (name === STANDARD_INPUT) return [{ path: name, named: true }];
  const kind = await kindOf(name);
  const isPattern = kind === undefined && /[*?[{]/.test(name);
  if (kind !== "folder" && !isPattern) return [{ path: name, named: true }];
  // Most runs name their files and don't need this code.
  const { glob } = await import("tinyglobby");
  const found = await glob(isPattern ? [name] : ["**/*"], {
    ...(kind === "folder" && { cwd: name, absolute: false }),
    expandDirectories: false,
  });
  const prefix = kind === "folder" ? `${name.replace(/[\\/]+$/, "")}/` : "";
  const files = await regularFiles(found.sort().map((file) => prefix + file));
  if (files.length === 0) {
    throw new CommandError(
      isPattern
        ? `No files match ${name}. Check the pattern and the folder.`
        : `The folder ${name} is empty. Name one that contains recordings.`,
    );
  }
  return files.map((path) => ({ path, named: false }));
}

/** Skips pipes and devices, which might never end. */
async function regularFiles(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (let start = 0; start < paths.length; start += TOGETHER) {
    const some = paths.slice(start, start + TOGETHER);
    const kinds = await Promise.all(some.map((path) => kindOf(path)));
    files.push(...some.filter((_path, index) => kinds[index] !== "special"));
  }
  return files;
}

async function kindOf(path: string): Promise<"folder" | "file" | "special" | undefined> {
  try {
    const status = await stat(path);
    return status.isDirectory() ? "folder" : status.isFile() ? "file" : "special";
  } catch {
    return undefined; // reading it reports the error
  }
}
