import { stat } from "node:fs/promises";
import { CommandError } from "./command_error.ts";

/** What stands for standard input. */
export const STANDARD_INPUT = "-";

/** Files that are looked at at the same time. */
const TOGETHER = 64;

/** A file that is to be read. */
export interface FoundRecording {
  /** Its path, or `-`. */
  readonly path: string;
  /** True where it was named itself, so that it has to be a recording; false where it merely stood in a folder. */
  readonly named: boolean;
}

/**
 * Finds the recordings that arguments stand for: files, folders with all that is in them, patterns such as
 * `traffic/**\/*.har`, and standard input. Files of a folder or pattern come in the order of their paths.
 *
 * @throws {CommandError} where a folder or pattern has no file, or standard input is named twice.
 */
export async function findRecordings(names: readonly string[]): Promise<FoundRecording[]> {
  if (names.filter((name) => name === STANDARD_INPUT).length > 1) {
    throw new CommandError("Standard input can be read once only. Leave one - out.");
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
  // Most runs name their files, so they do not wait for this code.
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
        ? `No file fits the pattern ${name}. Check it, and what is in the folder.`
        : `The folder ${name} holds no files. Name one that holds recordings.`,
    );
  }
  return files.map((path) => ({ path, named: false }));
}

/** Leaves out pipes and devices, which merely stand there and might never end. */
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
    return undefined; // reading it says why
  }
}
