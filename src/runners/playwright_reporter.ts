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
 * A reporter of Playwright Test that makes coverage of what its workers send: it tells them where to collect, and makes
 * the reports when they are done.
 */
export class PlaywrightReporter {
  readonly #folder: TrafficFolder | undefined;
  readonly #run: Promise<TestRun | undefined> | undefined;

  /**
   * As Playwright calls it. Workers take over the environment, so all that they need is there when this returns.
   *
   * @param options The options in Playwright's configuration.
   */
  constructor(options: RunOptions & Added) {
    const { _mode: mode } = options;
    // Tests that are only listed, or reports that are only put together, send nothing.
    if (mode === "list" || mode === "merge") return;
    const own = Object.entries(options).filter(([name]) =>
      !name.startsWith("_") && name !== "configDir"
    );
    this.#folder = TrafficFolder.create();
    process.env[TRAFFIC_VARIABLE] = this.#folder.path;
    this.#run = begin(Object.fromEntries(own) as RunOptions, this.#folder, options.configDir);
  }

  /** Makes the reports: called when all tests are done. */
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

  /** Lets Playwright print test results unless another reporter does, since this one doesn't. */
  printsToStdio(): boolean {
    return false;
  }
}

/** Workers load this module too, and need nothing of what reports are made with. */
async function begin(
  options: RunOptions,
  folder: TrafficFolder,
  root: string | undefined,
): Promise<TestRun | undefined> {
  const { beginRun } = await import("./begin_run.ts");
  return await beginRun(options, PLACE, folder, root);
}
