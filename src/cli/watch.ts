import { resolve } from "node:path";
import type { ApiMaps } from "../coverage_map/api_maps.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import type { Report } from "../report/report.ts";
import { withoutCommands } from "../report/text/plain_text.ts";
import { usageError } from "../run/command_error.ts";
import { errorSentences, sanitizeMessage } from "../run/error_sentences.ts";
import { exitAfterCommand, type Failures, printExitReason } from "../run/exit_code.ts";
import { type Host, layoutFor } from "../run/host.ts";
import { loadMaps } from "../run/load_apis.ts";
import { chooseOutputs } from "../run/outputs.ts";
import { preparePublish, type PublishedMeasurement } from "../run/publish.ts";
import type { PublishOptions } from "../run/publish_options.ts";
import { recordFolder } from "../run/record_folder.ts";
import { outerRunFolder, TRAFFIC_VARIABLE, TrafficFolder } from "../run/traffic_folder.ts";
import { InputWatcher, localFiles } from "../run/watch/input_watcher.ts";
import type { Configured, Given } from "./command_groups.ts";
import { configPath, configureReport } from "./configured.ts";
import { untilInterrupted } from "./end_signals.ts";
import { type PageOptions, serveLivePage, writePage } from "./live_page.ts";
import { measureReport } from "./report.ts";
import { runChildToEnd } from "./run_child.ts";

/** Milliseconds between the live page's checks for a new report. */
const PAGE_LOOKS = 50;

/** One measurement, with the current settings of the config file. */
export interface Round {
  readonly options: PublishOptions;
  /** Recordings and the files that they depend on. Reports must not overwrite them. */
  readonly traffic: readonly string[];
  /** The paths to watch for new traffic (default: the recordings). */
  readonly watched?: readonly string[];
  measure(): Promise<PublishedMeasurement>;
}

export interface RoundResult {
  readonly map: ApiMaps;
  readonly reports: readonly Report[];
  readonly unmet: Failures;
}

export interface WatchOptions extends PageOptions {
  /** Undefined if the environment and the terminal decide. */
  readonly color: boolean | undefined;
  /** Ends the session when it resolves (default: on Ctrl+C). */
  readonly until?: Promise<unknown> | undefined;
  /** Measures once more at the end of the session (default: false). */
  readonly hasLastRound?: boolean | undefined;
  readonly commandCode?: (() => number) | undefined;
  /** Called after each round. The result is undefined if the round failed. */
  readonly onRound?: ((result: RoundResult | undefined) => void) | undefined;
}

/** Measures now and whenever an input or a config file changes, until Ctrl+C. Serves the latest report as a page. */
export async function watch(
  prepare: () => Promise<Round>,
  settings: readonly string[],
  options: WatchOptions,
  host: Host,
): Promise<number> {
  const { until = untilInterrupted() } = options;
  let isOver = false;
  const over = until.then(() => void (isOver = true));
  const session = new WatchSession(prepare, settings, options, host);
  const page = await serveLivePage({
    report: () => session.page(),
    version: () => session.rounds,
    subject: "covtool",
    lookEvery: PAGE_LOOKS,
    share: 1,
  });
  try {
    await session.runRound();
    await say(`\nWatching for changes. Press Ctrl+C to stop.\nLive report: ${page.url}`, host);
    while (!isOver) {
      await Promise.race([session.watcher.waitForChange(), over]);
      if (!isOver) await session.runRound();
    }
    if (options.hasLastRound === true) await session.runRound();
  } finally {
    session.watcher.close();
    page.close();
  }
  return await session.end();
}

class WatchSession {
  readonly watcher = new InputWatcher();
  readonly #prepare: () => Promise<Round>;
  readonly #settings: readonly string[];
  readonly #options: WatchOptions;
  readonly #host: Host;
  /** Warnings that were already printed and aren't repeated. */
  readonly #said = new Set<string>();
  #inputs: readonly string[];
  #outputs: readonly string[] = [];
  #last: RoundResult | undefined;
  #rounds = 0;
  #hasFailed = false;

  constructor(
    prepare: () => Promise<Round>,
    settings: readonly string[],
    options: WatchOptions,
    host: Host,
  ) {
    this.#prepare = prepare;
    this.#settings = settings;
    this.#inputs = settings;
    this.#options = options;
    this.#host = host;
  }

  /** The number of successful rounds. */
  get rounds(): number {
    return this.#rounds;
  }

  page(): string {
    return this.#last === undefined ? NOTHING_YET : writePage(this.#last.map, this.#options);
  }

