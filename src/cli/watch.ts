import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Ansis } from "ansis";
import type { Report } from "../report/report.ts";
import { withoutCommands } from "../report/text/without_commands.ts";
import { errorSentences } from "../run/error_sentences.ts";
import { exitAfterCommand, sayExit, type Unmet } from "../run/exit_line.ts";
import type { Host } from "../run/host.ts";
import type { MeasuredMap } from "../run/load_apis.ts";
import { pageOf, type PageOptions } from "../run/page_of.ts";
import { saidText } from "../run/said_text.ts";
import { isColored } from "../run/terminal.ts";
import { InputWatcher } from "../run/watch/input_watcher.ts";
import { serveLivePage } from "./live_page.ts";
import { untilInterrupted } from "./end_signals.ts";

/** Milliseconds between two looks for a new report to show. */
const PAGE_LOOKS = 50;

/** The parts of one measurement of a session. */
export interface Round {
  /** Files, folders and patterns that it reads: a change in them makes the next round. */
  readonly inputs: readonly string[];
  /** Files that it writes, which may lie in watched folders. */
  readonly outputs: readonly (string | undefined)[];
  /** Measures and writes the reports; `since` has the report of the last round, or those of several APIs. */
  measure(since: readonly Report[] | undefined): Promise<RoundResult>;
}

/** The result of a measurement. */
export interface RoundResult {
  readonly map: MeasuredMap;
  /** The report, or those of several APIs. */
  readonly reports: readonly Report[];
  /** Requirements that are not met. */
  readonly unmet: Unmet;
}

/** Options of a session. */
export interface WatchOptions extends PageOptions {
  /** Uses colours; undefined lets environment and terminal decide. */
  readonly color: boolean | undefined;
  /** Resolves when the session is to end (default: on Ctrl+C). */
  readonly until?: Promise<unknown> | undefined;
  /** Measures what was added since the last round when the session ends (default: false). */
  readonly hasLastRound?: boolean | undefined;
  /** The exit code of the command whose traffic is measured. */
  readonly commandCode?: (() => number) | undefined;
  /** Is called after each round, also one that failed. */
  readonly onRound?: ((result: RoundResult | undefined) => void) | undefined;
}

/**
 * Measures, and again whenever an input changes, until Ctrl+C. A page on this machine shows the last report.
 *
 * @param prepare Reads the settings, which may have changed too.
 * @param first Inputs to watch where not even the settings can be read.
 * @returns the exit code of the last round.
 */
export async function watch(
  prepare: () => Promise<Round> | Round,
  first: readonly string[],
  options: WatchOptions,
  host: Host,
): Promise<number> {
  const { until = untilInterrupted() } = options;
  let isOver = false;
  const over = until.then(() => {
    isOver = true;
  });
  const watcher = new InputWatcher();
  const session = new WatchSession(prepare, first, watcher, host, options);
  const page = await serveLivePage({
    report: () => session.page(),
    version: () => session.rounds,
    subject: "covtool",
    lookEvery: PAGE_LOOKS,
    share: 1,
  });
  try {
    await session.round();
    await session.say(`\nWatching for changes. Press Ctrl+C to stop.\nLive report: ${page.url}`);
    while (!isOver) {
      await Promise.race([watcher.changed(), over]);
      if (!isOver || options.hasLastRound === true) await session.round();
    }
  } finally {
    watcher.close();
    page.close();
  }
  return await session.end();
}

/** The rounds of a session. */
class WatchSession {
  readonly #prepare: () => Promise<Round> | Round;
  readonly #watcher: InputWatcher;
  readonly #host: Host;
  readonly #options: WatchOptions;
  #inputs: readonly string[];
  #outputs: readonly string[] = [];
  #last: RoundResult | undefined;
  #hasFailed = false;
  /** The number of rounds with a result. */
  rounds = 0;

  constructor(
    prepare: () => Promise<Round> | Round,
    inputs: readonly string[],
    watcher: InputWatcher,
    host: Host,
    options: WatchOptions,
  ) {
    this.#prepare = prepare;
    this.#inputs = inputs;
    this.#watcher = watcher;
    this.#host = host;
    this.#options = options;
  }

  /** Measures; errors are printed, and may be fixed before the next round. */
  async round(): Promise<void> {
    let result: RoundResult | undefined;
    try {
      await this.#watcher.begin(this.#inputs, this.#outputs);
      const { inputs, outputs, measure } = await this.#prepare();
      this.#inputs = inputs;
      this.#outputs = outputs.flatMap((path) => path === undefined ? [] : [resolve(path)]);
      await this.#watcher.add(inputs, this.#outputs);
      result = await measure(this.#last?.reports);
      this.#last = result;
      this.rounds++;
      // What the description refers to is known only now.
      this.#inputs = [...inputs, ...documentPaths(result.map)];
      await this.#watcher.add(this.#inputs, this.#outputs);
    } catch (error) {
      await this.#sayError(error);
    }
    this.#hasFailed = result === undefined;
    this.#options.onRound?.(result);
  }

  /** The last report as a page. */
  page(): string {
    return this.#last === undefined ? NOTHING_YET : pageOf(this.#last.map, this.#options);
  }

  async say(text: string): Promise<void> {
    await this.#host.stderr.write(withoutCommands(text) + "\n");
  }

  /** Gives the exit code of the last round. */
  async end(): Promise<number> {
    const code = this.#options.commandCode?.() ?? 0;
    if (this.#hasFailed && code === 0) return await sayExit(1, "error", this.#host);
    return await exitAfterCommand(code, this.#last?.unmet ?? [], this.#host);
  }

  async #sayError(error: unknown): Promise<void> {
    const { variables, stderr } = this.#host;
    const colors = new Ansis(isColored(this.#options.color, variables, stderr) ? 1 : 0);
    await this.say(`\n${colors.red.bold("Error:")} ${saidText(errorSentences(error))}`);
  }
}

const NOTHING_YET = "<!doctype html><title>covtool</title><p>There is no report yet.</p>";

/** The files of a description; those on the web cannot be watched. */
function documentPaths(map: MeasuredMap): string[] {
  return map.documentUrls().flatMap((url) =>
    /^https?:/i.test(url) ? [] : [/^file:/i.test(url) ? fileURLToPath(url) : url]
  );
}
