import { createHash } from "node:crypto";
import type { MeasuredApi } from "../../coverage_map/measured_api.ts";
import { findOperations, suggestFor } from "../../coverage_map/suggest_for.ts";
import type { Interaction } from "../../http/interaction.ts";
import { decodeFormText } from "../../http/percent.ts";
import { DIMENSION_KINDS } from "../../map/results.ts";
import type {
  SuggestedHttpRequest,
  Suggestion,
  Suggestions,
  SuggestOptions,
} from "../../suggest/suggestion.ts";
import { groupItems } from "../../values/collections.ts";
import { operationName } from "../../values/operation_name.ts";
import type { ProbeClient, SendResult, SentHttpRequest } from "./probe_client.ts";

export interface ProbeSettings {
  /** The ids of the gaps to close; all by default. */
  readonly gaps?: readonly string[] | undefined;
  readonly server: string;
  /** Varies values that APIs are likely to keep unique. */
  readonly seed?: string | undefined;
  readonly isUnsafe: boolean;
  readonly max: number;
  readonly seconds: number;
  readonly rate: number;
  /** The names of the header fields that every request has, in lower case. */
  readonly headers: ReadonlySet<string>;
  /** Returns the credential for a placeholder, by its name without `$`; undefined if unknown. */
  credential(name: string): string | undefined;
}

export type ProbeEnd = "done" | "max" | "time" | "interrupted" | "no_connection" | "server_errors";

export interface ProbeResult {
  readonly end: ProbeEnd;
  readonly answered: number;
  readonly failed: number;
  readonly unsendable: number;
  /** The number of requests left out because a field in them overrides the method with one that changes data. */
  readonly overriding: number;
  /** The latest reason why a request failed or couldn't be sent. */
  readonly reason: string | undefined;
  readonly unsafeOperations: number;
  /** The number of 201 responses by operation: `POST /books`. */
  readonly created: ReadonlyMap<string, number>;
  readonly missing: readonly string[];
}

type Tally = {
  -readonly [Name in keyof Omit<ProbeResult, "created" | "missing">]: ProbeResult[Name];
};

export interface ProbeTools {
  readonly client: Pick<ProbeClient, "send">;
  readonly signal: AbortSignal;
  /** Called with each interaction, before the next request. */
  onResponse(interaction: Interaction): void;
  /** Waits for a time, or until the signal is aborted. */
  wait(milliseconds: number): Promise<void>;
  /** A monotonic clock, in milliseconds. */
  clock(): number;
}

/** The number of failed connections in a row that ends a probe; `MAX_ERRORS`: of 5xx responses in a row. */
const MAX_FAILED = 5;
const MAX_ERRORS = 20;

/** Methods that create resources come before those that need them. DELETE comes last, apart from this order. */
const METHOD_ORDER = ["POST", "GET", "HEAD", "OPTIONS", "QUERY", "TRACE", "PUT", "PATCH"];

