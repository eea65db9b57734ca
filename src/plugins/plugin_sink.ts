import type { Diagnostic } from "../values/diagnostic.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type Interaction,
  type InteractionDetails,
  mayHaveBody,
} from "../http/interaction.ts";
import { CUT, type ObservedBody, type SeenBody } from "./body_buffer.ts";
import { wholeRecords } from "../http/whole_records.ts";
import { type HeaderPairs, headerValue, withContentType } from "./header_pairs.ts";
import { isEncodedAs } from "../http/encoding.ts";

/** Bytes of a body that are kept: 10 MiB, as in the proxy. A longer body counts as not recorded. */
export const BODY_LIMIT: number = 10 * 1024 * 1024;

/** The timeout of a body that is waited for and brings nothing more, in milliseconds. */
const BODY_TIMEOUT = 300;

// Tests may put timers and clocks of their own in the place of these, and some of their environments have no stopwatch.
const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis;
const { now: wallClock } = Date;
const stopwatch = globalThis.performance?.now.bind(performance);

/** Kinds of faults that are told apart. */
const FAULT_LIMIT = 50;

/** A function that takes interactions: `CoverageMap.record`. */
export type RecordInteraction = (
  request: HttpRequest,
  response: HttpResponse | undefined,
  timestamp: number | undefined,
  test: string | undefined,
  details: InteractionDetails,
) => void;

/** The name of a test, or what tells it whenever a request is sent. */
export type TestName = string | (() => string | undefined);

/** Options of the plugins of a map, or of a collector in its place. */
export interface SinkOptions {
  /** Bytes of a body that are kept; {@linkcode BODY_LIMIT} by default. */
  readonly bodyLimit?: number | undefined;
  /** False if the bodies of responses aren't recorded; true by default. */
  readonly responseBodies?: boolean | undefined;
  /** True if nothing is to be recorded: clients are given back as they are. */
  readonly isDormant?: boolean | undefined;
  /** Called once for each kind of fault, as it comes. */
  readonly onFault?: ((message: string) => void) | undefined;
  /** Called with what is known of an interaction that waits for a body; returns what is called once it is recorded. */
  readonly onPending?: ((interaction: Interaction) => () => void) | undefined;
}

/**
 * The place to which the plugins of one map report interactions. It keeps errors away from the clients that are
 * watched, and tracks the bodies that are still being read.
 *
 * @internal
 */
export class PluginSink {
  readonly bodyLimit: number;
  /** Bytes of the body of a response that are kept; 0 for none of any. */
  readonly responseBodyLimit: number;
  /** The arguments of the present call of a tracked function; undefined between calls. */
  passing: unknown = undefined;
  /** The test that requests belong to which are sent now; a function is asked for each. */
  test: TestName | undefined = undefined;
  /** True if nothing is recorded, so that clients are to be given back as they are. */
  readonly isDormant: boolean;
  readonly #record: RecordInteraction;
  readonly #onFault: ((message: string) => void) | undefined;
  readonly #onPending: SinkOptions["onPending"];
  readonly #tracked = new WeakSet<object>();
  readonly #faults = new Map<string, number>();
  readonly #reading = new Map<Promise<void>, ObservedBody["abandon"]>();

  /** Nothing is tracked yet. */
  constructor(record: RecordInteraction, options: SinkOptions = {}) {
    this.#record = record;
    this.bodyLimit = options.bodyLimit ?? BODY_LIMIT;
    this.responseBodyLimit = options.responseBodies === false ? 0 : this.bodyLimit;
    this.isDormant = options.isDormant === true;
    this.#onFault = options.onFault;
    this.#onPending = options.onPending;
  }

  /** The name of the test that is running; undefined if none is, or where the one who was asked for it failed. */
  get testName(): string | undefined {
    const { test } = this;
    return typeof test === "function" ? this.guard("test", test) : test;
  }

  /** The number of interactions that wait for a body. */
  get pending(): number {
    return this.#reading.size;
  }

  /** Diagnostics about what could not be recorded, and what is not recorded yet. */
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

