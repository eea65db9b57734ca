import process from "node:process";
import type { Report } from "../report/report.ts";
import type { Host } from "../run/host.ts";
import { loadMaps } from "../run/load_apis.ts";
import { chooseOutputs } from "../run/outputs.ts";
import { preparePublish } from "../run/publish.ts";
import { recordFolder } from "../run/record_folder.ts";
import { TRAFFIC_VARIABLE, TrafficFolder } from "../run/traffic_folder.ts";
import { type Child, runChild } from "./run_child.ts";
import { onEndSignals } from "./end_signals.ts";
import type { RunCommandOptions } from "./run_command_options.ts";
import { type Round, watch, type WatchOptions } from "./watch.ts";

/**
 * `covtool run --watch`: runs the command once, such as a test runner that watches itself, and measures whenever its
 * tests have sent something, or the description or the config file changes. Ends on Ctrl+C.
 *
 * @param configure Reads the options, which the config file may change.
 * @param settings The config file.
 * @param session How it ends, if not on Ctrl+C.
 * @returns the command's exit code, else that of the last measurement.
 * @throws {CommandError} where the options are wrong from the start.
 */
export async function watchRun(
  configure: () => RunCommandOptions,
  settings: readonly string[],
  host: Host,
  session: Pick<WatchOptions, "until" | "onRound"> = {},
): Promise<number> {
  const { command, color, title, suggestions, responseBodies } = configure();
  const folder = TrafficFolder.create();
  if (responseBodies === false) folder.leaveOutResponseBodies();
  const said = new Set<string>();
  const remove = (): void => folder.remove();
  process.once("exit", remove);
  let stop = (): void => {};
  let child: Child | undefined;
  try {
    let code = 0;
    let hasEnded = false;
    let signals = 0;
    const interrupted = new Promise<void>((resolve) => {
      // Before the command starts: whoever sees that it runs may end it at once.
      stop = onEndSignals((signal) => {
        if (hasEnded) resolve();
        else if (++signals > 1) child?.signal("SIGKILL");
        // Ctrl+C reaches the command by itself, since it has the same terminal.
        else if (signal === "SIGTERM") child?.signal(signal);
      });
    });
    child = runChild(command, { [TRAFFIC_VARIABLE]: folder.path });
    const { ended: finished } = child;
    const ended = finished.then((own) => {
      code = own;
      hasEnded = true;
    });
    const notStarted = new Promise<unknown>((resolve) => ended.catch(resolve));
    const until = session.until ??
      Promise.race([
        interrupted,
        finished.then(() => signals > 0 ? undefined : interrupted, () => {}),
      ]);
    const watched = watch(
      () => roundOf(configure(), settings, folder, said, host),
      settings,
      {
        ...session,
        color,
        title,
        suggestions,
        until: Promise.race([notStarted, finished.then(() => until, () => {})]),
        hasLastRound: true,
        commandCode: () => code,
      },
      host,
    );
    return (await Promise.all([watched, ended]))[0]; // which says why it was not started
  } finally {
    stop();
    process.off("exit", remove);
    remove();
  }
}

function roundOf(
  options: RunCommandOptions,
  settings: readonly string[],
  folder: TrafficFolder,
  said: Set<string>,
  host: Host,
): Round {
  const { apis = [options] } = options;
  const outputs = chooseOutputs(options.formats, options.output);
  return {
    inputs: [
      ...settings,
      folder.path,
      ...apis.flatMap(({ schema, baseline }) => [
        ...(/^https?:/i.test(schema) ? [] : [schema]),
        ...(baseline === undefined ? [] : [baseline]),
      ]),
    ],
    outputs: outputs.map(({ path }) => path),
    measure: async (since) => {
      const publish = await preparePublish(outputs, options, [], host);
      const measured = await recordFolder(folder, await loadMaps(options));
      let reports: readonly Report[] = [];
      const onReports = (made: readonly Report[]): void => {
        reports = made;
      };
      const nothingRecorded = "No traffic has been recorded yet.";
      const unmet = await publish({ ...measured, since, said, onReports, nothingRecorded });
      return { map: measured.map, reports, unmet };
    },
  };
}
