import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import {
  cutOffResponse,
  endResponse,
  pauseReading,
  type ProxiedRequest,
  type ProxiedResponse,
  resumeConnection,
  resumeReading,
  sendHead,
  sendText,
  writePart,
} from "./send_response.ts";
import { BodyCapture, buildInteraction, ResponseCapture } from "./body_capture.ts";
import { abortRequest, isUnansweredReuse } from "./upstream.ts";
import { clearImmediate, setImmediate } from "node:timers";
import {
  BODILESS_STATUS,
  buildHttp2Fields,
  buildResponseHead,
  buildTrailerFields,
  statusProblem,
  type UpstreamResponseHead,
} from "./upstream_response.ts";
import { describeFailure } from "./describe_failure.ts";
import { type ErrorBoundary, ignore } from "./error_boundary.ts";
import {
  addForwardedHost,
  buildRequestFields,
  fieldPairs,
  fieldRecord,
  fieldValue,
  hasNonAscii,
  lengthProblem,
  readEndToEnd,
} from "./header_fields.ts";
import { formatHostAndPort } from "../http/host_and_port.ts";
import { isSequence } from "../http/complete_records.ts";
import { concatBytes } from "../values/collections.ts";
import type { WholeResponse } from "./proxy_options.ts";
import type { Services } from "./services.ts";
import type { Target } from "./target.ts";

/** Safe methods (RFC 9110, section 9.2.1): their requests may be sent a second time. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);
/** Bodies up to this size are recorded before the client gets the last bytes; that takes a millisecond or two. */
const MAX_SYNC_RECORDING = 64 * 1024;

/** A connection with TLS or without. Node.js and Deno have this property, but their types don't. */
type SecureSocket = Socket & { readonly secureConnecting?: boolean };

