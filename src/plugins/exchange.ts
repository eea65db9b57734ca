import type { HttpResponse, Interaction } from "../http/interaction.ts";
import type { ObservedBody, SeenBody } from "./body_buffer.ts";
import { type HeaderPairs, withContentType } from "./header_pairs.ts";

// Tests may put clocks of their own in the place of these, and some of their environments have no stopwatch.
const { now: wallClock } = Date;
const stopwatch = globalThis.performance?.now.bind(performance);

/** The part of a plugin's sink that an exchange is handed to. */
export interface ExchangeSink {
  /** The name of the test that is running. */
  readonly testName: string | undefined;
  /** Records an interaction; never throws. */
  record(plugin: string, interaction: Interaction): void;
  /** Counts work as pending until it is done; the promise given back never rejects. */
  follow(plugin: string, work: Promise<void>, abandon?: ObservedBody["abandon"]): Promise<void>;
}

/** A request as a plugin saw it. */
export interface SentRequest {
  /** In any case. */
  readonly method: string;
  /** The full URL, or a path where the host is not known. */
  readonly url: string;
  /** As they were when the request was sent. */
  readonly headers: HeaderPairs;
  /** The body that goes with it. */
  readonly body: ObservedBody;
}

/** The receiver of finished exchanges. */
export interface ExchangeSink {
  /** The name of the test that is running, if one is. */
  readonly testName: string | undefined;
  /** Records an interaction; never throws. */
  record(plugin: string, interaction: Interaction): void;
  /** Counts work as pending until it is done; the promise given back never rejects. */
  follow(plugin: string, work: Promise<void>, abandon: ObservedBody["abandon"]): Promise<void>;
}

/** One attempt to send a request, from its beginning to the status of its response. */
export class Exchange {
  readonly #sink: ExchangeSink;
  readonly #plugin: string;
  /** The time at which it began, in seconds since 1970. */
  readonly timestamp: number;
  /** The test that was running then; a response may come when another one is. */
  readonly test: string | undefined;
  readonly #started = stopwatch();
  #isFinished = false;

  /** Begins now. */
  constructor(sink: ExchangeSink, plugin: string) {
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

  /**
   * Records the exchange, once its request's body was seen; a second time does nothing.
   *
   * @param status Undefined if no response came.
   * @returns when it is recorded; already recorded where the body was seen before.
   */
  finish(request: SentRequest, status: number | undefined): Promise<void> | undefined {
    if (this.#isFinished) return undefined;
    this.#isFinished = true;
    const elapsed = (stopwatch() - this.#started) / 1000;
    const response = status === undefined ? undefined : { status_code: status, elapsed };
    return recordSent(this.#sink, this.#plugin, request, response, this);
  }
}

/** The time at which a request was sent, and its test. */
export interface SentWhen {
  /** Seconds since 1970. */
  readonly timestamp: number | undefined;
  /** The test that sent it. */
  readonly test: string | undefined;
}

/**
 * Records a request, now or when its body was seen.
 *
 * @param when Seconds since 1970 alone where the test that is running now sent it.
 */
export function recordSent(
  sink: ExchangeSink,
  plugin: string,
  request: SentRequest,
  response: HttpResponse | undefined,
  when: SentWhen | number | undefined,
): Promise<void> | undefined {
  const { body } = request;
  const { timestamp, test } = typeof when === "object"
    ? when
    : { timestamp: when, test: sink.testName };
  body.abandon?.(response === undefined ? "failed" : "answered");
  const record = (seen: SeenBody): void =>
    sink.record(plugin, {
      request: {
        method: request.method,
        url: request.url,
        headers: withContentType(request.headers, body.contentType, body.isRebuilt === true),
        ...(seen.data !== undefined && { body: seen.data }),
        ...(seen.isCut && { body_truncated: true }),
      },
      response,
      timestamp,
      ...(test !== undefined && { test }),
    });
  if (body.seen instanceof Promise) {
    return sink.follow(plugin, body.seen.then(record), body.abandon);
  }
  record(body.seen);
  return undefined;
}
