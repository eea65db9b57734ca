import type { Host } from "../run/host.ts";
import { loadMaps } from "../run/load_apis.ts";
import { recordFolder } from "../run/record_folder.ts";
import { outerRunFolder, TRAFFIC_VARIABLE, TrafficFolder } from "../run/traffic_folder.ts";
import { untilInterrupted } from "./end_signals.ts";
import { runChildToEnd } from "./run_child.ts";
import type { Configured } from "./command_groups.ts";
import { watch, type WatchOptions } from "./watch.ts";

/** `covtool run --watch`: runs the command once, and measures whenever tests send requests or settings change. */
export async function watchRun(
  configure: () => Promise<Configured<"run">>,
  settings: readonly string[],
  host: Host,
  session: Pick<WatchOptions, "until" | "onRound"> = {},
): Promise<number> {
  const { command, color, title, suggestions, responseBodies } = await configure();
  if (outerRunFolder() !== undefined) return await runChildToEnd(command, {});
  const folder = TrafficFolder.create();
  if (responseBodies === false) folder.leaveOutResponseBodies();
  try {
    let code = 0;
    let isInterrupted = false;
    const variables = { [TRAFFIC_VARIABLE]: folder.path };
    const finished = runChildToEnd(command, variables, () => void (isInterrupted = true));
    const ended = finished.then((exitCode) => void (code = exitCode));
    const until = finished.then(
      () => session.until ?? (isInterrupted ? undefined : untilInterrupted()),
      () => {},
    );
    const watched = watch(
      async () => {
        const options = await configure();
        const measure = async () => ({
          ...await recordFolder(folder, await loadMaps(options)),
          nothingRecorded: "No traffic has been recorded yet.",
        });
        return { options, traffic: [], watched: [folder.path], measure };
      },
      settings,
      { ...session, color, title, suggestions, until, hasLastRound: true, commandCode: () => code },
      host,
    );
    return (await Promise.all([watched, ended]))[0]; // `ended` rejects with the reason if the command can't be started
  } finally {
    folder.remove();
  }
}
