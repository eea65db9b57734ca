import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { holdBack, letFlow } from "./backpressure.ts";
import { BodyCapture } from "./body_capture.ts";
import { clearImmediate, setImmediate } from "node:timers";
import { failureSentence } from "./failure_sentence.ts";
import {
  endToEnd,
  fieldRecord,
  fieldValue,
  isBeyondAscii,
  joinCookies,
  withField,
} from "./header_fields.ts";
import { isUnanswered } from "./kept_connection.ts";
import { sendHead } from "./send_head.ts";
import type { Services } from "./services.ts";
import type { Target } from "./target.ts";

/** A request of a client, over HTTP/1.1 or HTTP/2. */
export type ProxiedRequest = IncomingMessage | Http2ServerRequest;
/** The answer to it. */
export type ProxiedResponse = ServerResponse | Http2ServerResponse;

/** Methods that change nothing (RFC 9110, section 9.2.1), so that a request may be sent a second time. */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);
/** Methods for which no body means that there is none; all others say so with a length of 0. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

/** Statuses of answers that never have a body (RFC 9112, section 6.3). */
const BODILESS_STATUS: ReadonlySet<number> = new Set([204, 304]);

/** One request on its way to the server, and the answer on its way back. */
export class Exchange {
  readonly #request: ProxiedRequest;
  readonly #response: ProxiedResponse;
  readonly #target: Target;
  readonly #services: Services;
  readonly #capture: BodyCapture | undefined;
  readonly #fields: string[];
  readonly #hasBody: boolean;
  readonly #length: number | undefined;
  readonly #isExpecting: boolean;
  readonly #timestamp = Date.now() / 1000;
  readonly #started = performance.now();
  readonly #end: () => void;
  #upstream: ClientRequest | undefined;
  #status: number | undefined;
  /** Bytes of the request's body that have come. */
  #received = 0;
  #isRequestComplete = false;
  #isContinued = false;
  #isRepeated = false;
  #isSettled = false;

