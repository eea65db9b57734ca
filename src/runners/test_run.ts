import { type ReadOptions, readRunOptions, type RunOptions } from "./run_options.ts";
import { TRAFFIC_VARIABLE, TrafficFolder } from "../run/traffic_folder.ts";

/**
 * One run of tests, in the process that starts the test processes. Makes the folder in which they record traffic, and
 * the reports at the end.
 */
export class TestRun {
  /** The folder in which the processes of the run record traffic. */
  readonly folder: TrafficFolder;
  readonly #options: ReadOptions;

  /**
   * Begins a run.
   *
   * @param place Where the options come from, for error messages.
   * @param folder The folder for recorded traffic (default: a new one).
   * @param root The folder that paths in the options are relative to (default: the working directory).
   * @throws {Error} with a full sentence if an option is unusable or the folder can't be created.
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
   * Merges the collected traffic, prints the text report, writes the other reports, and empties the folder for the next
   * run.
   *
   * @param isKept Keeps the collected traffic, so that a later run of some tests adds to it.
   * @returns true if the thresholds are met; false if they aren't or if an error occurred, which is printed.
   */
  async finish(isKept = false): Promise<boolean> {
    // Test processes may load this module too, and don't need the modules that make reports.
    const { finishRun } = await import("./finish_run.ts");
    const { runnerHost } = await import("./runner_host.ts");
    try {
      return await finishRun(this.folder, this.#options, runnerHost());
    } finally {
      if (!isKept) this.folder.clear();
    }
  }

  /** Ends the run and removes the folder. */
  close(): void {
    this.folder.remove();
  }
}
