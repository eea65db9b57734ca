import type { Host } from "../run/host.ts";
import { loadMaps } from "../run/load_apis.ts";
import { recordFolder } from "../run/record_folder.ts";
import { TRAFFIC_VARIABLE, TrafficFolder } from "../run/traffic_folder.ts";
import { type Child, runChild } from "./run_child.ts";
import { onEndSignals } from "./end_signals.ts";
import type { Configured } from "./command_groups.ts";
import { watch, type WatchOptions } from "./watch.ts";

/** `covtool run --watch`: runs the command once, and measures whenever its tests have sent something or settings change. */
export async function watchRun(
  configure: () => Configured<"run">,
  settings: readonly string[],
  host: Host,
  session: Pick<WatchOptions, "until" | "onRound"> = {},
): Promise<number> {
  const { command, color, title, suggestions, responseBodies } = configure();
  const folder = TrafficFolder.create();
  if (responseBodies === false) folder.leaveOutResponseBodies();
  let stop = (): void => {};
  let child: Child | undefined;
  try {
    let code = 0;
    let hasEnded = false;
    let signals = 0;
    const interrupted = new Promise<void>((resolve) => {
      // Before the command starts: whoever sees that it runs may end it at once.
      stop = onEndSignals((signal) => {
        if (hasEnded) {
          stop(); // the next one ends the program, whatever it is doing
          resolve();
        } else if (++signals > 1) child?.signal("SIGKILL");
        // Ctrl+C reaches the command by itself, since it has the same terminal.
        else if (signal === "SIGTERM") child?.signal(signal);
      });
    });
    child = runChild(command, { [TRAFFIC_VARIABLE]: folder.path });
    const { ended: finished } = child;
    const ended = finished.then((own) => {
      code = own;
      hasEnded = true;
      if (signals > 0) stop();
    });
    const notStarted = new Promise<unknown>((resolve) => ended.catch(resolve));
    const until = session.until ??
      Promise.race([
        interrupted,
        finished.then(() => signals > 0 ? undefined : interrupted, () => {}),
      ]);
    const watched = watch(
      () => {
        const options = configure();
        const measure = async () => ({
          ...await recordFolder(folder, await loadMaps(options)),
          nothingRecorded: "No traffic has been recorded yet.",
        });
        return { options, traffic: [], watched: [folder.path], measure };
      },
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
    folder.remove();
  }
}
