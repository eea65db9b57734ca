import { errorSentences, sanitizeMessage } from "../run/error_sentences.ts";
import type { MakeReports } from "./finish_run.ts";
import { type ReadOptions, readRunOptions, type RunOptions } from "./run_options.ts";
import { outerRunFolder, TRAFFIC_VARIABLE, TrafficFolder } from "../run/traffic_folder.ts";

/**
 * One run of tests, in the process that starts the test processes. Makes the folder in which they record traffic, and
 * the reports at the end. Inside `covtool run` and `covtool mutate`, tests record for that command, and this run reports nothing.
 */
export class TestRun {
  /** The folder in which the processes of the run record traffic. */
  readonly folder: TrafficFolder;
  /** Undefined inside another run, which makes the reports. */
  readonly #options: ReadOptions | undefined;
  #makeReports: MakeReports | undefined;

  /**
   * Begins a run.
   *
   * @param place Where the options come from, for error messages.
   * @param folder The folder for recorded traffic (default: a new one).
   * @param root The folder that paths in the options are relative to (default: the working directory).
   * @throws {Error} with a full sentence if an option is unusable or the folder can't be created.
   */
  constructor(options: RunOptions, place: string, folder?: TrafficFolder, root?: string) {
    const outer = outerRunFolder();
    this.#options = outer === undefined ? readRunOptions(options, place, root) : undefined;
    this.folder = outer === undefined ? folder ?? TrafficFolder.create() : new TrafficFolder(outer);
    if (this.#options?.responseBodies === false) this.folder.leaveOutResponseBodies();
  }

  /** The environment variables that the test processes need. */
  get variables(): Readonly<Record<string, string>> {
    return { [TRAFFIC_VARIABLE]: this.folder.path };
  }

  /**
   * Loads the description before the tests run, so that a mistake in it is an error at once. One at a URL is loaded
   * when the reports are made, as the tests may start the server that has it.
   *
   * @throws {Error} with a full sentence if the description or the baseline can't be loaded.
   */
  async prepare(): Promise<void> {
    if (this.#options === undefined) return;
    const { apis = [this.#options.options] } = this.#options.options;
    if (apis.some(({ schema }) => /^https?:/i.test(schema))) return;
    const { prepareRun } = await import("./finish_run.ts");
    this.#makeReports = await prepareRun(this.#options);
  }

  /**
   * Merges the collected traffic, prints the text report, writes the other reports, and empties the folder for the next
   * run.
   *
   * @param isKept Keeps the collected traffic, so that a later run of some tests adds to it.
   * @returns true if the thresholds are met; false if they aren't or if an error occurred, which is printed.
   */
  async finish(isKept = false): Promise<boolean> {
    if (this.#options === undefined) return true;
    // Test processes may load this module too, and don't need the modules that make reports.
    const { finishRun } = await import("./finish_run.ts");
    const makeReports = this.#makeReports;
    this.#makeReports = undefined; // later runs may read another version of the description
    try {
      return await finishRun(this.folder, this.#options, makeReports);
    } finally {
      if (!isKept) this.folder.clear();
    }
  }

  /** Ends the run and removes the folder. */
  close(): void {
    if (this.#options !== undefined) this.folder.remove();
  }
}

/**
 * Begins a run before the first test.
 *
 * @param isWatching In watch mode, a description that can't be loaded is an error of each report until it is mended.
 * @throws {Error} with a full sentence and no stack trace, as runners print it.
 */
export async function beginRun(
  options: RunOptions,
  place: string,
  root: string | undefined,
  isWatching: boolean,
  folder?: TrafficFolder,
): Promise<TestRun> {
  try {
    const run = new TestRun(options, place, folder, root);
    if (!isWatching) await run.prepare();
    return run;
  } catch (error) {
    throw sentenceError(sanitizeMessage(errorSentences(error)));
  }
}

/** Makes an error without a stack trace: runners print it, and the place in covtool doesn't help users. */
export function sentenceError(message: string): Error {
  const error = new Error(message);
  error.name = "covtool";
  error.stack = `covtool: ${message}`;
  return error;
}