  /** Measures once. Prints errors, which may be fixed before the next round. */
  async runRound(): Promise<void> {
    let result: RoundResult | undefined;
    try {
      await this.watcher.begin(this.#inputs, this.#outputs);
      this.#last = result = await this.#measure(await this.#prepare());
      this.#rounds++;
      // The files that the description refers to are known only after loading it.
      await this.#watchAlso([...this.#inputs, ...localFiles(result.map.documentUrls())]);
    } catch (error) {
      const { colors } = layoutFor(this.#host, this.#options.color);
      const sentences = sanitizeMessage(errorSentences(error));
      await say(`\n${colors.red.bold("Error:")} ${sentences}`, this.#host);
    }
    this.#hasFailed = result === undefined;
    this.#options.onRound?.(result);
  }

  async #measure(round: Round): Promise<RoundResult> {
    const { options, traffic, watched = traffic } = round;
    const { apis = [options] } = options;
    const outputs = chooseOutputs(options.formats, options.output);
    this.#outputs = outputs.flatMap(({ path }) => path === undefined ? [] : [resolve(path)]);
    await this.#watchAlso([
      ...[
        ...this.#settings,
        ...apis.flatMap(({ schema, overlay = [] }) => [schema, ...overlay]),
        ...watched,
      ].filter(isFile),
      ...apis.flatMap(({ baseline }) => baseline ?? []),
    ]);
    const publish = await preparePublish(outputs, options, traffic, this.#host);
    const measured = await round.measure();
    let reports: readonly Report[] = [];
    const onReports = (made: readonly Report[]): void => void (reports = made);
    const since = this.#last?.reports;
    const unmet = await publish({ ...measured, earlier: since, printed: this.#said, onReports });
    return { map: measured.map, reports, unmet };
  }

  async #watchAlso(inputs: readonly string[]): Promise<void> {
    this.#inputs = inputs;
    await this.watcher.add(inputs, this.#outputs);
  }

  /** Prints the reason for the exit code, and returns the code. */
  async end(): Promise<number> {
    const code = this.#options.commandCode?.() ?? 0;
    if (this.#hasFailed && code === 0) return await printExitReason(1, "error", this.#host);
    return await exitAfterCommand(code, this.#last?.unmet ?? [], this.#host);
  }
}

async function say(text: string, host: Host): Promise<void> {
  await host.stderr.write(withoutCommands(text) + "\n");
}

const NOTHING_YET = "<!doctype html><title>covtool</title><p>There is no report yet.</p>";

function isFile(location: string): boolean {
  return !/^https?:/i.test(location);
}

export async function watchReport(
  given: Given<"report">,
  host: Host,
  session: Pick<WatchOptions, "until" | "onRound"> = {},
): Promise<number> {
  const { traffic, color, title, suggestions } = await configureReport("report", given);
  if (traffic.includes(STANDARD_INPUT)) {
    throw usageError(
      "Standard input can only be read once, so it can't be watched. Name files, folders or patterns.",
    );
  }
  const config = configPath(given);
  const settings = config === undefined ? [] : [config];
  return await watch(
    async () => {
      const options = await configureReport("report", given);
      const traffic = [...options.traffic, ...options.env];
      return { options, traffic, measure: () => measureReport(options, host) };
    },
    settings,
    { ...session, color, title, suggestions },
    host,
  );
}

/** `covtool run --watch`: runs the command once, and measures whenever tests send requests or settings change. */
export async function watchRun(
  configure: () => Promise<Configured<"run">>,
  settings: readonly string[],
  host: Host,
  session: Pick<WatchOptions, "until" | "onRound"> = {},
): Promise<number> {
  const { command, color, title, suggestions, responseBodies } = await configure();
  if (outerRunFolder() !== undefined) return await runChildToEnd(command, {});
  const folder = TrafficFolder.create();
  if (responseBodies === false) folder.leaveOutResponseBodies();
  try {
    let code = 0;
    let isInterrupted = false;
    const variables = { [TRAFFIC_VARIABLE]: folder.path };
    const finished = runChildToEnd(command, variables, () => void (isInterrupted = true));
    const ended = finished.then((exitCode) => void (code = exitCode));
    const until = finished.then(
      () => session.until ?? (isInterrupted ? undefined : untilInterrupted()),
      () => {},
    );
    const watched = watch(
      async () => {
        const options = await configure();
        const measure = async () => ({
          ...await recordFolder(folder, await loadMaps(options)),
          nothingRecorded: "No traffic has been recorded yet.",
        });
        return { options, traffic: [], watched: [folder.path], measure };
      },
      settings,
      { ...session, color, title, suggestions, until, hasLastRound: true, commandCode: () => code },
      host,
    );
    return (await Promise.all([watched, ended]))[0]; // `ended` rejects with the reason if the command can't be started
  } finally {
    folder.remove();
  }
}
