import { errorSentences, sanitizeMessage } from "../run/error_sentences.ts";
import { type Host, layoutFor, type OutputStream } from "../run/host.ts";
import { loadMaps } from "../run/load_apis.ts";
import { processHost } from "../run/process_host.ts";
import { preparePublish } from "../run/publish.ts";
import { recordFolder } from "../run/record_folder.ts";
import { inputState, localFiles } from "../run/watch/input_watcher.ts";
import type { ReadOptions } from "./run_options.ts";
import type { TrafficFolder } from "../run/traffic_folder.ts";

const NOTHING_RECORDED =
  "No requests were recorded. Track the client that the tests use, for example with collector.axios.trackClient(axios), where collector is from covtool/collect.";

/** Makes the reports of a run, once. Returns true if its thresholds are met. */
export type MakeReports = (folder: TrafficFolder) => Promise<boolean>;

/** Loads what reports need besides traffic. */
export async function prepareRun(
  { options, outputs, guard }: ReadOptions,
  host = runnerHost(),
): Promise<MakeReports> {
  const publish = await preparePublish(outputs, options, [], host, guard);
  const load = async () => {
    const maps = await loadMaps(options);
    await guard.check(maps.documentUrls());
    return maps;
  };
  const maps = await load();
  const files = localFiles(maps.documentUrls());
  const { text: state } = await inputState(files);
  return async (folder) => {
    // Tests may write the description anew, from the routes of their server for example.
    const isCurrent = (await inputState(files)).text === state;
    const measured = await recordFolder(folder, isCurrent ? maps : await load());
    return (await publish({ ...measured, nothingRecorded: NOTHING_RECORDED })).length === 0;
  };
}

export async function finishRun(
  folder: TrafficFolder,
  options: ReadOptions,
  makeReports?: MakeReports,
  host = runnerHost(),
): Promise<boolean> {
  try {
    return await (makeReports ?? await prepareRun(options, host))(folder);
  } catch (error) {
    const name = layoutFor(host, options.options.color).colors.red.bold("covtool:");
    await host.stderr.write(`${name} ${sanitizeMessage(errorSentences(error))}\n`);
    return false;
  }
}

/** Milliseconds that a write may take. After one that takes longer, writes are no longer awaited. */
const WRITE_TIMEOUT = 500;

/** The process of a test runner. Some runners replace methods of its streams, so that a write may never call back. */
export function runnerHost(): Host {
  const host = processHost();
  return { ...host, stdout: withTimeout(host.stdout), stderr: withTimeout(host.stderr) };
}

function withTimeout(stream: OutputStream): OutputStream {
  let isAnswered = true;
  return {
    isTerminal: stream.isTerminal,
    columns: stream.columns,
    async write(text) {
      const written = stream.write(text).then(() => true);
      if (!isAnswered) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), WRITE_TIMEOUT);
      });
      isAnswered = await Promise.race([written, late]);
      clearTimeout(timer);
    },
  };
}
