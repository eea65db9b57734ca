import { Ansis } from "ansis";
import { saidText } from "../run/said_text.ts";
import { errorSentences } from "../run/error_sentences.ts";
import type { Host } from "../run/host.ts";
import { loadMaps } from "../run/load_apis.ts";
import { preparePublish } from "../run/publish.ts";
import { isColored } from "../run/terminal.ts";
import { recordFolder } from "../run/record_folder.ts";
import type { ReadOptions } from "./run_options.ts";
import type { TrafficFolder } from "../run/traffic_folder.ts";

const NOTHING_RECORDED =
  "No requests were recorded. Track the client that the tests use, for example with collector.axios.trackClient(axios), where collector is from covtool/collect.";

/**
 * Makes the reports of a run.
 *
 * @returns true if the thresholds are met and no condition fails the run; false too if something went wrong, which is
 * then printed in a sentence.
 */
export async function finishRun(
  folder: TrafficFolder,
  { options, outputs, guard }: ReadOptions,
  host: Host,
): Promise<boolean> {
  try {
    const publish = await preparePublish(outputs, options, [], host, guard);
    const measured = await recordFolder(folder, await loadMaps(options));
    return (await publish({ ...measured, nothingRecorded: NOTHING_RECORDED })).length === 0;
  } catch (error) {
    const colors = new Ansis(isColored(options.color, host.variables, host.stderr) ? 1 : 0);
    const name = colors.red.bold("covtool:");
    await host.stderr.write(`${name} ${saidText(errorSentences(error))}\n`);
    return false;
  }
}
