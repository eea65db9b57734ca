import { type HttpResponse, type Interaction, mayHaveBody } from "../http/interaction.ts";
import { wholeRecords } from "../http/whole_records.ts";
import type { ObservedBody, SeenBody } from "./body_buffer.ts";
import { type HeaderPairs, headerValue, withContentType } from "./header_pairs.ts";
import { isEncodedAs } from "../http/encoding.ts";

// Tests may put clocks of their own in the place of these, and some of their environments have no stopwatch.
const { now: wallClock } = Date;
const stopwatch = globalThis.performance?.now.bind(performance);

export interface ExchangeSink {
  readonly testName: string | undefined;
  record(plugin: string, interaction: Interaction): void;
  /** Counts work as pending until it is done; the promise given back never rejects. */
  follow(plugin: string, work: Promise<void>, abandon?: ObservedBody["abandon"]): Promise<void>;
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
  readonly #sink: ExchangeSink;
  readonly #plugin: string;
  /** The time at which it began, in seconds since 1970. */
  readonly timestamp: number;
  /** The test that was running then; a response may come when another one is. */
  readonly test: string | undefined;
  readonly #started = stopwatch();
  #isFinished = false;

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
  sink: ExchangeSink,
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
  const record = (sent: SeenBody, came: SeenBody | undefined): void =>
    sink.record(plugin, {
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
  let left = bodies.length;
  const waits = bodies.map(async (one, index): Promise<void> => {
    const see = (part: SeenBody): void => {
      seen[index] = part;
      if (--left === 0) record(seen[0] as SeenBody, seen[1]); // all have come
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
