import { type ReadOptions, readRunOptions, type RunOptions } from "./run_options.ts";
import { TRAFFIC_VARIABLE, TrafficFolder } from "../run/traffic_folder.ts";

/**
 * One run of tests, seen from the process that starts the others: it makes the folder in which they collect, and the
 * reports in the end.
 */
export class TestRun {
  /** The folder in which the processes of the run record traffic. */
  readonly folder: TrafficFolder;
  readonly #options: ReadOptions;

  /**
   * Begins a run.
   *
   * @param place The source of the options in error messages.
   * @param folder The folder for recorded traffic (default: a new one).
   * @param root The folder that paths in the options are relative to (default: the working directory).
   * @throws {Error} with a sentence where an option is of no use, or no folder can be made.
   */
  constructor(options: RunOptions, place: string, folder?: TrafficFolder, root?: string) {
    this.#options = readRunOptions(options, place, root);
    this.folder = folder ?? TrafficFolder.create();
    if (!this.#options.responseBodies) this.folder.leaveOutResponseBodies();
  }

  /** The environment variables that the test processes need. */
  get variables(): Readonly<Record<string, string>> {
    return { [TRAFFIC_VARIABLE]: this.folder.path };
  }

  /**
   * Merges what was collected, prints the text report, writes the others, and empties the folder, so that the next run
   * begins anew.
   *
   * @param isKept Whether what was collected stays, for a run of some of the tests to add to.
   * @returns true if the thresholds are met; false too if something went wrong, which is then printed in a sentence.
   */
  async finish(isKept = false): Promise<boolean> {
    // The processes of tests may load this module too, and need nothing of what reports are made with.
    const { finishRun } = await import("./finish_run.ts");
    const { runnerHost } = await import("./runner_host.ts");
    try {
      return await finishRun(this.folder, this.#options, runnerHost());
    } finally {
      if (!isKept) this.folder.clear();
    }
  }

  /** Ends the run: the folder goes. */
  close(): void {
    this.folder.remove();
  }
}
