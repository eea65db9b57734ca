import type { Diagnostic } from "../values/diagnostic.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type Interaction,
  type InteractionDetails,
  mayHaveBody,
} from "../http/interaction.ts";
import { CUT, type ObservedBody, type SeenBody } from "./body_buffer.ts";
import { completeRecords } from "../http/complete_records.ts";
import { type HeaderPairs, headerValue, withContentType } from "./header_pairs.ts";
import { isEncodedAs } from "../http/encoding.ts";

/** The maximum size of recorded bodies: 10 MiB, as in the proxy. A longer body counts as not recorded. */
export const BODY_LIMIT: number = 10 * 1024 * 1024;

/** Milliseconds to wait for more of a body before it counts as stalled. */
const BODY_TIMEOUT = 300;

// Kept here, as tests may replace timers and clocks. Some test environments have no `performance`.
const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis;
const { now: wallClock } = Date;
const stopwatch = globalThis.performance?.now.bind(performance);

/** Maximum number of distinct faults that are kept. */
const FAULT_LIMIT = 50;

/** A function that records an interaction, such as `CoverageMap.record`. */
export type RecordInteraction = (
  request: HttpRequest,
  response: HttpResponse | undefined,
  timestamp: number | undefined,
  test: string | undefined,
  details: InteractionDetails,
) => void;

/** The name of a test, or a function that returns it for each request. */
export type TestName = string | (() => string | undefined);

/** Options of the plugins of a map or a collector. */
export interface SinkOptions {
  /** Maximum size of recorded bodies in bytes (default: {@linkcode BODY_LIMIT}). */
  readonly bodyLimit?: number | undefined;
  /** False to record no bodies of responses (default: true). */
  readonly responseBodies?: boolean | undefined;
  /** True to record nothing and leave clients untouched. */
  readonly isDormant?: boolean | undefined;
  /** Called once for each distinct fault, when it occurs. */
  readonly onFault?: ((message: string) => void) | undefined;
  /** Called with an interaction that waits for a body. Returns a function to call once it is recorded. */
  readonly onPending?: ((interaction: Interaction) => () => void) | undefined;
}

/**
 * Receives the interactions from the plugins of one map. It keeps errors away from the clients, and keeps track of
 * bodies that are still being read.
 *
 * @internal
 */
export class PluginSink {
  readonly bodyLimit: number;
  /** Maximum size of recorded response bodies in bytes; 0 to record none. */
  readonly responseBodyLimit: number;
  /** The first argument of the current call of a tracked function; undefined outside calls. */
  passing: unknown = undefined;
  /** The test to which requests belong from now on; a function is called for each request. */
  test: TestName | undefined = undefined;
  /** True if nothing is recorded, so that clients are left untouched. */
  readonly isDormant: boolean;
  readonly #record: RecordInteraction;
  readonly #onFault: ((message: string) => void) | undefined;
  readonly #onPending: SinkOptions["onPending"];
  readonly #tracked = new WeakSet<object>();
  readonly #faults = new Map<string, number>();
  readonly #reading = new Map<Promise<void>, ObservedBody["abandon"]>();

  constructor(record: RecordInteraction, options: SinkOptions = {}) {
    this.#record = record;
    this.bodyLimit = options.bodyLimit ?? BODY_LIMIT;
    this.responseBodyLimit = options.responseBodies === false ? 0 : this.bodyLimit;
    this.isDormant = options.isDormant === true;
    this.#onFault = options.onFault;
    this.#onPending = options.onPending;
  }

  /** The name of the running test; undefined if there is none, or the function that returns it failed. */
  get testName(): string | undefined {
    const { test } = this;
    return typeof test === "function" ? this.guard("test", test) : test;
  }

  /** The number of interactions that wait for a body. */
  get pending(): number {
    return this.#reading.size;
  }

  get diagnostics(): readonly Diagnostic[] {
    const found: Diagnostic[] = [...this.#faults].map(([message, count]) =>
      makeDiagnostic(
        "warning",
        "recording_failed",
        count === 1 ? message : `${message} (${count.toLocaleString("en-US")} times)`,
      )
    );
    if (this.pending > 0) {
      const what = this.pending === 1
        ? "1 request is not counted yet, because its body is"
        : `${
          this.pending.toLocaleString("en-US")
        } requests are not counted yet, because their bodies are`;
      const message = `${what} still being read; await map.settled() before the report`;
      found.push(makeDiagnostic("info", "pending", message));
    }
    return found;
  }

