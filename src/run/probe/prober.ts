import { type CoverageMap, planOf } from "../../coverage_map/coverage_map.ts";
import type { Interaction } from "../../http/interaction.ts";
import type { Suggestion, Suggestions } from "../../suggest/suggestion.ts";
import { fillCredentials } from "./fill_credentials.ts";
import type { ProbeClient, Sent } from "./probe_client.ts";

/** Settings of a probe. */
export interface ProbeSettings {
  readonly server: string;
  /** True to send methods that change something. */
  readonly isUnsafe: boolean;
  /** The most requests. */
  readonly max: number;
  /** The most seconds. */
  readonly seconds: number;
  /** Requests a second; Infinity for no limit. */
  readonly rate: number;
  /** The names of header fields that every request has, in lower case. */
  readonly headers: ReadonlySet<string>;
  /** The credential of a placeholder, by its name without `$`; undefined if none is known. */
  credential(name: string): string | undefined;
}

/** Why a probe ended. */
export type ProbeEnd =
  | "done"
  | "max"
  | "time"
  | "interrupted"
  | "no_connection"
  | "server_errors";

/** What a probe did. */
export interface ProbeResult {
  readonly end: ProbeEnd;
  /** Requests that were answered. */
  readonly answered: number;
  /** Requests that no answer came to. */
  readonly failed: number;
  /** Requests that can't be sent by HTTP. */
  readonly unsendable: number;
  /** The last reason why no answer came, or why a request couldn't be sent. */
  readonly reason: string | undefined;
  /** Operations that were left out, as their methods change something. */
  readonly unsafeOperations: number;
  /** Placeholders of credentials that no value is known for. */
  readonly missing: readonly string[];
}

/** The tools of a probe. */
export interface ProbeTools {
  readonly client: Pick<ProbeClient, "send">;
  /** Ends the probe when it is aborted. */
  readonly signal: AbortSignal;
  /** Is called with every answered request, before the next one. */
  onAnswer(interaction: Interaction): void;
  /** Waits for so many milliseconds, or until the signal is aborted. */
  wait(milliseconds: number): Promise<void>;
  /** Milliseconds from a fixed time on. */
  clock(): number;
}

/** So many failed connections in a row end a probe, and so many answers of 5xx. */
const MAX_FAILED = 5;
const MAX_ERRORS = 20;

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** What makes resources comes before what needs them, what removes them at the very end. */
const ORDER = ["POST", "GET", "HEAD", "OPTIONS", "QUERY", "TRACE", "PUT", "PATCH"];

/**
 * Sends what `suggestRequests()` of a map suggests, and records the answers in it. Operations without ids in their paths
 * come first: what they answer has the ids for the others. Operations that were never answered with success are tried
 * again where new ids were found.
 */
export class Prober {
  readonly #map: CoverageMap;
  readonly #settings: ProbeSettings;
  readonly #tools: ProbeTools;
  readonly #sent = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #started: number;
  #end: ProbeEnd | undefined;
  #answered = 0;
  #failed = 0;
  #unsendable = 0;
  #failedInARow = 0;
  #errorsInARow = 0;
  #reason: string | undefined;
  #lastStart = -Infinity;

  /** Sends nothing before {@linkcode Prober.run}. */
  constructor(map: CoverageMap, settings: ProbeSettings, tools: ProbeTools) {
    this.#map = map;
    this.#settings = settings;
    this.#tools = tools;
    this.#started = tools.clock();
  }

