import process from "node:process";
import type { RunOptions } from "./run_options.ts";
import type { TestRun } from "./test_run.ts";
import { outerRunFolder, TRAFFIC_VARIABLE, TrafficFolder } from "../run/traffic_folder.ts";

const PLACE = "The options of covtool/playwright in the configuration of Playwright";

interface Added {
  readonly configDir?: string;
  readonly _mode?: string;
}

/**
 * A reporter of Playwright Test that makes coverage from what Playwright's workers send: it tells them where to collect
 * traffic, and writes the reports when they are done.
 */
export class PlaywrightReporter {
  readonly #options: RunOptions & Added;
  readonly #folder: TrafficFolder | undefined;
  #run: Promise<TestRun | undefined> | undefined;

  /**
   * Called by Playwright. Workers inherit the environment, so it has to be complete when the constructor returns.
   *
   * @param options The options in Playwright's configuration.
   */
  constructor(options: RunOptions & Added) {
    this.#options = options;
    const { _mode: mode } = options;
    // A run that only lists tests or merges reports sends no requests.
    if (mode === "list" || mode === "merge" || outerRunFolder() !== undefined) return;
    this.#folder = TrafficFolder.create();
    process.env[TRAFFIC_VARIABLE] = this.#folder.path;
    // Loaded by now, it is ready before the first worker.
    void import("./test_run.ts");
  }

  /** Begins the run. Called before the tests, and awaited, by versions of Playwright that have this method. */
  async preprocess(): Promise<void> {
    await (this.#run ??= this.#begin());
  }

  /** Begins the run in other versions: they don't wait for a reporter, but end the tests as Ctrl+C does. */
  onBegin(): void {
    this.#run ??= this.#begin().catch((error: Error) => {
      process.stderr.write(`${error.stack}\n`);
      // In UI mode, the signal would end Playwright, and no later run could do better.
      if (!process.argv.some((arg) => /^(?:--ui|test-server)/.test(arg))) process.emit("SIGINT");
      return undefined;
    });
  }

  /** Makes the reports. Called when all tests are done. */
  async onEnd(): Promise<{ readonly status: "failed" } | undefined> {
    if (this.#folder === undefined) return undefined;
    const run = await this.#run?.catch(() => undefined);
    const isGood = await run?.finish() ?? false;
    run?.close();
    this.#folder.remove();
    if (isGood) return undefined;
    // Playwright before 1.38 ignores the status and exits with its own code.
    process.once("exit", () => process.exitCode = 1);
    return { status: "failed" };
  }

  /** Returns false: Playwright then prints test results itself, unless another reporter does. */
  printsToStdio(): boolean {
    return false;
  }

  async #begin(): Promise<TestRun | undefined> {
    if (this.#folder === undefined) return undefined;
    // Workers load this module too, and don't need the modules that make reports.
    const { beginRun } = await import("./test_run.ts");
    const own = Object.entries(this.#options).filter(([name]) =>
      !name.startsWith("_") && name !== "configDir"
    );
    const options: RunOptions = Object.fromEntries(own);
    return await beginRun(options, PLACE, this.#options.configDir, false, this.#folder);
  }
}