export class Exchange {
  readonly #request: ProxiedRequest;
  readonly #response: ProxiedResponse;
  readonly #target: Target;
  readonly #services: Services;
  readonly #boundary: ErrorBoundary;
  readonly #onFailure = (): void => this.#handleFailure();
  readonly #capture: BodyCapture | undefined;
  readonly #fields: string[];
  readonly #hasBody: boolean;
  readonly #length: number | undefined;
  readonly #expectsContinue: boolean;
  readonly #timestamp = Date.now() / 1000;
  readonly #startTime = performance.now();
  readonly #endExchange: () => void;
  #upstream: ClientRequest | undefined;
  #status: number | undefined;
  #responseCapture: ResponseCapture | undefined;
  #received = 0;
  #isRequestComplete = false;
  #isContinued = false;
  #isRetried = false;
  #isSettled = false;

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
    this.#boundary = services.boundary;
    const head = readEndToEnd(request.rawHeaders);
    this.#length = head.length;
    this.#expectsContinue = head.expectsContinue;
    this.#hasBody = "stream" in request
      ? !request.stream.endAfterHeaders
      : head.isChunked || (head.length ?? 0) > 0;
    this.#fields = buildRequestFields(request, head, this.#hasBody, target);
    this.#capture = services.isCaptured(target) ? new BodyCapture(services.bodyLimit) : undefined;
    this.#endExchange = services.begin(
      this.#guard(() => this.#abort()),
      "stream" in request ? undefined : request.socket,
    );
    // After an error, each stream emits `close`, which is handled.
    request.on("error", ignore);
    response.on("error", ignore);
    // On Deno and Node.js, the response to a HEAD request over HTTP/2 doesn't emit `close`, but its stream does.
    const closingStream = "stream" in response ? response.stream : response;
    closingStream.on("close", this.#guard(() => this.#onClientClose()));
    response.sendDate = false;
    this.#boundary.run(() => this.#begin(head.isAscii), this.#onFailure);
  }

  #begin(isAscii: boolean): void {
    this.#send(false);
    if (this.#upstream === undefined) return;
    if (!this.#hasBody || isAscii && !hasNonAscii(this.#target.path)) this.#readBody();
    else {
      // The body must be written after the head has been sent, which needs a connection.
      sendHead(this.#upstream);
      const read = this.#guard(() => this.#readBody());
      this.#upstream.once("socket", () => setImmediate(read));
    }
  }

  #guard<Argument = void>(action: (argument: Argument) => void): (argument: Argument) => void {
    return this.#boundary.handler(action, this.#onFailure);
  }

  #send(isFresh: boolean): void {
    let upstream: ClientRequest;
    try {
      upstream = this.#services.upstream.request({
        ...this.#target,
        method: this.#request.method ?? "GET",
        fields: addForwardedHost(this.#fields, this.#request, this.#target),
        onNewConnection: isFresh,
      });
    } catch (error) {
      this.#refuse(400, `Cannot forward the request: ${errorMessage(error)}.`);
      return;
    }
    this.#upstream = upstream;
    const onResponse = this.#guard((response: IncomingMessage) => this.#onResponse(response));
    upstream.on("response", onResponse);
    upstream.on("continue", this.#guard(() => this.#onContinue()));
    upstream.on("upgrade", onResponse);
    upstream.on("error", this.#guard((error) => this.#onUpstreamError(upstream, error)));
    if (!this.#hasBody) upstream.end();
    else if (this.#expectsContinue) sendHead(upstream);
  }

  #onContinue(): void {
    this.#isContinued = true;
    const { httpVersionMajor, httpVersionMinor } = this.#request;
    // HTTP/1.0 has no interim responses (RFC 9110, section 15.2).
    if (httpVersionMajor === 1 && httpVersionMinor === 0) return;
    if (!this.#isSettled) this.#response.writeContinue();
  }

  #readBody(): void {
    const request = this.#request;
    if (!this.#hasBody) {
      this.#isRequestComplete = true;
      request.resume();
      return;
    }
    request.on(
      "data",
      this.#guard((chunk: Uint8Array) => {
        this.#received += chunk.length;
        this.#capture?.add(chunk);
        const upstream = this.#upstream;
        if (upstream === undefined || this.#isSettled || upstream.destroyed) return;
        if (this.#length !== undefined && this.#received >= this.#length) {
          // Deno loses track of a reused connection if end() is called without the last chunk.
          this.#isRequestComplete = true;
          upstream.end(chunk);
        } else if (!upstream.write(chunk)) {
          pauseReading(request);
          upstream.once("drain", this.#guard(() => resumeReading(request)));
        }
      }),
    );
    request.on(
      "end",
      this.#guard(() => {
        resumeConnection(request);
        const upstream = this.#upstream;
        if (this.#isRequestComplete || upstream === undefined) return;
        this.#isRequestComplete = true;
        if (this.#isSettled || upstream.destroyed) return;
        const trailers = buildTrailerFields(request.rawTrailers);
        if (trailers.length > 0) upstream.addTrailers(fieldRecord(trailers, "as_sent") as never);
        upstream.end();
      }),
    );
  }

  #onResponse(upstreamResponse: IncomingMessage): void {
    upstreamResponse.on("error", ignore);
    if (this.#isSettled) return;
    const request = this.#request;
    const response = this.#response;
    const status = upstreamResponse.statusCode ?? 0;
    const isHttp2 = "stream" in response;
    const lengthFault = lengthProblem(upstreamResponse.rawHeaders);
    const problem = statusProblem(status, isHttp2) ??
      (lengthFault && `its Content-Length ${lengthFault}`);
    if (status >= 200) this.#status = status;
    if (problem !== undefined) {
      this.#refuseResponse(problem);
      return;
    }
    const method = request.method ?? "GET";
    const supportsChunks = isHttp2 || request.httpVersionMinor > 0;
    const head = buildResponseHead(upstreamResponse, status, { isHttp2, supportsChunks, method });
    if (this.#capture !== undefined) {
      const { fields, length } = head;
      this.#responseCapture = new ResponseCapture(
        { method, status, fields, length },
        this.#services.responseBodyLimit,
      );
    }
    if (this.#mayChange(head)) {
      this.#holdBody(upstreamResponse, status, head);
      return;
    }
    try {
      this.#writeHead(status, head);
    } catch (error) {
      this.#refuseResponse(errorMessage(error));
      return;
    }
    this.#passBody(upstreamResponse, status, head);
  }

  /** True if the whole response must arrive before the client gets any of it, since it may be changed. */
  #mayChange({ fields, length }: UpstreamResponseHead): boolean {
    return this.#capture !== undefined && this.#services.changeResponse !== undefined &&
      !isSequence(fieldValue(fields, "content-type") ?? "") &&
      (length ?? 0) <= this.#services.bodyLimit;
  }

  /** Waits for the whole body, then passes on the response, changed or not. A body over the limit passes unchanged. */
  #holdBody(upstreamResponse: IncomingMessage, status: number, head: UpstreamResponseHead): void {
    const chunks: Uint8Array[] = [];
    let heldLength = 0;
    const release = (): void => {
      upstreamResponse.off("data", onData);
      upstreamResponse.off("end", onEnd);
      this.#writeHead(status, head);
      this.#passBody(upstreamResponse, status, head, chunks);
    };
    const onData = this.#guard((chunk: Uint8Array) => {
      chunks.push(chunk);
      heldLength += chunk.length;
      if (heldLength > this.#services.bodyLimit) release();
    });
    const onEnd = this.#guard(() => {
      if (this.#isSettled) return;
      const body = concatBytes(chunks);
      const changed = this.#changeResponse(status, head, body);
      this.#responseCapture?.add(body);
      if (changed === undefined) {
        this.#writeHead(status, head);
        this.#addTrailers(buildTrailerFields(upstreamResponse.rawTrailers));
        this.#complete(() => endResponse(this.#response, body.length === 0 ? undefined : body));
        return;
      }
      const isSent = this.#request.method !== "HEAD" && !BODILESS_STATUS.has(changed.status);
      const fields = changed.headers.flat();
      if (isSent && fieldValue(fields, "content-length") === undefined) {
        fields.push("Content-Length", String(changed.body.length));
      }
      this.#writeHead(changed.status, { ...head, reason: "", fields });
      const last = isSent && changed.body.length > 0 ? changed.body : undefined;
      this.#complete(() => endResponse(this.#response, last));
    });
    upstreamResponse.on("data", onData);
    upstreamResponse.on("end", onEnd);
    this.#abortOnClose(upstreamResponse);
  }

  #changeResponse(
    status: number,
    { fields }: UpstreamResponseHead,
    body: Uint8Array,
  ): WholeResponse | undefined {
    const capture = this.#capture;
    return this.#services.changeResponse?.({
      method: this.#request.method ?? "GET",
      url: this.#target.url,
      headers: fieldRecord(this.#fields, "as_sent"),
      ...(capture !== undefined && capture.length > 0 && { body: capture.bytes() }),
    }, { status, headers: fieldPairs(fields), body });
  }

  #writeHead(status: number, { reason, fields }: UpstreamResponseHead): void {
    const response = this.#response;
    if ("stream" in response) response.writeHead(status, buildHttp2Fields(fields) as never);
    else {
      // The client may still send the body, which would be taken for the next request.
      if (this.#expectsContinue && !this.#isContinued && !this.#isRequestComplete) {
        fields.push("Connection", "close");
      }
      response.writeHead(status, reason, fields);
    }
  }

  /** @param held The beginning of the body, if it was held back. */
  #passBody(
    upstreamResponse: IncomingMessage,
    status: number,
    head: UpstreamResponseHead,
    held: readonly Uint8Array[] = [],
  ): void {
    const response = this.#response;
    const { length } = head;
    const isAscii = head.isAscii && !hasNonAscii(head.reason);
    let received = 0;
    const flushHead = this.#guard(() => {
      if (received === 0 && !this.#isSettled && !("stream" in response)) sendHead(response);
    });
    // On Deno over TLS, the client's next request would not be noticed if only a head were sent here.
    const isEmpty = length === 0 || BODILESS_STATUS.has(status) || this.#request.method === "HEAD";
    // Usually the body is already there, and is sent together with the head.
    const flush = isAscii && !isEmpty ? setImmediate(flushHead) : undefined;
    if (!isAscii && !isEmpty) flushHead();
    const onData = this.#guard((chunk: Uint8Array) => {
      if (received === 0) clearImmediate(flush);
      received += chunk.length;
      this.#responseCapture?.add(chunk);
      if (length !== undefined && received >= length) {
        this.#complete(() => endResponse(response, chunk));
      } else if (!writePart(response, chunk)) {
        pauseReading(upstreamResponse);
        response.once("drain", this.#guard(() => resumeReading(upstreamResponse)));
      }
    });
    for (const chunk of held) onData(chunk);
    upstreamResponse.on("data", onData);
    upstreamResponse.on(
      "end",
      this.#guard(() => {
        resumeConnection(upstreamResponse);
        if (this.#isSettled) return;
        this.#addTrailers(buildTrailerFields(upstreamResponse.rawTrailers));
        this.#complete(() => endResponse(response));
      }),
    );
    if (held.length === 0) this.#abortOnClose(upstreamResponse);
  }

  /** If the response is cut off, the client's response is cut off as well, so that it doesn't look complete. */
  #abortOnClose(upstreamResponse: IncomingMessage): void {
    upstreamResponse.on(
      "close",
      this.#guard(() => {
        if (this.#isSettled) return;
        this.#services.reportFailure(
          this.#target,
          describeFailure(this.#target, new Error("the response was cut off")),
        );
        this.#abort();
      }),
    );
  }

  #addTrailers(trailers: readonly string[]): void {
    if (trailers.length === 0) return;
    const response = this.#response;
    if ("stream" in response) response.addTrailers(buildHttp2Fields(trailers) as never);
    else response.addTrailers(fieldRecord(trailers, "as_sent") as never);
  }

  #refuseResponse(problem: string): void {
    const server = formatHostAndPort(this.#target);
    const sentence = `Cannot forward the response of ${server}: ${problem}.`;
    this.#services.reportFailure(this.#target, { kind: "broken", sentence });
    if (this.#isRequestComplete) this.#record();
    this.#abortUpstream();
    this.#refuse(502, sentence);
  }

  #onUpstreamError(upstream: ClientRequest, error: unknown): void {
    if (this.#isSettled || upstream !== this.#upstream || this.#status !== undefined) return;
    if (this.#mayRetry(upstream)) {
      // The server closed the idle connection at this very moment.
      this.#isRetried = true;
      this.#send(true);
      return;
    }
    const refuse = this.#guard((clarified: unknown) => this.#reportFailure(clarified));
    void this.#services.upstream.clarify(this.#target, error).then(refuse);
  }

  #reportFailure(error: unknown): void {
    if (this.#isSettled) return;
    const failure = describeFailure(this.#target, error, this.#services.upstream.proxy);
    this.#services.reportFailure(this.#target, failure);
    // A complete request counts as sent, even if no response came.
    if (failure.kind === "broken" && this.#isRequestComplete) this.#record();
    this.#refuse(502, failure.sentence);
  }

  /** True if a request can be sent again: the method is safe, no response has begun, and the client still waits. */
  #mayRetry(upstream: ClientRequest): boolean {
    const request = this.#request;
    return !this.#isRetried && !this.#hasBody && SAFE_METHODS.has(request.method ?? "GET") &&
      isUnansweredReuse(upstream) &&
      ("stream" in request || !request.socket.readableEnded);
  }

  #onClientClose(): void {
    // On HTTP/2, the connection may carry other requests.
    if ("stream" in this.#request) resumeConnection(this.#request);
    if (this.#isSettled) return;
    this.#settle();
    if (this.#isSent()) this.#record();
    this.#abortUpstream();
  }

  #abort(): void {
    if (this.#isSettled) return;
    this.#settle();
    if (this.#isSent()) this.#record();
    this.#destroy();
  }

  /** True if the whole request was sent, so that the server may have received it. */
  #isSent(): boolean {
    if (!this.#isRequestComplete) return false;
    const socket = this.#upstream?.socket as SecureSocket | null | undefined;
    // A repeated request was already sent once.
    return this.#status !== undefined || this.#isRetried ||
      socket?.connecting === false && socket.secureConnecting !== true;
  }

  #abortUpstream(): void {
    if (this.#upstream !== undefined) abortRequest(this.#upstream);
  }

  #destroy(): void {
    this.#abortUpstream();
    cutOffResponse(this.#response);
  }

  /** Handles an unexpected error: the client gets an error response, or a closed connection if a response has begun. */
  #handleFailure(): void {
    if (this.#isSettled || this.#response.headersSent) {
      if (!this.#isSettled) this.#settle();
      this.#destroy();
      return;
    }
    this.#abortUpstream();
    this.#refuse(502, "covtool itself failed on this request. See the output of covtool proxy.");
  }

  /** Completes the exchange. It is recorded before the client gets the end of the response; a long body right after. */
  #complete(finish: () => void): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const responseCapture = this.#responseCapture;
    responseCapture?.complete();
    if ((responseCapture?.length ?? 0) > MAX_SYNC_RECORDING) {
      setImmediate(() => {
        this.#boundary.run(() => this.#record(), ignore);
        this.#endExchange();
      });
    } else {
      this.#endExchange();
      this.#record();
    }
    // A server that responds early does not read the rest, but the client may have to send it.
    if (!this.#isRequestComplete) {
      resumeReading(this.#request);
      this.#abortUpstream();
    }
    finish();
  }

  #refuse(status: number, sentence: string): void {
    if (this.#isSettled) return;
    this.#settle();
    resumeReading(this.#request);
    sendText(this.#response, status, `covtool proxy: ${sentence}\n`, !this.#isRequestComplete);
  }

  #record(): void {
    const capture = this.#capture;
    if (capture === undefined) return;
    const { url } = this.#target;
    const responseCapture = this.#responseCapture;
    if (capture.isCut) this.#services.reportCutBody(url, capture.length);
    else if (responseCapture?.isCut === true) {
      this.#services.reportCutBody(url, responseCapture.length);
    }
    this.#services.record(buildInteraction({
      method: this.#request.method,
      url,
      fields: this.#fields,
      capture,
      isComplete: this.#isRequestComplete,
      status: this.#status,
      response: responseCapture,
      timestamp: this.#timestamp,
      startTime: this.#startTime,
    }));
  }

  #settle(): void {
    this.#isSettled = true;
    this.#endExchange();
  }
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
