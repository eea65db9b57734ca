import { DescriptionError, RecordingError } from "../values/errors.ts";
import { CommandError } from "./command_error.ts";

/** What to tell the user: never a stack trace. */
export function errorSentences(error: unknown): string {
  if (
    error instanceof CommandError || error instanceof DescriptionError ||
    error instanceof RecordingError
  ) {
    return error.message;
  }
  if (error instanceof Error && error.name === "NotCapable") {
    return `Deno denies what this command needs: ${error.message}.`;
  }
  if (error instanceof RangeError && /call stack|recursion/i.test(error.message)) {
    return "Something in the files that were given is nested too deep for covtool to handle.";
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `covtool itself failed (${what}). Please report this, if you can with the files.`;
}
