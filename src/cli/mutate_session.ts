import { renameSync, rmSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import type { MeasuredApi } from "../coverage_map/measured_api.ts";
import { fileErrorSentence } from "../files/files.ts";
import type { HttpRequest } from "../http/interaction.ts";
import { ReachedParts } from "../mutate/reached_parts.ts";
import {
  type Change,
  type PassingResponse,
  ResponseChanger,
  responseFilter,
} from "../mutate/response_changer.ts";
import { NamedSearch } from "../mutate/named_search.ts";
import {
  type CandidatePart,
  forgiveChance,
  MutationSearch,
  type RunResult,
} from "../mutate/search.ts";
import { clientVariables } from "../proxy/client_trust.ts";
import { createProxy } from "../proxy/create_proxy.ts";
import type { PrivateFolder } from "../proxy/private_folder.ts";
import type { Proxy, ProxyOptions } from "../proxy/proxy_options.ts";
import { withoutCommands } from "../report/text/plain_text.ts";
import { formatAmount, formatSeconds } from "../report/wording/amounts.ts";
import { CommandError } from "../run/command_error.ts";
import type { Host } from "../run/host.ts";
import { TRAFFIC_VARIABLE, TrafficFolder } from "../run/traffic_folder.ts";
import { sanitizeMessage } from "../run/error_sentences.ts";
import { SuggestError } from "../suggest/suggestion.ts";
import { appendTo } from "../values/collections.ts";
import { CHANGES_VARIABLE, ChangeServer } from "./change_server.ts";
import type { Configured } from "./command_groups.ts";
import { onEndSignals } from "./end_signals.ts";
import { dryRunLines, MutationProgress } from "./mutation_progress.ts";
import { silenceSentence } from "./proxy.ts";
import { writeCertificates } from "./proxy_certificates.ts";
import { type EndedCommand, QuietCommand } from "./quiet_command.ts";

/** Default budget for all runs, in seconds. */
const DEFAULT_BUDGET = 600;
/** The default timeout of a run: this multiple of the longest passed run, and at least this number of seconds. */
const TIMEOUT_RUNS = 3;
const MIN_TIMEOUT = 10;
/** Milliseconds to wait for requests that are in flight when the tests have ended. */
const SETTLE = 2000;
/** Milliseconds between two saves of the results. */
const KEEP_EVERY = 1000;
const INTERRUPTED = 130;

type SessionEnd = "done" | "interrupted" | "interrupted_plainly" | "dry_run";

interface RunState {
  /** By operation and response index, and by test if only the responses of one test are changed. */
  readonly changes: ReadonlyMap<string, readonly Change[]>;
  readonly applied: Map<Change, number>;
  /** Collect the response parts of runs without changes: from the proxy, and from in-process recorders. */
  readonly proxied: ReachedParts | undefined;
  readonly reported: ReachedParts | undefined;
  readonly isRecorded: boolean;
  readonly outcomes: Map<string, boolean>;
}

export class MutateSession {
  readonly warnings: string[] = [];
  readonly #api: MeasuredApi;
  readonly #options: Configured<"mutate">;
  readonly #host: Host;
  readonly #folder: PrivateFolder;
  readonly #changer: ResponseChanger;
  readonly #progress: MutationProgress;
  readonly #started = performance.now();
  readonly #changes = new ChangeServer({
    onExchange: (request, response, test) => this.#changeReported(request, response, test),
    onOutcome: (test, isPassed) => {
      const { outcomes } = this.#state;
      // A test that is retried counts as passed only if no try fails.
      outcomes.set(test, isPassed && outcomes.get(test) !== false);
    },
  });
  /** True once a recorder has asked for changes. From then on, the proxy changes nothing. */
  #hasRecorder = false;
  /** Interactions that the proxy saw, kept until it is known whether recorders report them too. */
  #pending: Parameters<MeasuredApi["record"]>[] = [];
  #state: RunState = plainState();
  /** Recorders only work if they have a folder. Nothing reads the files in this one. */
  readonly #traffic = TrafficFolder.create();
  #runs = 0;
  #running: QuietCommand | undefined;
  #isInterrupted = false;
  /** Tests that were reported as passed in each run without changes. */
  #passedPlainly: ReadonlySet<string> = new Set();
  #keptAt = -Infinity;
  /** Seconds that the longest passed run took. */
  #longest = 0;

  constructor(api: MeasuredApi, options: Configured<"mutate">, host: Host, folder: PrivateFolder) {
    this.#api = api;
    this.#options = options;
    this.#host = host;
    this.#folder = folder;
    try {
      const isWanted = responseFilter(api.plan, api.exclusions, options.operation);
      this.#changer = new ResponseChanger(api.plan, isWanted);
    } catch (error) {
      throw error instanceof SuggestError ? new CommandError(error.message, error) : error;
    }
    this.#progress = new MutationProgress(host);
  }

  /** Writes the results so far to the file of `--resume`, by way of a temporary file. */
  keepResults(): void {
    const { resume } = this.#options;
    if (resume === undefined) return;
    try {
      writeFileSync(`${resume}.part`, this.#api.exportHits());
      renameSync(`${resume}.part`, resume);
      this.#keptAt = performance.now();
    } catch (error) {
      rmSync(`${resume}.part`, { force: true });
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
    // However covtool ends, the running tests end too.
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
    if (this.#isInterrupted) return "interrupted_plainly";
    if (this.#options.dryRun) {
      const isNamed = this.#passedPlainly.size > 1;
      const lines = dryRunLines(this.#api, parts, this.#longest, isNamed);
      await this.#host.stdout.write(withoutCommands(`${lines.join("\n")}\n`));
      return "dry_run";
    }
    this.#checkBudget();
    const { noticed } = this.#api.hits;
    const tryChanges = (changes: readonly Change[]) => this.#tryChanges(proxy, tests, changes);
    const onRun = (): void => {
      if (performance.now() - this.#keptAt > KEEP_EVERY) this.keepResults();
      this.#progress.show(() => ({ ...search.progress, runs: this.#runs, left: this.#left() }));
    };
    const names = this.#passedPlainly;
    const named = new NamedSearch(parts, names, noticed, tryChanges, onRun);
    const run = forgiveChance(tryChanges, onRun, (test) => named.isAsked(test));
    const search = new MutationSearch(parts, noticed, run, onRun, names.size > 1);
    const isDone = await named.search() && await search.search();
    this.#progress.say(`${formatAmount(this.#runs, "run")} in ${formatSeconds(this.#seconds())}.`);
    if (this.#isInterrupted) return "interrupted";
    if (search.isFlaky) {
      this.warnings.push(
        "Some tests fail by chance. Parts whose changes they make uncertain have no verdict.",
      );
    }
    if (!isDone) {
      const { runs = Infinity, resume } = this.#options;
      const spent = formatAmount(this.#runs, "run");
      const more = resume === undefined
        ? "keep results with --resume"
        : "run it again: --resume goes on";
      this.warnings.push(
        `The budget ended after ${spent}. What is left has no verdict: raise ${
          this.#runs < runs ? "--budget" : "--runs"
        }, or ${more}.`,
      );
    }
    return "done";
  }

  /** Runs the tests twice without changes. Returns the parts that both runs reached. */
  async #runPlainly(proxy: Proxy, tests: QuietCommand): Promise<readonly CandidatePart[]> {
    const { level, timeout } = this.#options;
    const isResumed = this.#api.traffic().recorded > 0;
    const newParts = () => new ReachedParts(level);
    const first = { proxied: newParts(), reported: newParts() };
    const second = { proxied: newParts(), reported: newParts() };
    for (const { proxied, reported } of [first, second]) {
      const isFirst = proxied === first.proxied;
      const which = isFirst ? "first" : "second";
      this.#progress.say(`Running the tests without changes, the ${which} time of two.`);
      this.#state = plainState(proxied, reported, isFirst && !isResumed);
      const limit = timeout ?? this.#remaining();
      const ended = await this.#runTests(proxy, tests, limit);
      if (ended === undefined) return [];
      await this.#checkPlain(ended, which, limit);
      const { outcomes } = this.#state;
      const names = isFirst ? [...outcomes.keys()] : [...this.#passedPlainly];
      this.#passedPlainly = new Set(names.filter((name) => outcomes.get(name) === true));
      if (isFirst) {
        this.#checkTraffic(proxy);
        if (!this.#hasRecorder) { for (const one of this.#pending) this.#api.record(...one); }
        this.#pending = [];
      }
    }
    const source = this.#hasRecorder ? "reported" : "proxied";
    const { both, one } = first[source].compare(second[source]);
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
    await this.#showFailure(ended, "Output of the tests:\n");
    throw new CommandError(
      `The tests fail without any change (${which} run, exit code ${ended.code}), so nothing is measured. ${
        which === "first"
          ? "Mend them first."
          : "They passed before: does a run leave something behind? --before COMMAND resets it."
      }`,
    );
  }

  async #showFailure(ended: EndedCommand, heading = ""): Promise<void> {
    this.#progress.stop();
    const lines = ended.failingLines().map((line) => `${sanitizeMessage(`  ${line}`)}\n`);
    if (lines.length === 0) return;
    await this.#host.stderr.write(withoutCommands(heading + lines.join("")));
  }

  #checkTraffic(proxy: Proxy): void {
    if (this.#hasRecorder || proxy.interactions > 0) return;
    throw new CommandError(silenceSentence(this.#options, proxy, false, true));
  }

  #checkBudget(): void {
    if (this.#options.runs !== undefined || this.#remaining() >= this.#longest) return;
    throw new CommandError(
      `A run of the tests takes ${
        formatSeconds(this.#longest)
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
    if (this.#remaining() < this.#longest) return undefined;
    const byResponse = new Map<string, Change[]>();
    for (const change of changes) {
      const { operation, response } = change.place;
      appendTo(byResponse, responseKey(operation, response, change.test), change);
    }
    const applied = new Map<Change, number>();
    this.#state = { ...plainState(), changes: byResponse, applied };
    const limit = timeout ?? Math.max(MIN_TIMEOUT, this.#longest * TIMEOUT_RUNS);
    const ended = await this.#runTests(proxy, tests, limit);
    if (ended === undefined) return undefined;
    const { code, timedOut } = ended;
    const { outcomes } = this.#state;
    return { passed: code === 0 && !timedOut, timedOut, applied, outcomes };
  }

  /** Runs the tests once. Returns undefined after an interruption. */
  async #runTests(
    proxy: Proxy,
    tests: QuietCommand,
    limit: number,
  ): Promise<EndedCommand | undefined> {
    await this.#prepare();
    if (this.#isInterrupted) return undefined;
    this.#runs++;
    this.#running = tests;
    const ended = await tests.run(limit * 1000, { [CHANGES_VARIABLE]: this.#changes.renewUrl() });
    this.#running = undefined;
    if (ended.code === 0) this.#longest = Math.max(this.#longest, ended.seconds);
    const deadline = performance.now() + SETTLE;
    while (proxy.inFlight > 0 && performance.now() < deadline) await setTimeout(5);
    return this.#isInterrupted ? undefined : ended;
  }

  async #prepare(): Promise<void> {
    const { before } = this.#options;
    if (before === undefined) return;
    const shell = process.platform === "win32" ? ["cmd", "/d", "/s", "/c"] : ["sh", "-c"];
    this.#running = new QuietCommand([...shell, before], {});
    const ended = await this.#running.run(this.#remaining() * 1000);
    if (ended.code === 0 || this.#isInterrupted) return;
    await this.#showFailure(ended);
    throw new CommandError(`The command of --before failed with exit code ${ended.code}.`);
  }

  /** Seconds left of the budget; 3,600 if there is no budget. */
  #remaining(): number {
    const { runs, budget = runs === undefined ? DEFAULT_BUDGET : Infinity } = this.#options;
    return budget === Infinity ? 3600 : Math.max(0, budget - this.#seconds());
  }

  #left(): string {
    const { runs, budget } = this.#options;
    return runs === undefined || budget !== undefined
      ? formatSeconds(this.#remaining())
      : formatAmount(runs - this.#runs, "run");
  }

  #seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }

  async #variables(proxy: Proxy): Promise<Record<string, string>> {
    await this.#changes.listen();
    const recorder = { [TRAFFIC_VARIABLE]: this.#traffic.path };
    if (this.#options.reverse !== undefined) return { ...recorder, COVTOOL_URL: proxy.url };
    const { variables } = this.#host;
    const files = await writeCertificates(this.#folder.path, proxy.caCertificate, variables);
    const javaOptions = variables["JAVA_TOOL_OPTIONS"];
    return { ...recorder, ...clientVariables({ ...files, proxyUrl: proxy.url, javaOptions }) };
  }

  #changed(
    request: HttpRequest,
    response: PassingResponse,
    test?: string,
  ): PassingResponse | undefined {
    const { changes, applied } = this.#state;
    if (changes.size === 0) return undefined;
    return this.#changer.change(
      request,
      response,
      (operation, index) =>
        changes.get(responseKey(operation, index)) ??
          changes.get(responseKey(operation, index, test)) ?? [],
      (change) => applied.set(change, (applied.get(change) ?? 0) + 1),
    );
  }

  #changeReported(
    request: HttpRequest,
    response: PassingResponse,
    test: string | undefined,
  ): PassingResponse | undefined {
    this.#hasRecorder = true;
    const { reported, isRecorded } = this.#state;
    if (isRecorded) {
      const { status, headers, body } = response;
      const now = this.#host.now() / 1000;
      this.#api.record(request, { status_code: status, headers, body }, now, test);
    }
    reported?.add(this.#changer.listParts(request, response), test);
    return this.#changed(request, response, test);
  }

  #recorder() {
    const api = this.#api;
    return {
      secretNames: () => api.secretNames(),
      record: (...interaction: Parameters<MeasuredApi["record"]>) => {
        if (this.#state.isRecorded && !this.#hasRecorder) this.#pending.push(interaction);
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
        this.#state.proxied?.add(this.#changer.listParts(request, response));
        return this.#hasRecorder ? undefined : this.#changed(request, response);
      },
      onNotice: ({ kind, message }) => {
        if (kind === "certificate_refused") this.#progress.say(message);
      },
    };
  }
}

function plainState(
  proxied?: ReachedParts,
  reported?: ReachedParts,
  isRecorded = false,
): RunState {
  const outcomes = new Map<string, boolean>();
  return { changes: new Map(), applied: new Map(), proxied, reported, isRecorded, outcomes };
}

function responseKey(operation: number, response: number, test = ""): string {
  return `${operation} ${response} ${test}`;
}