  /** True if a client is tracked for this map already, or is to be left as it is. */
  isTracked(client: object): boolean {
    return this.isDormant || this.#tracked.has(client);
  }

  /** Notes that a client is tracked, so that it is not tracked twice. */
  setTracked(client: object): void {
    this.#tracked.add(client);
  }

  /** Notes that a client is tracked from now on; false if it is already, or is to be left as it is. */
  claim(client: object): boolean {
    if (this.isTracked(client)) return false;
    this.setTracked(client);
    return true;
  }

  /** Does something that must not disturb the caller: a fault becomes a diagnostic, and undefined. */
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

  /** Tells of an interaction that waits for a body; returns what tells that it is recorded. */
  note(interaction: () => Interaction): () => void {
    const quietly = <T>(work: () => T): T | undefined => {
      try {
        return work();
      } catch {
        return undefined; // nothing is lost yet
      }
    };
    const end = this.isDormant ? undefined : quietly(() => this.#onPending?.(interaction()));
    return () => void quietly(() => end?.());
  }

  /** Counts work as pending until it is done; the promise given back never rejects. */
  follow(plugin: string, work: Promise<void>, abandon?: ObservedBody["abandon"]): Promise<void> {
    const followed = work.then(undefined, (error) => this.#noteFault(plugin, error))
      .then(() => void this.#reading.delete(followed));
    this.#reading.set(followed, abandon);
    return followed;
  }

  /** Records what waits for bodies that nobody has begun to read. */
  flush(reason: "asked" | "answered" | "ended" = "asked"): void {
    if (this.#reading.size === 0) return;
    for (const abandon of [...this.#reading.values()]) abandon?.(reason);
  }

  /** Resolves when no body is being read any more; one that is no longer read is given up. */
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
      // Whoever cannot be told has the diagnostics.
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
  /** The full URL, or a path where the host is not known. */
  readonly url: string;
  readonly headers: HeaderPairs;
  readonly body: ObservedBody;
}

export interface ReceivedContent {
  readonly headers: HeaderPairs;
  readonly body?: ObservedBody | undefined;
  /** True if whoever handed it over may have undone its Content-Encoding, and left the header. */
  readonly isDecoded?: boolean | undefined;
}

/** One attempt to send a request, from its beginning to the status of its response. */
export class Exchange {
  readonly #sink: PluginSink;
  readonly #plugin: string;
  /** The time at which it began, in seconds since 1970. */
  readonly timestamp: number;
  /** The test that was running then; a response may come when another one is. */
  readonly test: string | undefined;
  readonly #started = stopwatch();
  #isFinished = false;

  constructor(sink: PluginSink, plugin: string) {
    this.#sink = sink;
    this.#plugin = plugin;
    this.timestamp = wallClock() / 1000;
    this.test = sink.testName;
  }

  /** True if it was recorded, or was given up. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Ends without being recorded: nothing was sent. */
  drop(): void {
    this.#isFinished = true;
  }

  /** Records the exchange once its request's body was seen; a second time does nothing. */
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
   * Records a request whose redirects were followed out of sight, to the URL where it ended up. Neither the status of
   * the first response nor, but for GET and HEAD, the method of the last request is known, so none is made up.
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

/** Records a request, now or when its body and that of its response were seen. */
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
      sink.record(plugin, interaction(seen[0] as SeenBody, seen[1])); // all have come
      forget();
    };
    const present = one.seen();
    if (!(present instanceof Promise)) see(present);
    // At once where that can be, so that whoever has read a response finds it counted.
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

/** What counts of a body that was cut: the whole part of a sequence. */
function arrivedPart({ part }: SeenBody, headers: HeaderPairs): Uint8Array | undefined {
  if (part === undefined || headerValue(headers, "content-encoding") !== undefined) {
    return undefined;
  }
  return wholeRecords(headerValue(headers, "content-type") ?? "", part);
}

/** The fields of a request; without any, the one that every client adds, so that it counts as recorded. */
function shown(headers: HeaderPairs, url: string): HeaderPairs {
  if (headers.length > 0) return headers;
  return [["host", /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(url)?.[1] ?? "localhost"]];
}
