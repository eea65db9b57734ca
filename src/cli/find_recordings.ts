import { stat } from "node:fs/promises";
import { CommandError } from "./command_error.ts";

/** What stands for standard input. */
export const STANDARD_INPUT = "-";

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
  const files = await glob(isPattern ? [name] : ["**/*"], {
    ...(kind === "folder" && { cwd: name, absolute: false }),
    expandDirectories: false,
  });
  if (files.length === 0) {
    throw new CommandError(
      isPattern
        ? `No file fits the pattern ${name}. Check it, and what is in the folder.`
        : `The folder ${name} holds no files. Name one that holds recordings.`,
    );
  }
  const prefix = kind === "folder" ? `${name.replace(/[\\/]+$/, "")}/` : "";
  return files.sort().map((file) => ({ path: prefix + file, named: false }));
}

async function kindOf(path: string): Promise<"folder" | "file" | undefined> {
  try {
    return (await stat(path)).isDirectory() ? "folder" : "file";
  } catch {
    return undefined; // reading it says why
  }
}