  /** Begins at once. */
  constructor(
    request: ProxiedRequest,
    response: ProxiedResponse,
    target: Target,
    services: Services,
  ) {
    this.#request = request;
    this.#response = response;
    this.#target = target;
    this.#services = services;
    const { fields, length, isChunked, isExpecting, isAscii } = endToEnd(request.rawHeaders);
    this.#length = length;
    this.#isExpecting = isExpecting;
    this.#hasBody = "stream" in request
      ? !request.stream.endAfterHeaders
      : isChunked || (length ?? 0) > 0;
    this.#fields = this.#requestFields(fields);
    this.#capture = services.isCaptured(target) ? new BodyCapture(services.bodyLimit) : undefined;
    this.#end = services.begin(() => this.#abort());
    // Errors of either stream show as a close, which is where they are dealt with.
    request.on("error", ignore);
    response.on("error", ignore);
    response.on("close", () => this.#onClientClose());
    response.sendDate = false;
    this.#send(false);
    if (this.#upstream === undefined) return;
    if (!this.#hasBody || isAscii && !isBeyondAscii(target.path)) this.#readBody();
    else {
      // The body has to wait until the head is gone, which is when there is a connection.
      sendHead(this.#upstream);
      this.#upstream.once("socket", () => setImmediate(() => this.#readBody()));
    }
  }

  #requestFields(endToEndFields: string[]): string[] {
    const { hostField } = this.#target;
    let fields = endToEndFields;
    const method = this.#request.method ?? "GET";
    if (this.#request.httpVersionMajor === 2) {
      fields = joinCookies(fields);
      if (fieldValue(fields, "host") === undefined) {
        const authority = fieldValue(this.#request.rawHeaders, ":authority");
        if (authority !== undefined) fields.unshift("Host", authority);
      }
    }
    if (hostField !== undefined) fields = withField(fields, "Host", hostField);
    if (this.#length === undefined) {
      if (this.#hasBody) fields.push("Transfer-Encoding", "chunked");
      else if (!BODILESS.has(method)) fields.push("Content-Length", "0");
    }
    return fields;
  }

  #send(isFresh: boolean): void {
    let upstream: ClientRequest;
    try {
      upstream = this.#services.upstream.request({
        ...this.#target,
        method: this.#request.method ?? "GET",
        fields: this.#fields,
        isFresh,
      });
    } catch (error) {
      this.#refuse(400, `The request cannot be passed on: ${messageOf(error)}.`);
      return;
    }
    this.#upstream = upstream;
    upstream.on("response", (answer) => this.#onAnswer(answer));
    upstream.on("continue", () => {
      this.#isContinued = true;
      this.#response.writeContinue();
    });
    upstream.on("error", (error) => this.#onUpstreamError(upstream, error));
    if (!this.#hasBody) upstream.end();
    else if (this.#isExpecting) sendHead(upstream);
  }

  #readBody(): void {
    const request = this.#request;
    if (!this.#hasBody) {
      this.#isRequestComplete = true;
      request.resume();
      return;
    }
    request.on("data", (chunk: Uint8Array) => {
      this.#received += chunk.length;
      this.#capture?.add(chunk);
      const upstream = this.#upstream;
      if (upstream === undefined || this.#isSettled || upstream.destroyed) return;
      if (this.#length !== undefined && this.#received >= this.#length) {
        // Deno loses track of a kept connection when the end comes on its own.
        this.#isRequestComplete = true;
        upstream.end(chunk);
      } else if (!upstream.write(chunk)) {
        holdBack(request);
        upstream.once("drain", () => letFlow(request));
      }
    });
    request.on("end", () => {
      const upstream = this.#upstream;
      if (this.#isRequestComplete || upstream === undefined) return;
      this.#isRequestComplete = true;
      if (this.#isSettled || upstream.destroyed) return;
      const trailers = request.rawTrailers;
      if (trailers.length > 0) upstream.addTrailers(fieldRecord(trailers, "as_sent") as never);
      upstream.end();
    });
  }

  #onAnswer(answer: IncomingMessage): void {
    const status = answer.statusCode ?? 502;
    this.#status = status;
    const { length, isAscii } = this.#writeHead(answer, status);
    const response = this.#response;
    let received = 0;
    const flushHead = (): void => {
      if (received === 0 && !this.#isSettled && !("stream" in response)) sendHead(response);
    };
    // Behind a head that nothing follows, Deno would not hear of the client's next request over TLS.
    const isEmpty = length === 0 || BODILESS_STATUS.has(status) || this.#request.method === "HEAD";
    // Nearly always the body is there already, and goes out together with the head.
    const flush = isAscii && !isEmpty ? setImmediate(flushHead) : undefined;
    if (!isAscii && !isEmpty) flushHead();
    answer.on("error", ignore);
    answer.on("data", (chunk: Uint8Array) => {
      if (received === 0) clearImmediate(flush);
      received += chunk.length;
      if (length !== undefined && received >= length) {
        this.#complete();
        response.end(chunk);
      } else if (!(response as ServerResponse).write(chunk)) {
        holdBack(answer);
        response.once("drain", () => letFlow(answer));
      }
    });
    answer.on("end", () => {
      if (this.#isSettled) return;
      const trailers = answer.rawTrailers;
      if (trailers.length > 0) response.addTrailers(fieldRecord(trailers, "as_sent") as never);
      this.#complete();
      response.end();
    });
    // An answer that breaks off must break off for the client too, not look complete.
    answer.on("close", () => {
      if (this.#isSettled) return;
      this.#services.onFailure(
        this.#target,
        failureSentence(this.#target, new Error("the answer was cut off")),
      );
      this.#abort();
    });
  }

  #writeHead(
    answer: IncomingMessage,
    status: number,
  ): { readonly length: number | undefined; readonly isAscii: boolean } {
    const { fields, length, isAscii } = endToEnd(answer.rawHeaders);
    const response = this.#response;
    if ("stream" in response) {
      response.writeHead(status, fieldRecord(fields, "lower_case") as never);
    } else {
      // The body that the client keeps back would be taken for its next request.
      if (this.#isExpecting && !this.#isContinued && !this.#isRequestComplete) {
        fields.push("Connection", "close");
      }
      response.writeHead(status, answer.statusMessage, fields);
    }
    return {
      length: this.#request.method === "HEAD" ? undefined : length,
      isAscii: isAscii && !isBeyondAscii(answer.statusMessage ?? ""),
    };
  }

  #onUpstreamError(upstream: ClientRequest, error: unknown): void {
    if (this.#isSettled || upstream !== this.#upstream || this.#status !== undefined) return;
    if (this.#mayRepeat(upstream)) {
      // The server closed the connection, which had idled, at this very moment.
      this.#isRepeated = true;
      this.#send(true);
      return;
    }
    const failure = failureSentence(this.#target, error);
    this.#services.onFailure(this.#target, failure);
    // What was sent counts, even where no answer came.
    if (failure.kind === "broken" && this.#isRequestComplete) this.#record();
    this.#refuse(502, failure.sentence);
  }

  /** Only where it changes nothing, the server cannot have answered, and the client waits. */
  #mayRepeat(upstream: ClientRequest): boolean {
    const request = this.#request;
    return !this.#isRepeated && !this.#hasBody && SAFE.has(request.method ?? "GET") &&
      isUnanswered(upstream) && ("stream" in request || !request.socket.readableEnded);
  }

  /** The client is gone, or has everything. */
  #onClientClose(): void {
    if (this.#isSettled) return;
    this.#settle();
    if (this.#isRequestComplete && this.#upstream?.socket?.connecting === false) this.#record();
    this.#upstream?.destroy();
  }

  #abort(): void {
    if (this.#isSettled) return;
    this.#settle();
    if (this.#isRequestComplete && this.#status !== undefined) this.#record();
    this.#upstream?.destroy();
    if ("stream" in this.#response) this.#response.stream.close(2);
    else this.#response.destroy();
  }

  /** Everything of the answer has come. It is recorded before the client has it, so that nothing it knows of is lost. */
  #complete(): void {
    if (this.#isSettled) return;
    this.#settle();
    this.#record();
    // A server that answers early does not read the rest; the client may have to get rid of it.
    if (!this.#isRequestComplete) {
      letFlow(this.#request);
      this.#upstream?.destroy();
    }
  }

  #refuse(status: number, sentence: string): void {
    if (this.#isSettled) return;
    this.#settle();
    const response = this.#response;
    letFlow(this.#request);
    const body = new TextEncoder().encode(`covtool proxy: ${sentence}\n`);
    const fields = {
      "content-type": "text/plain; charset=utf-8",
      "content-length": String(body.length),
    };
    if ("stream" in response) response.writeHead(status, fields);
    else {
      response.writeHead(
        status,
        this.#isRequestComplete ? fields : { ...fields, connection: "close" },
      );
    }
    response.end(body);
  }

  #record(): void {
    const capture = this.#capture;
    if (capture === undefined) return;
    const { url } = this.#target;
    const isTruncated = capture.isCut || !this.#isRequestComplete;
    if (capture.isCut) this.#services.onCutBody(url, capture.length);
    const status = this.#status;
    this.#services.record({
      request: {
        method: this.#request.method ?? "GET",
        url,
        headers: fieldRecord(this.#fields, "as_sent"),
        ...(capture.length > 0 && { body: capture.bytes() }),
        ...(isTruncated && { body_truncated: true }),
      },
      ...(status !== undefined && {
        response: {
          status_code: status,
          elapsed: Math.round((performance.now() - this.#started) * 1000) / 1e6,
        },
      }),
      timestamp: this.#timestamp,
    });
  }

  #settle(): void {
    this.#isSettled = true;
    this.#end();
  }
}

function ignore(): void {}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
