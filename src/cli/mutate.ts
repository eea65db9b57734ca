import { renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { ApiMaps } from "../coverage_map/api_maps.ts";
import type { MeasuredApi } from "../coverage_map/measured_api.ts";
import { fileErrorSentence } from "../files/files.ts";
import { OutputGuard } from "../files/output_guard.ts";
import type { HttpRequest } from "../http/interaction.ts";
import { ReachedParts } from "../mutate/plain_parts.ts";
import {
  type Change,
  isWantedResponse,
  type PassingResponse,
  ResponseChanger,
} from "../mutate/response_changer.ts";
import { MutationSearch, type PlainPart, type RunResult } from "../mutate/search.ts";
import { clientVariables } from "../proxy/client_trust.ts";
import { createProxy } from "../proxy/create_proxy.ts";
import { openPrivateFolder, type PrivateFolder } from "../proxy/private_folder.ts";
import type { Proxy, ProxyOptions } from "../proxy/proxy_options.ts";
import { withoutCommands } from "../report/text/plain_text.ts";
import { formatAmount, formatSeconds } from "../report/wording/amounts.ts";
import { CommandError } from "../run/command_error.ts";
import { exitCodeFor, type Host, printExitReason } from "../run/host.ts";
import { loadMap } from "../run/load_apis.ts";
import { TRAFFIC_VARIABLE, TrafficFolder } from "../run/traffic_folder.ts";
import { chooseOutputs, guardedFile, guardedReports } from "../run/outputs.ts";
import { preparePublish } from "../run/publish.ts";
import { sanitizeMessage } from "../run/error_sentences.ts";
import { SuggestError } from "../suggest/suggestion.ts";
import { appendTo } from "../values/collections.ts";
import { RecordingError } from "../values/errors.ts";
import { CHANGES_VARIABLE, ChangeServer } from "./change_server.ts";
import type { Configured } from "./command_groups.ts";
import { onEndSignals } from "./end_signals.ts";
import { dryRunLines, MutationProgress } from "./mutation_progress.ts";
import { silenceSentence } from "./proxy.ts";
import { writeCertificates } from "./proxy_certificates.ts";
import { type EndedCommand, QuietCommand } from "./quiet_command.ts";

/** Seconds for all runs, unless something else is given. */
const DEFAULT_BUDGET = 600;
/** The default timeout of a run, in runs without changes; and the shortest, in seconds. */
const TIMEOUT_RUNS = 3;
const MIN_TIMEOUT = 10;
/** Milliseconds for what is in flight when the tests have ended. */
const SETTLE = 2000;
/** Milliseconds after which results are kept again. */
const KEEP_EVERY = 1000;
const INTERRUPTED = 130;

/**
 * `covtool mutate`: runs tests with changed responses, and reports which changes they notice.
 *
 * @returns the exit code: 1 where a threshold is not met or a condition fails the run, 130 where Ctrl+C ended it.
 * @throws {CommandError} and the errors of loading, each with a sentence for the user.
 */
export async function mutate(options: Configured<"mutate">, host: Host): Promise<number> {
  const { apis, command, schema } = options;
  if (apis !== undefined) {
    throw new CommandError(
      `${schema} names several APIs. Name the description of one: covtool mutate openapi.yaml -- npm test`,
    );
  }
  if (command.length === 0) {
    throw new CommandError(
      `No test command given. Put it after --: covtool mutate ${schema} -- npm test`,
    );
  }
  const outputs = chooseOutputs(options.formats, options.output);
  const guard = new OutputGuard([
    ...guardedReports(outputs),
    ...guardedFile("The file of --resume", options.resume),
  ]);
  const publish = await preparePublish(outputs, options, [], host, guard);
  const api = await loadMap(options, { emptyPrefixFirst: true });
  await guard.check(api.documentUrls);
  if (options.resume !== undefined) await resumeFrom(api, options.resume);
  const folder = await openPrivateFolder(host.variables);
  process.once("exit", folder.close);
  const session = new MutateSession(api, options, host, folder);
  try {
    const end = await session.run();
    if (end === "dry_run") return 0;
    session.keepResults();
    const unmet = await publish({ map: ApiMaps.alone(api), warnings: session.warnings });
    if (end !== "interrupted") return await exitCodeFor(unmet, host);
    return await printExitReason(INTERRUPTED, "interrupted; reports have what is known", host);
  } finally {
    process.off("exit", folder.close);
    folder.close();
  }
}

/** Adds the results of an earlier command, if there are any. */
async function resumeFrom(api: MeasuredApi, path: string): Promise<void> {
  try {
    api.mergeHits(await readFile(path), { location: path });
  } catch (error) {
    if (!(error instanceof RecordingError)) {
      if ((error as { readonly code?: unknown }).code === "ENOENT") return;
      throw new CommandError(`Cannot read ${path}: ${fileErrorSentence(error)}`, error);
    }
    if (error.code !== "other_description") throw error;
    throw new CommandError(
      `${path} has results of another version of the description. Delete it to begin anew.`,
      error,
    );
  }
}

type SessionEnd = "done" | "interrupted" | "dry_run";

/** What happens to responses during one run of the tests. */
interface RunState {
  /** By the indexes of operation and response. */
  readonly changes: ReadonlyMap<string, readonly Change[]>;
  readonly applied: Map<Change, number>;
  /** Get the parts of responses in runs without changes: from the proxy, and from recorders in the process of the tests. */
  readonly reached: ReachedParts | undefined;
  readonly told: ReachedParts | undefined;
  readonly isRecorded: boolean;
  readonly failedTests: Set<string>;
}

/** One command with its proxy, from the first run of the tests to the last. */
class MutateSession {
  readonly warnings: string[] = [];
  readonly #api: MeasuredApi;
  readonly #options: Configured<"mutate">;
  readonly #host: Host;
  readonly #folder: PrivateFolder;
  readonly #changer: ResponseChanger;
  readonly #progress: MutationProgress;
  readonly #started = performance.now();
  readonly #changes = new ChangeServer({
    onExchange: (request, response, test) => this.#changeTold(request, response, test),
    onOutcome: (test, isPassed) => {
      if (!isPassed) this.#state.failedTests.add(test);
    },
  });
  /** True once a recorder asks for changes: then the proxy makes none. */
  #isTold = false;
  /** What the proxy saw before it is known whether recorders tell it. */
  #pending: Parameters<MeasuredApi["record"]>[] = [];
  #state: RunState = plainState(undefined, undefined, false);
  /** Recorders record only where they have a folder; nobody reads this one. */
  readonly #traffic = TrafficFolder.create();
  #runs = 0;
  #running: QuietCommand | undefined;
  #isInterrupted = false;
  #keptAt = -Infinity;
  /** Seconds of the longer run without changes. */
  #plainSeconds = 0;

  constructor(
    api: MeasuredApi,
    options: Configured<"mutate">,
    host: Host,
    folder: PrivateFolder,
  ) {
    this.#api = api;
    this.#options = options;
    this.#host = host;
    this.#folder = folder;
    try {
      const isWanted = isWantedResponse(api.plan, api.exclusions, options.operation);
      this.#changer = new ResponseChanger(api.plan, isWanted);
    } catch (error) {
      throw error instanceof SuggestError ? new CommandError(error.message, error) : error;
    }
    this.#progress = new MutationProgress(host);
  }

  /** Writes what is known to the file of `--resume`, which is whole at any time. */
  keepResults(): void {
    const { resume } = this.#options;
    if (resume === undefined) return;
    try {
      writeFileSync(`${resume}.part`, this.#api.exportHits());
      renameSync(`${resume}.part`, resume);
      this.#keptAt = performance.now();
    } catch (error) {
      throw new CommandError(`Cannot write ${resume}: ${fileErrorSentence(error)}`, error);
    }
  }

  async run(): Promise<SessionEnd> {
    const proxy = await createProxy(this.#recorder(), this.#proxyOptions());
    let signals = 0;
    const stop = onEndSignals(() => {
      this.#isInterrupted = true;
      this.#running?.kill();
      if (++signals > 1) process.exit(INTERRUPTED);
    });
    // Whatever ends covtool ends the tests, too.
    const kill = (): void => this.#running?.kill();
    process.once("exit", kill);
    try {
      return await this.#mutate(proxy);
    } finally {
      this.#progress.stop();
      process.off("exit", kill);
      stop();
      this.#changes.close();
      this.#traffic.remove();
      await proxy.close(0);
    }
  }

  async #mutate(proxy: Proxy): Promise<SessionEnd> {
    const variables = await this.#variables(proxy);
    const tests = new QuietCommand(this.#options.command, variables);
    const parts = await this.#runPlainly(proxy, tests);
    if (this.#isInterrupted) return "interrupted";
    if (this.#options.dryRun) {
      const lines = dryRunLines(this.#api, parts, this.#options.level, this.#plainSeconds);
      await this.#host.stdout.write(withoutCommands(`${lines.join("\n")}\n`));
      return "dry_run";
    }
    this.#checkBudget();
    const { noticed } = this.#api.hits;
    const search = new MutationSearch(
      parts,
      noticed,
      this.#options.level,
      (changes) => this.#tryChanges(proxy, tests, changes),
      () => {
        if (performance.now() - this.#keptAt > KEEP_EVERY) this.keepResults();
        this.#progress.show(() => ({
          ...search.progress,
          runs: this.#runs,
          seconds: this.#remaining(),
        }));
      },
    );
    const isDone = await search.search();
    if (this.#isInterrupted) return "interrupted";
    if (search.isFlaky) {
      this.warnings.push(
        "Some tests fail by chance. Parts whose changes they make uncertain have no verdict.",
      );
    }
    if (!isDone) {
      this.warnings.push(
        `The budget ended after ${
          formatAmount(this.#runs, "run")
        }. What is left has no verdict: raise ${
          this.#options.runs === undefined ? "--budget" : "--runs"
        }.`,
      );
    }
    return "done";
  }

  /** Runs the tests twice without changes; gives the parts that both runs reached. */
  async #runPlainly(proxy: Proxy, tests: QuietCommand): Promise<readonly PlainPart[]> {
    const { level, timeout } = this.#options;
    const isResumed = this.#api.traffic().recorded > 0;
    const first = new ReachedParts(level);
    const second = new ReachedParts(level);
    const [firstTold, secondTold] = [new ReachedParts(level), new ReachedParts(level)];
    for (const [index, reached] of [first, second].entries()) {
      const which = index === 0 ? "first" : "second";
      this.#progress.say(`Running the tests without changes, the ${which} time of two.`);
      const told = index === 0 ? firstTold : secondTold;
      this.#state = plainState(reached, told, index === 0 && !isResumed);
      const limit = timeout ?? this.#remaining();
      const ended = await this.#runTests(proxy, tests, limit);
      if (this.#isInterrupted) return [];
      await this.#checkPlain(ended, which, limit);
      this.#plainSeconds = Math.max(this.#plainSeconds, ended.seconds);
      if (index === 0) {
        this.#checkTraffic(proxy);
        if (!this.#isTold) { for (const one of this.#pending) this.#api.record(...one); }
        this.#pending = [];
      }
    }
    const { both, one } = this.#isTold ? firstTold.compare(secondTold) : first.compare(second);
    const { noticed } = this.#api.hits;
    for (const { place, count, tests } of both) {
      const part = noticed.part(place);
      for (const test of tests) part.reachedBy.add(test);
      part.reached = Math.max(part.reached, count);
      part.reason = undefined;
    }
    for (const place of one) {
      const part = noticed.part(place);
      part.reached = Math.max(part.reached, 1);
      part.reason = "one_run";
    }
    if (one.length > 0) {
      this.warnings.push(
        `${
          formatAmount(one.length, "part")
        } of responses came in only one of the two runs without changes, and ${
          one.length === 1 ? "has" : "have"
        } no verdict.`,
      );
    }
    if (both.length === 0) {
      throw new CommandError(
        "No response of the tests is documented, so there is nothing to change. The report of covtool proxy shows what they call.",
      );
    }
    if (!both.some(({ place }) => place.part === "body")) {
      this.warnings.push(
        "No response has a documented body, so only statuses and headers are changed.",
      );
    }
    return both;
  }

  async #checkPlain(ended: EndedCommand, which: string, limit: number): Promise<void> {
    if (ended.timedOut) {
      const option = this.#options.timeout === undefined ? "--budget" : "--timeout";
      throw new CommandError(
        `The tests didn't end within ${
          formatSeconds(limit)
        }, so nothing is measured. Raise ${option}.`,
      );
    }
    if (ended.code === 0) return;
    this.#progress.stop();
    const lines = ended.failingLines().map((line) => `  ${line}`);
    if (lines.length > 0) {
      const text = lines.map(sanitizeMessage).join("\n");
      await this.#host.stderr.write(withoutCommands(`Output of the tests:\n${text}\n`));
    }
    throw new CommandError(
      `The tests fail without any change (${which} run, exit code ${ended.code}), so nothing is measured. ${
        which === "first"
          ? "Mend them first."
          : "They passed before: does a run leave something behind? --before COMMAND resets it."
      }`,
    );
  }

  #checkTraffic(proxy: Proxy): void {
    if (this.#isTold || proxy.interactions > 0) return;
    throw new CommandError(silenceSentence(this.#options, proxy, false));
  }

  #checkBudget(): void {
    if (this.#options.runs !== undefined || this.#remaining() >= this.#plainSeconds) return;
    throw new CommandError(
      `A run of the tests takes ${
        formatSeconds(this.#plainSeconds)
      }, and the budget leaves no time for one after the two without changes. Raise --budget.`,
    );
  }

  async #tryChanges(
    proxy: Proxy,
    tests: QuietCommand,
    changes: readonly Change[],
  ): Promise<RunResult | undefined> {
    const { runs = Infinity, timeout } = this.#options;
    if (this.#isInterrupted || this.#runs >= runs) return undefined;
    if (this.#remaining() < this.#plainSeconds) return undefined;
    const byResponse = new Map<string, Change[]>();
    for (const change of changes) {
      const { operation, response } = change.place;
      appendTo(byResponse, responseKey(operation, response), change);
    }
    const applied = new Map<Change, number>();
    this.#state = { ...plainState(undefined, undefined, false), changes: byResponse, applied };
    const limit = timeout ?? Math.max(MIN_TIMEOUT, this.#plainSeconds * TIMEOUT_RUNS);
    const { code, timedOut } = await this.#runTests(proxy, tests, limit);
    if (this.#isInterrupted) return undefined;
    const { failedTests } = this.#state;
    return { passed: code === 0 && !timedOut, timedOut, applied, failedTests };
  }

  async #runTests(proxy: Proxy, tests: QuietCommand, limit: number): Promise<EndedCommand> {
    await this.#prepare();
    this.#runs++;
    this.#running = tests;
    const ended = await tests.run(limit * 1000);
    this.#running = undefined;
    const deadline = performance.now() + SETTLE;
    while (proxy.inFlight > 0 && performance.now() < deadline) await setTimeout(5);
    return ended;
  }

  async #prepare(): Promise<void> {
    const { before } = this.#options;
    if (before === undefined) return;
    const shell = process.platform === "win32" ? ["cmd", "/d", "/s", "/c"] : ["sh", "-c"];
    this.#running = new QuietCommand([...shell, before], {});
    const ended = await this.#running.run(this.#remaining() * 1000);
    if (ended.code === 0 || this.#isInterrupted) return;
    const lines = ended.failingLines().map((line) => `  ${line}`).map(sanitizeMessage);
    this.#progress.stop();
    await this.#host.stderr.write(withoutCommands(lines.map((line) => `${line}\n`).join("")));
    throw new CommandError(`The command of --before failed with exit code ${ended.code}.`);
  }

  /** Seconds that are left of the budget; an hour where there is none. */
  #remaining(): number {
    const { budget, runs } = this.#options;
    const most = budget ?? (runs === undefined ? DEFAULT_BUDGET : undefined);
    if (most === undefined) return 3600;
    return Math.max(0, most - (performance.now() - this.#started) / 1000);
  }

  async #variables(proxy: Proxy): Promise<Record<string, string>> {
    const own = {
      [CHANGES_VARIABLE]: await this.#changes.listen(),
      [TRAFFIC_VARIABLE]: this.#traffic.path,
    };
    if (this.#options.reverse !== undefined) return { ...own, COVTOOL_URL: proxy.url };
    const { variables } = this.#host;
    const files = await writeCertificates(this.#folder.path, proxy.caCertificate, variables);
    const javaOptions = variables["JAVA_TOOL_OPTIONS"];
    return { ...own, ...clientVariables({ ...files, proxyUrl: proxy.url, javaOptions }) };
  }

  #changed(request: HttpRequest, response: PassingResponse): PassingResponse | undefined {
    const { changes, applied } = this.#state;
    if (changes.size === 0) return undefined;
    return this.#changer.change(
      request,
      response,
      (operation, index) => changes.get(responseKey(operation, index)) ?? [],
      (change) => applied.set(change, (applied.get(change) ?? 0) + 1),
    );
  }

  /** A recorder in the process of the tests has an answer, and asks what to give the test. */
  #changeTold(
    request: HttpRequest,
    response: PassingResponse,
    test: string | undefined,
  ): PassingResponse | undefined {
    this.#isTold = true;
    const { told, isRecorded } = this.#state;
    if (isRecorded) {
      const { status, headers, body } = response;
      const now = this.#host.now() / 1000;
      this.#api.record(request, { status_code: status, headers, body }, now, test);
    }
    told?.add(this.#changer.parts(request, response), test);
    return this.#changed(request, response);
  }

  #recorder() {
    const api = this.#api;
    return {
      secretNames: () => api.secretNames(),
      record: (...interaction: Parameters<MeasuredApi["record"]>) => {
        if (this.#state.isRecorded && !this.#isTold) this.#pending.push(interaction);
      },
    };
  }

  #proxyOptions(): ProxyOptions {
    const { reverse, upstreamProxy, insecure } = this.#options;
    return {
      reverse,
      upstreamProxy,
      insecure,
      dataFolder: this.#folder.path,
      changeResponse: (request, response) => {
        this.#state.reached?.add(this.#changer.parts(request, response));
        return this.#isTold ? undefined : this.#changed(request, response);
      },
      onNotice: ({ kind, message }) => {
        if (kind === "certificate_refused") this.#progress.say(message);
      },
    };
  }
}

function plainState(
  reached: ReachedParts | undefined,
  told: ReachedParts | undefined,
  isRecorded: boolean,
): RunState {
  const failedTests = new Set<string>();
  return { changes: new Map(), applied: new Map(), reached, told, isRecorded, failedTests };
}

function responseKey(operation: number, response: number): string {
  return `${operation} ${response}`;
}
