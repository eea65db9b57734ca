import process from "node:process";
import type { RunOptions } from "./run_options.ts";
import type { TestRun } from "./test_run.ts";
import { TRAFFIC_VARIABLE, TrafficFolder } from "../run/traffic_folder.ts";

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
  readonly #folder: TrafficFolder | undefined;
  readonly #run: Promise<TestRun | undefined> | undefined;

  /**
   * Called by Playwright. Workers inherit the environment, so it has to be complete when the constructor returns.
   *
   * @param options The options in Playwright's configuration.
   */
  constructor(options: RunOptions & Added) {
    const { _mode: mode } = options;
    // A run that only lists tests or merges reports sends no requests.
    if (mode === "list" || mode === "merge") return;
    const own = Object.entries(options).filter(([name]) =>
      !name.startsWith("_") && name !== "configDir"
    );
    this.#folder = TrafficFolder.create();
    process.env[TRAFFIC_VARIABLE] = this.#folder.path;
    this.#run = begin(Object.fromEntries(own) as RunOptions, this.#folder, options.configDir);
  }

  /** Makes the reports. Called when all tests are done. */
  async onEnd(): Promise<{ readonly status: "failed" } | undefined> {
    if (this.#run === undefined || this.#folder === undefined) return undefined;
    const run = await this.#run;
    const isGood = await run?.finish() ?? false;
    run?.close();
    this.#folder.remove();
    if (isGood) return undefined;
    // Playwright before 1.38 ignores the status and exits with its own code.
    process.once("exit", () => process.exitCode ||= 1);
    return { status: "failed" };
  }

  /** Returns false: Playwright then prints test results itself, unless another reporter does. */
  printsToStdio(): boolean {
    return false;
  }
}

/** Workers load this module too, and don't need the modules that make reports. */
async function begin(
  options: RunOptions,
  folder: TrafficFolder,
  root: string | undefined,
): Promise<TestRun | undefined> {
  const { beginRun } = await import("./begin_run.ts");
  return await beginRun(options, PLACE, folder, root);
}
