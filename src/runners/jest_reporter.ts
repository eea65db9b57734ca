import process from "node:process";
import type { RunOptions } from "./run_options.ts";
import type { TestRun } from "./test_run.ts";
import { UNTRACKED_VARIABLE } from "./set_up_vitest.ts";

const PLACE = "The options of covtool/jest in the configuration of Jest";

/** Options of the reporter: those of a run, and whether `fetch` is tracked automatically. */
export interface JestOptions extends RunOptions {
  /** Track the global `fetch` of the tests (default: true). */
  readonly trackFetch?: boolean | undefined;
}

/**
 * A reporter of Jest that makes coverage from what Jest's workers send: it tells them where to collect traffic, and
 * writes the reports when they are done. Jest creates a reporter for each run, in watch mode too.
 */
export class JestReporter {
  readonly #options: JestOptions;
  readonly #root: string;
  readonly #isWatching: boolean;
  #run: TestRun | undefined;
  #before: Readonly<Record<string, string | undefined>> = {};
  #error: Error | undefined;

  /**
   * Called by Jest.
   *
   * @param globalConfig Jest's own configuration: paths are relative to its root.
   * @param options The options in Jest's configuration.
   */
  constructor(
    globalConfig: {
      readonly rootDir: string;
      readonly watch?: boolean;
      readonly watchAll?: boolean;
    },
    options: JestOptions,
  ) {
    this.#root = globalConfig.rootDir;
    this.#isWatching = globalConfig.watch === true || globalConfig.watchAll === true;
    this.#options = options;
  }

  /** Begins a run. Called before workers start, because workers inherit the environment. */
  async onRunStart(): Promise<void> {
    // Setup files load this module too, and don't need the modules that make reports.
    const { beginRun } = await import("./test_run.ts");
    const { trackFetch = true, ...options } = this.#options ?? {};
    try {
      this.#run = await beginRun(options, PLACE, this.#root, this.#isWatching);
    } catch (error) {
      // After an error in a reporter, Jest's watch mode would run no more tests.
      if (!this.#isWatching) throw error;
      return void process.stderr.write(`${(error as Error).stack}\n`);
    }
    const variables = { ...this.#run.variables, [UNTRACKED_VARIABLE]: trackFetch ? "" : "fetch" };
    this.#before = Object.fromEntries(
      Object.keys(variables).map((name) => [name, process.env[name]]),
    );
    Object.assign(process.env, variables);
  }

  /** Makes the reports. Called when all tests are done, before Jest prints its own summary. */
  async onRunComplete(): Promise<void> {
    if (this.#run === undefined) return;
    for (const [name, value] of Object.entries(this.#before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    if (!await this.#run.finish()) this.#error = new Error("covtool failed the run.");
    this.#run.close();
    this.#run = undefined;
  }

  /** The reason why the run fails, if it does. Jest then exits with 1. */
  getLastError(): Error | undefined {
    return this.#error;
  }
}