  /**
   * Sends until nothing is left to suggest, or a limit is met.
   *
   * @throws {SuggestError} if requests to the server match no operation.
   */
  async run(): Promise<ProbeResult> {
    const all = planOf(this.#map).operations.map(({ model }) => model);
    const operations = all.filter(({ method }) => this.#settings.isUnsafe || SAFE.has(method));
    const groups = namesByGroup(operations);
    for (const names of groups) {
      await this.#sendAll(this.#map.suggestRequests(this.#options(names)));
    }
    let before = -1;
    while (this.#end === undefined && this.#answered > before) {
      before = this.#answered;
      const failing = this.#failingOperations();
      for (const group of groups) {
        const names = group.filter((name) => failing.has(name));
        if (names.length === 0) continue;
        await this.#sendAll(
          this.#map.suggestRequests({ ...this.#options(names), repeat: true }),
          true,
        );
      }
    }
    return {
      end: this.#end ?? "done",
      answered: this.#answered,
      failed: this.#failed,
      unsendable: this.#unsendable,
      reason: this.#reason,
      unsafeOperations: all.length - operations.length,
      missing: [...this.#missing].sort(),
    };
  }

  /** Operations with ids in their paths that were never answered with success, in a recording or now. */
  #failingOperations(): ReadonlySet<string> {
    const { operations } = this.#map.report();
    return new Set(
      operations.filter(({ path, succeeded }) => path.includes("{") && (succeeded ?? 0) === 0)
        .map(({ method, path }) => `${method} ${path}`),
    );
  }

  #options(operations: readonly string[]): {
    readonly operations: readonly string[];
    readonly server: string;
  } {
    return { operations, server: this.#settings.server };
  }

  /** @param isAgain True where only what may now succeed is worth sending: requests with ids that were found. */
  async #sendAll({ requests }: Suggestions, isAgain = false): Promise<void> {
    // What succeeds gives ids; what is refused doesn't.
    const valid = requests.filter(({ breaks }) => breaks === null);
    const others = requests.filter(({ breaks }) => breaks !== null);
    for (const suggestion of [...valid, ...others]) {
      if (isAgain && suggestion.based_on !== "recorded") continue;
      await this.#sendOne(suggestion);
      if (this.#end !== undefined) return;
    }
  }

  async #sendOne(suggestion: Suggestion): Promise<void> {
    const { credential, headers } = this.#settings;
    const { request, missing } = fillCredentials(suggestion, credential, headers);
    for (const placeholder of missing) this.#missing.add(placeholder);
    const key = JSON.stringify(request);
    if (this.#sent.has(key)) return;
    await this.#waitForTurn();
    this.#checkLimits();
    if (this.#end !== undefined) return;
    this.#sent.add(key);
    const sent = await this.#tools.client.send(request, this.#tools.signal);
    if (this.#tools.signal.aborted && sent.kind !== "answered") {
      this.#end = "interrupted";
    } else this.#note(sent);
  }

  #note(sent: Sent): void {
    if (sent.kind !== "answered") {
      this.#reason = sent.reason;
      if (sent.kind === "unsendable") this.#unsendable++;
      else {
        this.#failed++;
        if (++this.#failedInARow >= MAX_FAILED) this.#end = "no_connection";
      }
      return;
    }
    const { interaction } = sent;
    this.#answered++;
    this.#failedInARow = 0;
    const status = interaction.response?.status_code ?? 0;
    this.#errorsInARow = status >= 500 ? this.#errorsInARow + 1 : 0;
    this.#tools.onAnswer(interaction);
    if (this.#errorsInARow >= MAX_ERRORS) this.#end = "server_errors";
  }

  async #waitForTurn(): Promise<void> {
    const { clock, wait } = this.#tools;
    const next = this.#lastStart + 1000 / this.#settings.rate;
    const now = clock();
    if (next > now) await wait(next - now);
    this.#lastStart = clock();
  }

  #checkLimits(): void {
    const { max, seconds } = this.#settings;
    if (this.#tools.signal.aborted) this.#end = "interrupted";
    else if (this.#answered + this.#failed >= max) this.#end = "max";
    else if (this.#tools.clock() - this.#started >= seconds * 1000) this.#end = "time";
  }
}

/** The names of operations, `GET /books`, in the groups in which they are sent, one after the other. */
function namesByGroup(
  operations: readonly { readonly method: string; readonly path: string }[],
): readonly (readonly string[])[] {
  const groups = new Map<number, string[]>();
  for (const { method, path } of operations) {
    const group = groupOf(method, path);
    const names = groups.get(group) ?? [];
    names.push(`${method} ${path}`);
    groups.set(group, names);
  }
  return [...groups].sort(([one], [other]) => one - other).map(([, names]) => names);
}

/** Groups in the order in which they are sent: by the number of ids in the path, then by the method. */
function groupOf(method: string, path: string): number {
  const ids = path.split("{").length - 1;
  const rank = ORDER.indexOf(method);
  if (method === "DELETE") return 10_000 - ids; // what belongs to another resource goes before that
  return ids * (ORDER.length + 1) + (rank < 0 ? ORDER.length : rank);
}
