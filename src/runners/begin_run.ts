import { saidText } from "../run/said_text.ts";
import { errorSentences } from "../run/error_sentences.ts";
import type { RunOptions } from "./run_options.ts";
import { runnerHost } from "./runner_host.ts";
import { TestRun } from "./test_run.ts";
import type { TrafficFolder } from "../run/traffic_folder.ts";

/**
 * Begins a run for a runner that would print what it catches with a stack trace.
 *
 * @param place The source of the options in error messages.
 * @param folder Where the run collects, if there is one already.
 * @param root The folder that paths in the options are relative to (default: the working directory).
 * @returns undefined if an option is invalid, which is then printed in a sentence.
 */
export async function beginRun(
  options: RunOptions,
  place: string,
  folder?: TrafficFolder,
  root?: string,
): Promise<TestRun | undefined> {
  try {
    return new TestRun(options, place, folder, root);
  } catch (error) {
    await runnerHost().stderr.write(`covtool: ${saidText(errorSentences(error))}\n`);
    return undefined;
  }
}
