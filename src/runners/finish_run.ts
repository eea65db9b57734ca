import { Ansis } from "ansis";
import { saidText } from "../cli/said_text.ts";
import { errorSentences } from "../cli/error_sentences.ts";
import type { Host } from "../cli/host.ts";
import { loadMap } from "../cli/load_map.ts";
import { preparePublish } from "../cli/publish.ts";
import { isColored } from "../cli/terminal.ts";
import { recordFolder } from "./record_folder.ts";
import type { ReadOptions } from "./run_options.ts";
import type { TrafficFolder } from "./traffic_folder.ts";

const NOTHING_RECORDED =
  "No test sent a request that covtool saw. Track the client that the tests use: collector.axios.trackClient(axios), for instance, with the collector of covtool/collect.";

/**
 * Makes the reports of a run.
 *
 * @returns whether the thresholds are met; false too where something went wrong, which is then said in a sentence.
 */
export async function finishRun(
  folder: TrafficFolder,
  { options, outputs }: ReadOptions,
  host: Host,
): Promise<boolean> {
  try {
    const publish = await preparePublish(outputs, options, [], host);
    const measured = await recordFolder(folder, await loadMap(options));
    return await publish({ ...measured, nothingRecorded: NOTHING_RECORDED }) === 0;
  } catch (error) {
    const colors = new Ansis(isColored(options.color, host.variables, host.stderr) ? 1 : 0);
    const name = colors.red.bold("covtool:");
    await host.stderr.write(`${name} ${saidText(errorSentences(error))}\n`);
    return false;
  }
}
