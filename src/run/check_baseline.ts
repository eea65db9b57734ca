import { closeSync, openSync } from "node:fs";
import { fileErrorSentence } from "../files/files.ts";
import { CommandError } from "./command_error.ts";

/** Checks that a baseline can be read, so that a wrong path is reported before the tests run. */
export function checkBaseline(path: string | undefined): void {
  if (path === undefined) return;
  try {
    // Opens the file because Deno's access() needs a permission to read the user's id.
    closeSync(openSync(path, "r"));
  } catch (error) {
    throw unreadableBaseline(path, error);
  }
}

export function unreadableBaseline(path: string, error: unknown): CommandError {
  const sentence = fileErrorSentence(error);
  const format = path.endsWith(".hits") ? "hits" : "json";
  const advice = sentence.startsWith("There is no such file")
    ? ` Make it with --format ${format}=${path}, in a run of the main branch for example.`
    : "";
  return new CommandError(`Cannot compare with ${path}: ${sentence}${advice}`, error);
}
