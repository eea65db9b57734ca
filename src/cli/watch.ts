import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ApiMaps } from "../coverage_map/api_maps.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import type { Report } from "../report/report.ts";
import { withoutCommands } from "../report/text/plain_text.ts";
import { CommandError } from "../run/command_error.ts";
import { errorSentences, sanitizeMessage } from "../run/error_sentences.ts";
import { exitAfterCommand, printExitReason, type Unmet } from "../run/exit_code.ts";
import { type Host, layoutFor } from "../run/host.ts";
import { measure } from "../run/measure.ts";
import { chooseOutputs } from "../run/outputs.ts";
import { type PageOptions, writePage } from "../run/write_page.ts";
import { preparePublish, type Published } from "../run/publish.ts";
import type { PublishOptions } from "../run/publish_options.ts";
import { InputWatcher } from "../run/watch/input_watcher.ts";
import type { Given } from "./command_groups.ts";
import { configPath, configuredReport } from "./configured.ts";
import { untilInterrupted } from "./end_signals.ts";
import { serveLivePage } from "./live_page.ts";

/** Milliseconds between two looks for a new report to show. */
const PAGE_LOOKS = 50;

export interface Round {
  /** Files, folders and patterns that it reads: a change in them makes the next round. */
  readonly inputs: readonly string[];
  /** Files that it writes, which may lie in watched folders. */
  readonly outputs: readonly (string | undefined)[];
  measure(since: readonly Report[] | undefined): Promise<RoundResult>;
}

export interface RoundResult {
  readonly map: ApiMaps;
  readonly reports: readonly Report[];
  readonly unmet: Unmet;
}

export interface WatchOptions extends PageOptions {
  /** Uses colours; undefined lets environment and terminal decide. */
  readonly color: boolean | undefined;
  /** Resolves when the session is to end (default: on Ctrl+C). */
  readonly until?: Promise<unknown> | undefined;
  /** Measures what was added since the last round when the session ends (default: false). */
  readonly hasLastRound?: boolean | undefined;
  readonly commandCode?: (() => number) | undefined;
  /** Is called after each round, also one that failed. */
  readonly onRound?: ((result: RoundResult | undefined) => void) | undefined;
}

/** Measures, and again whenever an input changes, until Ctrl+C. A page on this machine shows the last report. */
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

class WatchSession {
  readonly #prepare: () => Promise<Round> | Round;
  readonly #watcher: InputWatcher;
  readonly #host: Host;
  readonly #options: WatchOptions;
  #inputs: readonly string[];
  #outputs: readonly string[] = [];
  #last: RoundResult | undefined;
  #hasFailed = false;
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

  page(): string {
    return this.#last === undefined ? NOTHING_YET : writePage(this.#last.map, this.#options);
  }

  async say(text: string): Promise<void> {
    await this.#host.stderr.write(withoutCommands(text) + "\n");
  }

  async end(): Promise<number> {
    const code = this.#options.commandCode?.() ?? 0;
    if (this.#hasFailed && code === 0) return await printExitReason(1, "error", this.#host);
    return await exitAfterCommand(code, this.#last?.unmet ?? [], this.#host);
  }

  async #sayError(error: unknown): Promise<void> {
    const { colors } = layoutFor(this.#host, this.#options.color);
    await this.say(`\n${colors.red.bold("Error:")} ${sanitizeMessage(errorSentences(error))}`);
  }
}

const NOTHING_YET = "<!doctype html><title>covtool</title><p>There is no report yet.</p>";

/** The files of a description; those on the web cannot be watched. */
function documentPaths(map: ApiMaps): string[] {
  return map.documentUrls().flatMap((url) =>
    /^https?:/i.test(url) ? [] : [/^file:/i.test(url) ? fileURLToPath(url) : url]
  );
}

/** `covtool report --watch`: measures whenever a recording, the description or the config file changes. */
export async function watchReport(
  given: Given<"report">,
  host: Host,
  session: Pick<WatchOptions, "until" | "onRound"> = {},
): Promise<number> {
  const { traffic, color, title, suggestions } = configuredReport("report", given);
  if (traffic.includes(STANDARD_INPUT)) {
    throw new CommandError(
      "Standard input can only be read once, so it can't be watched. Name files, folders or patterns.",
    );
  }
  const config = configPath(given);
  const settings = config === undefined ? [] : [config];
  const said = new Set<string>();
  return await watch(
    () => {
      const options = configuredReport("report", given);
      const traffic = [...options.traffic, ...options.env];
      return makeRound(
        options,
        { settings, traffic, said, measure: () => measure(options, host) },
        host,
      );
    },
    settings,
    { ...session, color, title, suggestions },
    host,
  );
}

interface RoundSource {
  readonly settings: readonly string[];
  /** Recordings and what they need, which reports must not overwrite. */
  readonly traffic: readonly string[];
  /** Where traffic shows up (default: the recordings). */
  readonly watched?: readonly string[];
  /** The warnings of the last round, which are not repeated. */
  readonly said: Set<string>;
  measure(): Promise<Published>;
}

export function makeRound(
  options: PublishOptions,
  { settings, traffic, watched = traffic, said, measure }: RoundSource,
  host: Host,
): Round {
  const { apis = [options] } = options;
  const outputs = chooseOutputs(options.formats, options.output);
  return {
    inputs: [
      ...[...settings, ...apis.map(({ schema }) => schema), ...watched].filter(isFile),
      ...apis.flatMap(({ baseline }) => baseline ?? []),
    ],
    outputs: outputs.map(({ path }) => path),
    measure: async (since) => {
      const publish = await preparePublish(outputs, options, traffic, host);
      const measured = await measure();
      let reports: readonly Report[] = [];
      const onReports = (made: readonly Report[]): void => {
        reports = made;
      };
      const unmet = await publish({ ...measured, since, said, onReports });
      return { map: measured.map, reports, unmet };
    },
  };
}

function isFile(location: string): boolean {
  return !/^https?:/i.test(location);
}
