import { errorSentences, sanitizeMessage } from "../run/error_sentences.ts";
import type { TrafficFolder } from "../run/traffic_folder.ts";
import type { RunOptions } from "./run_options.ts";
import { TestRun } from "./test_run.ts";

/**
 * Begins a run before the first test.
 *
 * @param isWatching In watch mode, a description that can't be loaded is an error of each report until it is mended.
 * @throws {Error} with a full sentence and no stack trace, as runners print it.
 */
export async function beginRun(
  options: RunOptions,
  place: string,
  root: string | undefined,
  isWatching: boolean,
  folder?: TrafficFolder,
): Promise<TestRun> {
  try {
    const run = new TestRun(options, place, folder, root);
    if (!isWatching) await run.prepare();
    return run;
  } catch (error) {
    throw sentenceError(sanitizeMessage(errorSentences(error)));
  }
}

/** Makes an error without a stack trace: runners print it, and the place in covtool doesn't help users. */
export function sentenceError(message: string): Error {
  const error = new Error(message);
  error.name = "covtool";
  error.stack = `covtool: ${message}`;
  return error;
}
