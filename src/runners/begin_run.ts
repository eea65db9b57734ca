import { errorSentences, sanitizeMessage } from "../run/error_sentences.ts";
import type { TrafficFolder } from "../run/traffic_folder.ts";
import type { RunOptions } from "./run_options.ts";
import { runnerHost } from "./runner_host.ts";
import { TestRun } from "./test_run.ts";

/** Begins a run for a runner that would print caught errors with their stack trace. */
export async function beginRun(
  options: RunOptions,
  place: string,
  folder?: TrafficFolder,
  root?: string,
): Promise<TestRun | undefined> {
  try {
    return new TestRun(options, place, folder, root);
  } catch (error) {
    await runnerHost().stderr.write(`covtool: ${sanitizeMessage(errorSentences(error))}\n`);
    return undefined;
  }
}
