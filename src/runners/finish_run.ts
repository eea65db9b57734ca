import { errorSentences, sanitizeMessage } from "../run/error_sentences.ts";
import { type Host, layoutFor } from "../run/host.ts";
import { loadMaps } from "../run/load_apis.ts";
import { preparePublish } from "../run/publish.ts";
import { recordFolder } from "../run/record_folder.ts";
import type { ReadOptions } from "./run_options.ts";
import type { TrafficFolder } from "../run/traffic_folder.ts";

const NOTHING_RECORDED =
  "No requests were recorded. Track the client that the tests use, for example with collector.axios.trackClient(axios), where collector is from covtool/collect.";

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
    const name = layoutFor(host, options.color).colors.red.bold("covtool:");
    await host.stderr.write(`${name} ${sanitizeMessage(errorSentences(error))}\n`);
    return false;
  }
}
