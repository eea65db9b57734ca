import { type Diagnostic, diagnostic } from "../values/diagnostic.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type Interaction,
  type InteractionDetails,
  mayHaveBody,
} from "../http/interaction.ts";
import { type CapturedBody, CUT_CAPTURE, type ObservedBody } from "./body_buffer.ts";
import { completeRecords } from "../http/complete_records.ts";
import { type HeaderPairs, headerValue, withContentType } from "../http/header_pairs.ts";
import { isEncodedAs } from "../http/encoding.ts";

/** The maximum size of recorded bodies: 10 MiB, as in the proxy. A longer body counts as not recorded. */
export const BODY_LIMIT: number = 10 * 1024 * 1024;

/** Milliseconds to wait for more of a body before it counts as stalled. */
const BODY_TIMEOUT = 300;

// Kept here, as tests may replace timers and clocks. Some test environments have no `performance`.
const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis;
const { now: wallClock } = Date;
const stopwatch = globalThis.performance?.now.bind(performance) ?? wallClock;

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
  currentInput: unknown = undefined;
  /** The test to which requests belong from now on; a function is called for each request. */
  test: TestName | undefined = undefined;
  /** True if nothing is recorded, so that clients are left untouched. */
  readonly isDormant: boolean;
  readonly #record: RecordInteraction;
  readonly #onFault: ((message: string) => void) | undefined;
  readonly #onPending: SinkOptions["onPending"];
  readonly #tracked = new WeakSet<object>();
  readonly #faults = new Map<string, number>();
  readonly #pendingWork = new Map<Promise<void>, ObservedBody["abandon"]>();

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

  get pending(): number {
    return this.#pendingWork.size;
  }

  get diagnostics(): readonly Diagnostic[] {
    const diagnostics: Diagnostic[] = [...this.#faults].map(([message, count]) =>
      diagnostic(
        "warning",
        "recording_failed",
        "",
        count === 1 ? message : `${message} (${count.toLocaleString("en-US")} times)`,
      )
    );
    if (this.pending > 0) {
      const subject = this.pending === 1
        ? "1 request is not counted yet, because its body is"
        : `${
          this.pending.toLocaleString("en-US")
        } requests are not counted yet, because their bodies are`;
      const message = `${subject} still being read; await map.settled() before the report`;
      diagnostics.push(diagnostic("info", "pending", "", message));
    }
    return diagnostics;
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
      this.#addFault(plugin, error);
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
  announcePending(interaction: () => Interaction): () => void {
    const ignoreErrors = <T>(work: () => T): T | undefined => {
      try {
        return work();
      } catch {
        return undefined; // no problem: the interaction is recorded later
      }
    };
    const end = this.isDormant ? undefined : ignoreErrors(() => this.#onPending?.(interaction()));
    return () => void ignoreErrors(() => end?.());
  }

  /** Counts work as pending until it is done. The returned promise never rejects. */
  addPending(
    plugin: string,
    work: Promise<void>,
    abandon?: ObservedBody["abandon"],
  ): Promise<void> {
    const tracked = work.then(undefined, (error) => this.#addFault(plugin, error))
      .then(() => void this.#pendingWork.delete(tracked));
    this.#pendingWork.set(tracked, abandon);
    return tracked;
  }

  /** Records interactions whose bodies nobody has begun to read. */
  flush(reason: "requested" | "responded" | "exit" = "requested"): void {
    if (this.#pendingWork.size === 0) return;
    for (const abandon of [...this.#pendingWork.values()]) abandon?.(reason);
  }

  /** Resolves when no body is being read any more. Stalled bodies are cut. */
  async settled(): Promise<void> {
    this.flush("responded");
    while (this.#pendingWork.size > 0) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const timedOut = new Promise<boolean>((resolve) => {
        timer = setTimer(() => resolve(true), BODY_TIMEOUT);
      });
      const done = Promise.all(this.#pendingWork.keys()).then(() => false);
      const hasTimedOut = await Promise.race([done, timedOut]);
      clearTimer(timer);
      if (hasTimedOut) {
        for (const abandon of [...this.#pendingWork.values()]) abandon?.("timeout");
      }
    }
  }

  #addFault(plugin: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${plugin}: a request could not be recorded: ${reason}`;
    const count = this.#faults.get(message);
    if (count === undefined && this.#faults.size >= FAULT_LIMIT) return;
    this.#faults.set(message, (count ?? 0) + 1);
    if (count !== undefined) return;
    try {
      this.#onFault?.(message);
    } catch {
      // The fault is also among the diagnostics.
    }
  }
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
  readonly #startTime = stopwatch();
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
    const elapsed = (stopwatch() - this.#startTime) / 1000;
    const response = status === undefined ? undefined : { status_code: status, elapsed };
    if (response === undefined) request.body.abandon?.("failed");
    return recordWhenComplete(this.#sink, this.#plugin, request, response, this, content);
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
    recordWhenComplete(this.#sink, this.#plugin, { ...request, url }, response, this, content);
  }
}

/** Records a request: now, or once its body and its response's body were seen. */
export function recordWhenComplete(
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
  body.abandon?.("responded");
  const received =
    response !== undefined && mayHaveBody(request.method.toUpperCase(), response.status_code)
      ? content?.body
      : undefined;
  const bodies = received === undefined ? [body] : [body, received];
  const interaction = (sentBody: CapturedBody, receivedBody?: CapturedBody): Interaction => ({
    request: {
      method: request.method,
      url: request.url,
      headers: headersOrHost(
        withContentType(request.headers, body.contentType, body.isRebuilt === true),
        request.url,
      ),
      ...(sentBody.data !== undefined && { body: sentBody.data }),
      ...(sentBody.isCut && { body_truncated: true }),
    },
    response: response && content ? withContent(response, content, receivedBody) : response,
    timestamp,
    ...(test !== undefined && { test }),
  });
  const captures: CapturedBody[] = [];
  let endPending = (): void => {};
  let bodiesLeft = bodies.length;
  const pendingCaptures = bodies.map(async (observed, index): Promise<void> => {
    const add = (part: CapturedBody): void => {
      captures[index] = part;
      if (--bodiesLeft > 0) return;
      sink.record(plugin, interaction(captures[0] as CapturedBody, captures[1])); // both are present
      endPending();
    };
    const current = observed.captured();
    if (!(current instanceof Promise)) add(current);
    // At once if possible, so that a caller who has read a response finds it counted.
    else if (observed.onCaptured === undefined) add(await current);
    else {
      observed.onCaptured(add);
      await current;
    }
  });
  if (bodiesLeft === 0) return undefined;
  endPending = sink.announcePending(() =>
    interaction(captures[0] ?? CUT_CAPTURE, received && (captures[1] ?? CUT_CAPTURE))
  );
  return sink.addPending(plugin, Promise.all(pendingCaptures).then(() => {}), (reason) => {
    for (const one of bodies) one.abandon?.(reason);
  });
}

function withContent(
  response: HttpResponse,
  { headers, isDecoded }: ReceivedContent,
  seen: CapturedBody | undefined,
): HttpResponse {
  if (seen === undefined) return { ...response, headers };
  const data = seen.isCut ? countedPart(seen, headers) : seen.data ?? new Uint8Array();
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
function countedPart({ part }: CapturedBody, headers: HeaderPairs): Uint8Array | undefined {
  if (part === undefined || headerValue(headers, "content-encoding") !== undefined) {
    return undefined;
  }
  return completeRecords(headerValue(headers, "content-type") ?? "", part);
}

/** Returns the fields or, if there are none, `Host`, which every client adds, so that headers count as recorded. */
function headersOrHost(headers: HeaderPairs, url: string): HeaderPairs {
  if (headers.length > 0) return headers;
  return [["host", /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(url)?.[1] ?? "localhost"]];
}