  begin(plugin: string): Exchange {
    return new Exchange(this, plugin);
  }

  /** True if a client is already tracked for this map, or must be left untouched. */
  isTracked(client: object): boolean {
    return this.isDormant || this.#tracked.has(client);
  }

  setTracked(client: object): void {
    this.#tracked.add(client);
  }

  /** Marks a client as tracked; false if it already is, or must be left untouched. */
  claim(client: object): boolean {
    if (this.isTracked(client)) return false;
    this.setTracked(client);
    return true;
  }

  /** Runs code that must not disturb the caller. An error becomes a diagnostic, and the result is undefined. */
  guard<T>(plugin: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#noteFault(plugin, error);
      return undefined;
    }
  }

  /** Records an interaction; never throws. */
  record(plugin: string, interaction: Interaction): void {
    if (this.isDormant) return;
    const { request, response, timestamp, test } = interaction;
    this.guard(plugin, () => this.#record(request, response, timestamp, test, interaction));
  }

  /** Announces an interaction that waits for a body. Call the result once it is recorded. */
  note(interaction: () => Interaction): () => void {
    const quietly = <T>(work: () => T): T | undefined => {
      try {
        return work();
      } catch {
        return undefined; // no problem: the interaction is recorded later
      }
    };
    const end = this.isDormant ? undefined : quietly(() => this.#onPending?.(interaction()));
    return () => void quietly(() => end?.());
  }

  /** Counts work as pending until it is done. The returned promise never rejects. */
  follow(plugin: string, work: Promise<void>, abandon?: ObservedBody["abandon"]): Promise<void> {
    const followed = work.then(undefined, (error) => this.#noteFault(plugin, error))
      .then(() => void this.#reading.delete(followed));
    this.#reading.set(followed, abandon);
    return followed;
  }

  /** Records interactions whose bodies nobody has begun to read. */
  flush(reason: "asked" | "answered" | "ended" = "asked"): void {
    if (this.#reading.size === 0) return;
    for (const abandon of [...this.#reading.values()]) abandon?.(reason);
  }

  /** Resolves when no body is being read any more. Stalled bodies are cut. */
  async settled(): Promise<void> {
    this.flush("answered");
    while (this.#reading.size > 0) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<boolean>((resolve) => {
        timer = setTimer(() => resolve(true), BODY_TIMEOUT);
      });
      const done = Promise.all(this.#reading.keys()).then(() => false);
      const isLate = await Promise.race([done, late]);
      clearTimer(timer);
      if (isLate) { for (const abandon of [...this.#reading.values()]) abandon?.("awaited"); }
    }
  }

  #noteFault(plugin: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${plugin}: a request could not be recorded: ${reason}`;
    const count = this.#faults.get(message);
    if (count === undefined && this.#faults.size >= FAULT_LIMIT) return;
    this.#faults.set(message, (count ?? 0) + 1);
    if (count === undefined) this.#tell(message);
  }

  #tell(message: string): void {
    try {
      this.#onFault?.(message);
    } catch {
      // The fault is also among the diagnostics.
    }
  }
}

function makeDiagnostic(
  severity: Diagnostic["severity"],
  code: string,
  message: string,
): Diagnostic {
  return { severity, code, message, schema_path: "", line: null, column: null };
}

export interface SentRequest {
  readonly method: string;
  /** The full URL, or a path if the host is unknown. */
  readonly url: string;
  readonly headers: HeaderPairs;
  readonly body: ObservedBody;
}

export interface ReceivedContent {
  readonly headers: HeaderPairs;
  readonly body?: ObservedBody | undefined;
  /** True if the client may have decompressed the body but left the header Content-Encoding. */
  readonly isDecoded?: boolean | undefined;
}

/** One attempt to send a request, from its start to the status of its response. */
export class Exchange {
  readonly #sink: PluginSink;
  readonly #plugin: string;
  /** The start time, in seconds since 1970. */
  readonly timestamp: number;
  /** The test that was running at the start. The response may arrive during another test. */
  readonly test: string | undefined;
  readonly #started = stopwatch();
  #isFinished = false;

  constructor(sink: PluginSink, plugin: string) {
    this.#sink = sink;
    this.#plugin = plugin;
    this.timestamp = wallClock() / 1000;
    this.test = sink.testName;
  }

  /** True if the exchange was recorded or dropped. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Ends the exchange without recording it, as nothing was sent. */
  drop(): void {
    this.#isFinished = true;
  }

  /** Records the exchange once the request's body was seen. Further calls do nothing. */
  finish(
    request: SentRequest,
    status: number | undefined,
    content?: ReceivedContent,
  ): Promise<void> | undefined {
    if (this.#isFinished) return undefined;
    this.#isFinished = true;
    const elapsed = (stopwatch() - this.#started) / 1000;
    const response = status === undefined ? undefined : { status_code: status, elapsed };
    return recordSent(this.#sink, this.#plugin, request, response, this, content);
  }

  /**
   * Records a request whose redirects can't be seen, to its own URL and to the final one. The status of the first
   * response is unknown and so, except for GET and HEAD, is the last method: neither is made up.
   */
  finishRedirected(
    request: SentRequest,
    url: string,
    status: number | undefined,
    content: ReceivedContent | undefined,
  ): void {
    this.finish(request, undefined);
    if (!/^(?:get|head)$/i.test(request.method)) return;
    const response = status === undefined ? undefined : { status_code: status };
    recordSent(this.#sink, this.#plugin, { ...request, url }, response, this, content);
  }
}

/** Records a request: now, or once its body and its response's body were seen. */
export function recordSent(
  sink: PluginSink,
  plugin: string,
  request: SentRequest,
  response: HttpResponse | undefined,
  { timestamp, test }: {
    readonly timestamp: number | undefined;
    readonly test: string | undefined;
  },
  content?: ReceivedContent,
): Promise<void> | undefined {
  const { body } = request;
  body.abandon?.(response === undefined ? "failed" : "answered");
  const received =
    response !== undefined && mayHaveBody(request.method.toUpperCase(), response.status_code)
      ? content?.body
      : undefined;
  const bodies = received === undefined ? [body] : [body, received];
  const interaction = (sent: SeenBody, came: SeenBody | undefined): Interaction => ({
    request: {
      method: request.method,
      url: request.url,
      headers: shown(
        withContentType(request.headers, body.contentType, body.isRebuilt === true),
        request.url,
      ),
      ...(sent.data !== undefined && { body: sent.data }),
      ...(sent.isCut && { body_truncated: true }),
    },
    response: response && content ? withContent(response, content, came) : response,
    timestamp,
    ...(test !== undefined && { test }),
  });
  const seen: SeenBody[] = [];
  let forget = (): void => {};
  let left = bodies.length;
  const waits = bodies.map(async (one, index): Promise<void> => {
    const see = (part: SeenBody): void => {
      seen[index] = part;
      if (--left > 0) return;
      sink.record(plugin, interaction(seen[0] as SeenBody, seen[1])); // both are present
      forget();
    };
    const present = one.seen();
    if (!(present instanceof Promise)) see(present);
    // At once if possible, so that a caller who has read a response finds it counted.
    else if (one.whenSeen === undefined) see(await present);
    else {
      one.whenSeen(see);
      await present;
    }
  });
  if (left === 0) return undefined;
  forget = sink.note(() => interaction(seen[0] ?? CUT, received && (seen[1] ?? CUT)));
  return sink.follow(plugin, Promise.all(waits).then(() => {}), (reason) => {
    for (const one of bodies) one.abandon?.(reason);
  });
}

function withContent(
  response: HttpResponse,
  { headers, isDecoded }: ReceivedContent,
  seen: SeenBody | undefined,
): HttpResponse {
  if (seen === undefined) return { ...response, headers };
  const data = seen.isCut ? arrivedPart(seen, headers) : seen.data ?? new Uint8Array();
  if (data === undefined) return { ...response, headers, body_truncated: true };
  const encoding = headerValue(headers, "content-encoding");
  const isPlain = isDecoded === true && encoding !== undefined && typeof data !== "string" &&
    isEncodedAs(data, encoding) !== true;
  return {
    ...response,
    headers: isPlain ? headers.filter(([name]) => !/^content-encoding$/i.test(name)) : headers,
    body: data,
  };
}

/** Returns the part of a cut body that counts: the complete records of a sequence. */
function arrivedPart({ part }: SeenBody, headers: HeaderPairs): Uint8Array | undefined {
  if (part === undefined || headerValue(headers, "content-encoding") !== undefined) {
    return undefined;
  }
  return completeRecords(headerValue(headers, "content-type") ?? "", part);
}

/** Returns the fields or, if there are none, `Host`, which every client adds, so that headers count as recorded. */
function shown(headers: HeaderPairs, url: string): HeaderPairs {
  if (headers.length > 0) return headers;
  return [["host", /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(url)?.[1] ?? "localhost"]];
}
