import { fileErrorSentence } from "../files/files.ts";
import { type WriteOptions, writeTextFile } from "../files/write_text_file.ts";
import { CommandError } from "./command_error.ts";

/**
 * Writes a file that a command line names, whole or not at all.
 *
 * @throws {CommandError} if it cannot be written, and whatever the text throws.
 */
export async function writeOutput(
  path: string,
  text: Iterable<string> | AsyncIterable<string>,
  options: WriteOptions = {},
): Promise<void> {
  try {
    await writeTextFile(path, text, options);
  } catch (error) {
    if (!isOfFiles(error)) throw error;
    throw new CommandError(`Cannot write ${path}: ${fileErrorSentence(error)}`, error);
  }
}

/** Errors in the text explain themselves. */
function isOfFiles(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "NotCapable" || "syscall" in error ||
    ("code" in error && error.code === "ERR_INVALID_ARG_VALUE") ||
    /\(os error \d+\)/.test(error.message);
}
