import { DescriptionError, isStackOverflow, RecordingError } from "../values/errors.ts";
import { missingPermission } from "../files/missing_permission.ts";
import { OverwriteError } from "../files/output_guard.ts";
import { TemporaryFolderError } from "../files/make_temporary_folder.ts";
import { CommandError } from "./command_error.ts";

/** The message to show to the user for an error: sentences, never a stack trace. */
export function errorSentences(error: unknown): string {
  if (
    error instanceof CommandError || error instanceof OverwriteError ||
    error instanceof DescriptionError ||
    error instanceof RecordingError || error instanceof TemporaryFolderError
  ) {
    return error.message;
  }
  const permission = missingPermission(error);
  if (permission !== undefined) return permission;
  if (isStackOverflow(error)) {
    return "An input file is nested too deeply for covtool.";
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `Internal error in covtool (${what}). Please report it, with the input files if possible.`;
}