/** Sends suggested requests, and records the responses, whose ids make further requests possible. */
export class Prober {
  readonly #map: MeasuredApi;
  readonly #settings: ProbeSettings;
  readonly #tools: ProbeTools;
  readonly #sent = new Set<string>();
  readonly #result: Tally = {
    end: "done",
    answered: 0,
    failed: 0,
    unsendable: 0,
    overriding: 0,
    reason: undefined,
    unsafeOperations: 0,
  };
  readonly #created = new Map<string, number>();
  readonly #missing = new Set<string>();
  readonly #started: number;
  #failedInARow = 0;
  #errorsInARow = 0;
  #lastStart = -Infinity;

  constructor(map: MeasuredApi, settings: ProbeSettings, tools: ProbeTools) {
    this.#map = map;
    this.#settings = settings;
    this.#tools = tools;
    this.#started = tools.clock();
  }

  async run(): Promise<ProbeResult> {
    const { gaps, isUnsafe } = this.#settings;
    const all = findOperations(this.#map, gaps);
    const operations = all.filter(({ method }) => isUnsafe || SAFE_METHODS.has(method));
    const groups = namesByGroup(operations);
    // Classes of values come after the other gaps, as they take most requests.
    const removing = groups.filter((names) => names.every((name) => name.startsWith("DELETE ")));
    const others = groups.filter((names) => !removing.includes(names));
    for (
      const [kinds, own] of [
        [DIMENSION_KINDS, others],
        [["value_uncovered"], others],
        [undefined, removing],
      ] as const
    ) {
      for (const names of own) {
        if (this.#isOver) break; // making suggestions takes time
        await this.#sendAll(suggestFor(this.#map, { ...this.#options(names), kinds }));
      }
    }
    let before = -1;
    while (!this.#isOver && this.#result.answered > before) {
      before = this.#result.answered;
      const failing = this.#failingOperations();
      for (const group of groups) {
        const names = group.filter((name) => failing.has(name));
        if (this.#isOver || names.length === 0) continue;
        const again = { ...this.#options(names), kinds: DIMENSION_KINDS, repeat: true };
        await this.#sendAll(suggestFor(this.#map, again), true);
      }
    }
    this.#result.unsafeOperations = all.length - operations.length;
    return this.#makeResult();
  }

  /** Sends requests that settle expectations about access; responses may make further requests possible. */
  async runAccess(plan: () => readonly ProbedRequest[]): Promise<ProbeResult> {
    for (let before = -1; !this.#isOver && this.#result.answered > before;) {
      before = this.#result.answered;
      for (const planned of plan()) {
        await this.#send(planned.request, planned);
        // Plans again after a DELETE, as the removed object can't be requested anymore.
        const isNew = this.#result.answered > before;
        if (this.#isOver || planned.method === "DELETE" && isNew) break;
      }
    }
    return this.#makeResult();
  }

  #makeResult(): ProbeResult {
    return { ...this.#result, created: this.#created, missing: [...this.#missing].sort() };
  }

  get #isOver(): boolean {
    return this.#result.end !== "done";
  }

  /** Returns the operations with ids in their paths that have never succeeded, in recordings or now. */
  #failingOperations(): ReadonlySet<string> {
    const { operations } = this.#map.report();
    return new Set(
      operations.filter(({ path, succeeded }) => path.includes("{") && (succeeded ?? 0) === 0)
        .map(operationName),
    );
  }

  #options(operations: readonly string[]): SuggestOptions {
    const { server, gaps, seed } = this.#settings;
    return { operations, server, gaps, seed };
  }

  /** @param onlyRecorded True to send only requests with recorded ids, which may succeed now. */
  async #sendAll({ requests }: Suggestions, onlyRecorded = false): Promise<void> {
    // Valid requests first, since successful ones return ids.
    const valid = requests.filter(({ breaks }) => breaks === null);
    const others = requests.filter(({ breaks }) => breaks !== null);
    for (const suggestion of [...valid, ...others]) {
      if (onlyRecorded && suggestion.based_on !== "recorded") continue;
      await this.#sendOne(suggestion);
      if (this.#isOver) return;
    }
  }

  async #sendOne(suggestion: Suggestion): Promise<void> {
    const { credential, headers } = this.#settings;
    const { request, missing } = fillCredentials(suggestion, credential, headers);
    for (const name of missing) this.#missing.add(name);
    const { request: { method }, path } = suggestion;
    await this.#send(request, { method, path });
  }

  async #send(request: SentHttpRequest, operation: ProbedOperation): Promise<void> {
    const { body = "", ...head } = request;
    const key = createHash("sha256").update(JSON.stringify(head)).update(body).digest("base64");
    if (this.#sent.has(key)) return;
    if (!this.#settings.isUnsafe && overridesMethod(request)) {
      this.#sent.add(key);
      this.#result.overriding++;
      return;
    }
    await this.#waitForTurn();
    this.#checkLimits();
    if (this.#isOver) return;
    this.#sent.add(key);
    const { client, signal } = this.#tools;
    const result = await client.send(request, signal, Math.max(1, this.#remaining()));
    if (result.kind === "failed" && signal.aborted) this.#result.end = "interrupted";
    else if (result.kind === "failed" && this.#remaining() <= 0) this.#result.end = "time";
    else this.#addResult(result, operation);
  }

  #addResult(result: SendResult, operation: ProbedOperation): void {
    if (result.kind !== "answered") {
      this.#result.reason = result.reason;
      if (result.kind === "unsendable") this.#result.unsendable++;
      else {
        this.#result.failed++;
        if (++this.#failedInARow >= MAX_FAILED) this.#result.end = "no_connection";
      }
      return;
    }
    const { interaction } = result;
    this.#result.answered++;
    this.#failedInARow = 0;
    const status = interaction.response?.status_code ?? 0;
    if (status === 201) {
      const name = operationName(operation);
      this.#created.set(name, (this.#created.get(name) ?? 0) + 1);
    }
    this.#errorsInARow = status >= 500 ? this.#errorsInARow + 1 : 0;
    this.#tools.onResponse(interaction);
    if (this.#errorsInARow >= MAX_ERRORS) this.#result.end = "server_errors";
  }

  async #waitForTurn(): Promise<void> {
    const { clock, signal, wait } = this.#tools;
    const next = this.#lastStart + 1000 / this.#settings.rate;
    // In a loop, as timers may fire a little early.
    for (;;) {
      const pause = Math.min(next - clock(), this.#remaining());
      if (pause <= 0 || signal.aborted) break;
      await wait(Math.ceil(pause));
    }
    this.#lastStart = clock();
  }

  #checkLimits(): void {
    const { max } = this.#settings;
    if (this.#tools.signal.aborted) this.#result.end = "interrupted";
    else if (this.#result.answered + this.#result.failed >= max) this.#result.end = "max";
    else if (this.#remaining() <= 0) this.#result.end = "time";
  }

  #remaining(): number {
    return this.#started + this.#settings.seconds * 1000 - this.#tools.clock();
  }
}

/** Returns the names of operations, `GET /books`, in groups to be sent one after the other. */
function namesByGroup(
  operations: readonly { readonly method: string; readonly path: string }[],
): readonly (readonly string[])[] {
  const groups = groupItems(operations, ({ method, path }) => sendingGroup(method, path));
  return [...groups].sort(([one], [other]) => one - other).map(([, own]) => own.map(operationName));
}

/** Returns a number that orders groups: by the number of ids in the path, then by the method. */
function sendingGroup(method: string, path: string): number {
  const ids = path.split("{").length - 1;
  const rank = METHOD_ORDER.indexOf(method);
  if (method === "DELETE") return 10_000 - ids; // a resource that belongs to another one is removed before that one
  return ids * (METHOD_ORDER.length + 1) + (rank < 0 ? METHOD_ORDER.length : rank);
}

type ProbedOperation = Parameters<typeof operationName>[0];

interface ProbedRequest extends ProbedOperation {
  readonly request: SentHttpRequest;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/** Names of header fields, query parameters and form fields with which frameworks override the request's method. */
const OVERRIDE = /^(?:_method|_?x?(?:http)?method(?:override)|x?httpmethod|xmethod|_httpmethod)$/;
/** Matches such a field in a JSON or multipart body. */
const IN_BODY = /(?:"|\bname=)"?(_method|_?http_?method)"?[^\w"]{1,20}"?(\w{1,40})/gi;

function overridesMethod({ url, headers, body }: SentHttpRequest): boolean {
  const text = body === undefined || typeof body === "string"
    ? body ?? ""
    : new TextDecoder().decode(body);
  const pairs = [url.split("?", 2)[1] ?? "", text].flatMap((form) =>
    form.split("&").map((pair): [string, string] => {
      const equals = pair.indexOf("=");
      return [pair.slice(0, Math.max(0, equals)), pair.slice(equals + 1)];
    })
  ).map(([name, value]): [string, string] => [decodeFormText(name), decodeFormText(value)]);
  const members = [...text.matchAll(IN_BODY)].map(([, name = "", value = ""]): [string, string] => [
    name,
    value,
  ]);
  return [...Object.entries(headers), ...pairs, ...members].some(([name, value]) =>
    isMethodOverride(name, value)
  );
}

/** True if a field overrides the request's method with one that changes data. */
export function isMethodOverride(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  return (OVERRIDE.test(lower) || OVERRIDE.test(lower.replace(/[-_]/g, ""))) &&
    !SAFE_METHODS.has(value.trim().toUpperCase());
}

/** Replaces placeholders by credentials; leaves out headers, query pairs and cookies whose credential is unknown. */
function fillCredentials(
  { request, placeholders }: Pick<Suggestion, "request" | "placeholders">,
  credential: (name: string) => string | undefined,
  fixedHeaders: ReadonlySet<string>,
): { readonly request: SuggestedHttpRequest; readonly missing: readonly string[] } {
  if (placeholders.length === 0) return { request, missing: [] };
  const missing = new Set<string>();
  // The longest first, since `$BEARER_AUTH` begins with `$BEARER`. Names are letters, digits and `_`.
  const ordered = placeholders.toSorted((one, other) => other.length - one.length);
  const names = new RegExp(ordered.map((placeholder) => `\\${placeholder}`).join("|"), "g");
  const fill = (text: string): string | undefined => {
    let isKnown = true;
    const filled = text.replace(names, (placeholder) => {
      const value = credential(placeholder.slice(1)) ?? "";
      if (value === "") {
        missing.add(placeholder);
        isKnown = false;
      }
      return value;
    });
    return isKnown ? filled : undefined;
  };
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    const lower = name.toLowerCase();
    if (fixedHeaders.has(lower)) continue;
    const filled = lower === "cookie"
      ? value.split("; ").map(fill).filter((pair) => pair !== undefined).join("; ")
      : fill(value);
    if (filled !== undefined && (filled !== "" || value === "")) headers[name] = filled;
  }
  const [path = "", query] = request.url.split("?", 2);
  const pairs = query?.split("&").map((pair) => {
    const equals = pair.indexOf("=");
    const value = fill(pair.slice(equals + 1));
    if (value === undefined) return undefined;
    const isSame = value === pair.slice(equals + 1);
    return isSame ? pair : `${pair.slice(0, equals)}=${encodeURIComponent(value)}`;
  }).filter((pair) => pair !== undefined) ?? [];
  const url = pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
  return { request: { ...request, url, headers }, missing: [...missing] };
}
