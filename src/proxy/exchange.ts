import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import {
  breakOff,
  endResponse,
  holdBack,
  letFlow,
  letFlowBehind,
  type ProxiedRequest,
  type ProxiedResponse,
  sendHead,
  sendText,
  writePart,
} from "./send_response.ts";
import { BodyCapture, buildInteraction, ResponseCapture } from "./body_capture.ts";
import { breakOffRequest, isUnanswered } from "./upstream.ts";
import { clearImmediate, setImmediate } from "node:timers";
import {
  BODILESS_STATUS,
  http2Fields,
  statusProblem,
  trailerFields,
  type UpstreamResponseHead,
  upstreamResponseHead,
} from "./upstream_response.ts";
import { failureSentence } from "./failure_sentence.ts";
import type { ErrorBoundary } from "./error_boundary.ts";
import {
  endToEnd,
  fieldPairs,
  fieldRecord,
  fieldValue,
  forwardedFields,
  isBeyondAscii,
  lengthProblem,
  requestFields,
} from "./header_fields.ts";
import { formatHostAndPort } from "../http/host_and_port.ts";
import { isSequence } from "../http/whole_records.ts";
import { concatBytes } from "../values/collections.ts";
import type { WholeResponse } from "./proxy_options.ts";
import type { Services } from "./services.ts";
import type { Target } from "./target.ts";

/** Safe methods (RFC 9110, section 9.2.1): their requests may be sent a second time. */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);
/** Bodies up to this size are recorded before the client gets the last bytes; that takes a millisecond or two. */
const MAX_AT_ONCE = 64 * 1024;

/** A connection with TLS or without. Node.js and Deno have this property, but their types don't. */
type SecureSocket = Socket & { readonly secureConnecting?: boolean };

export class Exchange {
  readonly #request: ProxiedRequest;
  readonly #response: ProxiedResponse;
  readonly #target: Target;
  readonly #services: Services;
  readonly #boundary: ErrorBoundary;
  /** Ends the exchange after an unexpected error. */
  readonly #fail = (): void => this.#onFailure();
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
  #responseCapture: ResponseCapture | undefined;
  #received = 0;
  #isRequestComplete = false;
  #isContinued = false;
  #isRepeated = false;
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
    const head = endToEnd(request.rawHeaders);
    this.#length = head.length;
    this.#isExpecting = head.isExpecting;
    this.#hasBody = "stream" in request
      ? !request.stream.endAfterHeaders
      : head.isChunked || (head.length ?? 0) > 0;
    this.#fields = requestFields(request, head, this.#hasBody, target);
    this.#capture = services.isCaptured(target) ? new BodyCapture(services.bodyLimit) : undefined;
    this.#end = services.begin(
      this.#protected(() => this.#abort()),
      "stream" in request ? undefined : request.socket,
    );
    // After an error, each stream emits `close`, which is handled.
    request.on("error", ignore);
    response.on("error", ignore);
    // On Deno and Node.js, the response to a HEAD request over HTTP/2 doesn't emit `close`, but its stream does.
    const closing = "stream" in response ? response.stream : response;
    closing.on("close", this.#protected(() => this.#onClientClose()));
    response.sendDate = false;
    this.#boundary.run(() => this.#begin(head.isAscii), this.#fail);
  }

  #begin(isAscii: boolean): void {
    this.#send(false);
    if (this.#upstream === undefined) return;
    if (!this.#hasBody || isAscii && !isBeyondAscii(this.#target.path)) this.#readBody();
    else {
      // The body must be written after the head has been sent, which needs a connection.
      sendHead(this.#upstream);
      const read = this.#protected(() => this.#readBody());
      this.#upstream.once("socket", () => setImmediate(read));
    }
  }

  #protected<Argument = void>(action: (argument: Argument) => void): (argument: Argument) => void {
    return this.#boundary.handler(action, this.#fail);
  }

  #send(isFresh: boolean): void {
    let upstream: ClientRequest;
    try {
      upstream = this.#services.upstream.request({
        ...this.#target,
        method: this.#request.method ?? "GET",
        fields: forwardedFields(this.#fields, this.#request, this.#target),
        isFresh,
      });
    } catch (error) {
      this.#refuse(400, `Cannot forward the request: ${errorMessage(error)}.`);
      return;
    }
    this.#upstream = upstream;
    const onResponse = this.#protected((response: IncomingMessage) => this.#onResponse(response));
    upstream.on("response", onResponse);
    upstream.on("continue", this.#protected(() => this.#onContinue()));
    upstream.on("upgrade", onResponse);
    upstream.on("error", this.#protected((error) => this.#onUpstreamError(upstream, error)));
    if (!this.#hasBody) upstream.end();
    else if (this.#isExpecting) sendHead(upstream);
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
      this.#protected((chunk: Uint8Array) => {
        this.#received += chunk.length;
        this.#capture?.add(chunk);
        const upstream = this.#upstream;
        if (upstream === undefined || this.#isSettled || upstream.destroyed) return;
        if (this.#length !== undefined && this.#received >= this.#length) {
          // Deno loses track of a reused connection if end() is called without the last chunk.
          this.#isRequestComplete = true;
          upstream.end(chunk);
        } else if (!upstream.write(chunk)) {
          holdBack(request);
          upstream.once("drain", this.#protected(() => letFlow(request)));
        }
      }),
    );
    request.on(
      "end",
      this.#protected(() => {
        letFlowBehind(request);
        const upstream = this.#upstream;
        if (this.#isRequestComplete || upstream === undefined) return;
        this.#isRequestComplete = true;
        if (this.#isSettled || upstream.destroyed) return;
        const trailers = trailerFields(request.rawTrailers);
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
    const lengthIs = lengthProblem(upstreamResponse.rawHeaders);
    const problem = statusProblem(status, isHttp2) ??
      (lengthIs && `its Content-Length ${lengthIs}`);
    if (status >= 200) this.#status = status;
    if (problem !== undefined) {
      this.#refuseResponse(problem);
      return;
    }
    const method = request.method ?? "GET";
    const takesChunks = isHttp2 || request.httpVersionMinor > 0;
    const head = upstreamResponseHead(upstreamResponse, status, { isHttp2, takesChunks, method });
    if (this.#capture !== undefined) {
      const { fields, length } = head;
      this.#responseCapture = new ResponseCapture(
        { method, status, fields, length },
        this.#services.responseBodyLimit,
      );
    }
    if (this.#isHeld(head)) {
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
  #isHeld({ fields, length }: UpstreamResponseHead): boolean {
    return this.#capture !== undefined && this.#services.changeResponse !== undefined &&
      !isSequence(fieldValue(fields, "content-type") ?? "") &&
      (length ?? 0) <= this.#services.bodyLimit;
  }

  /** Waits for the whole body, then passes on the response, changed or not. A body over the limit passes unchanged. */
  #holdBody(upstreamResponse: IncomingMessage, status: number, head: UpstreamResponseHead): void {
    const chunks: Uint8Array[] = [];
    let held = 0;
    const release = (): void => {
      upstreamResponse.off("data", hold);
      upstreamResponse.off("end", end);
      this.#writeHead(status, head);
      this.#passBody(upstreamResponse, status, head, chunks);
    };
    const hold = this.#protected((chunk: Uint8Array) => {
      chunks.push(chunk);
      held += chunk.length;
      if (held > this.#services.bodyLimit) release();
    });
    const end = this.#protected(() => {
      if (this.#isSettled) return;
      const body = concatBytes(chunks);
      const changed = this.#changed(status, head, body);
      this.#responseCapture?.add(body);
      if (changed === undefined) {
        this.#writeHead(status, head);
        this.#addTrailers(trailerFields(upstreamResponse.rawTrailers));
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
    upstreamResponse.on("data", hold);
    upstreamResponse.on("end", end);
    this.#breakOffWith(upstreamResponse);
  }

  #changed(
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
    if ("stream" in response) response.writeHead(status, http2Fields(fields) as never);
    else {
      // The client may still send the body, which would be taken for the next request.
      if (this.#isExpecting && !this.#isContinued && !this.#isRequestComplete) {
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
    const isAscii = head.isAscii && !isBeyondAscii(head.reason);
    let received = 0;
    const flushHead = this.#protected(() => {
      if (received === 0 && !this.#isSettled && !("stream" in response)) sendHead(response);
    });
    // On Deno over TLS, the client's next request would not be noticed if only a head were sent here.
    const isEmpty = length === 0 || BODILESS_STATUS.has(status) || this.#request.method === "HEAD";
    // Usually the body is already there, and is sent together with the head.
    const flush = isAscii && !isEmpty ? setImmediate(flushHead) : undefined;
    if (!isAscii && !isEmpty) flushHead();
    const pass = this.#protected((chunk: Uint8Array) => {
      if (received === 0) clearImmediate(flush);
      received += chunk.length;
      this.#responseCapture?.add(chunk);
      if (length !== undefined && received >= length) {
        this.#complete(() => endResponse(response, chunk));
      } else if (!writePart(response, chunk)) {
        holdBack(upstreamResponse);
        response.once("drain", this.#protected(() => letFlow(upstreamResponse)));
      }
    });
    for (const chunk of held) pass(chunk);
    upstreamResponse.on("data", pass);
    upstreamResponse.on(
      "end",
      this.#protected(() => {
        letFlowBehind(upstreamResponse);
        if (this.#isSettled) return;
        this.#addTrailers(trailerFields(upstreamResponse.rawTrailers));
        this.#complete(() => endResponse(response));
      }),
    );
    if (held.length === 0) this.#breakOffWith(upstreamResponse);
  }

  /** If the response is cut off, the client's response is cut off as well, so that it doesn't look complete. */
  #breakOffWith(upstreamResponse: IncomingMessage): void {
    upstreamResponse.on(
      "close",
      this.#protected(() => {
        if (this.#isSettled) return;
        this.#services.onFailure(
          this.#target,
          failureSentence(this.#target, new Error("the response was cut off")),
        );
        this.#abort();
      }),
    );
  }

  #addTrailers(trailers: readonly string[]): void {
    if (trailers.length === 0) return;
    const response = this.#response;
    if ("stream" in response) response.addTrailers(http2Fields(trailers) as never);
    else response.addTrailers(fieldRecord(trailers, "as_sent") as never);
  }

  #refuseResponse(problem: string): void {
    const server = formatHostAndPort(this.#target);
    const sentence = `Cannot forward the response of ${server}: ${problem}.`;
    this.#services.onFailure(this.#target, { kind: "broken", sentence });
    if (this.#isRequestComplete) this.#record();
    this.#breakOff();
    this.#refuse(502, sentence);
  }

  #onUpstreamError(upstream: ClientRequest, error: unknown): void {
    if (this.#isSettled || upstream !== this.#upstream || this.#status !== undefined) return;
    if (this.#mayRetry(upstream)) {
      // The server closed the idle connection at this very moment.
      this.#isRepeated = true;
      this.#send(true);
      return;
    }
    const refuse = this.#protected((clear: unknown) => this.#refuseFailure(clear));
    void this.#services.upstream.clarify(this.#target, error).then(refuse);
  }

  #refuseFailure(error: unknown): void {
    if (this.#isSettled) return;
    const failure = failureSentence(this.#target, error, this.#services.upstream.proxy);
    this.#services.onFailure(this.#target, failure);
    // A complete request counts as sent, even if no response came.
    if (failure.kind === "broken" && this.#isRequestComplete) this.#record();
    this.#refuse(502, failure.sentence);
  }

  /** True if a request can be sent again: the method is safe, no response has begun, and the client still waits. */
  #mayRetry(upstream: ClientRequest): boolean {
    const request = this.#request;
    return !this.#isRepeated && !this.#hasBody && SAFE.has(request.method ?? "GET") &&
      isUnanswered(upstream) &&
      ("stream" in request || !request.socket.readableEnded);
  }

  #onClientClose(): void {
    // On HTTP/2, the connection may carry other requests.
    if ("stream" in this.#request) letFlowBehind(this.#request);
    if (this.#isSettled) return;
    this.#settle();
    if (this.#isSent()) this.#record();
    this.#breakOff();
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
    return this.#status !== undefined || this.#isRepeated ||
      socket?.connecting === false && socket.secureConnecting !== true;
  }

  #breakOff(): void {
    if (this.#upstream !== undefined) breakOffRequest(this.#upstream);
  }

  #destroy(): void {
    this.#breakOff();
    breakOff(this.#response);
  }

  /** Handles an unexpected error: the client gets an error response, or a closed connection if a response has begun. */
  #onFailure(): void {
    if (this.#isSettled || this.#response.headersSent) {
      if (!this.#isSettled) this.#settle();
      this.#destroy();
      return;
    }
    this.#breakOff();
    this.#refuse(502, "covtool itself failed on this request. See the output of covtool proxy.");
  }

  /** Completes the exchange. It is recorded before the client gets the end of the response; a long body right after. */
  #complete(finish: () => void): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const captured = this.#responseCapture;
    captured?.complete();
    if ((captured?.length ?? 0) > MAX_AT_ONCE) {
      setImmediate(() => {
        this.#boundary.run(() => this.#record(), ignore);
        this.#end();
      });
    } else {
      this.#end();
      this.#record();
    }
    // A server that responds early does not read the rest, but the client may have to send it.
    if (!this.#isRequestComplete) {
      letFlow(this.#request);
      this.#breakOff();
    }
    finish();
  }

  #refuse(status: number, sentence: string): void {
    if (this.#isSettled) return;
    this.#settle();
    letFlow(this.#request);
    sendText(this.#response, status, `covtool proxy: ${sentence}\n`, !this.#isRequestComplete);
  }

  #record(): void {
    const capture = this.#capture;
    if (capture === undefined) return;
    const { url } = this.#target;
    const captured = this.#responseCapture;
    if (capture.isCut) this.#services.onCutBody(url, capture.length);
    else if (captured?.isCut === true) this.#services.onCutBody(url, captured.length);
    this.#services.record(buildInteraction({
      method: this.#request.method,
      url,
      fields: this.#fields,
      capture,
      isComplete: this.#isRequestComplete,
      status: this.#status,
      response: captured,
      timestamp: this.#timestamp,
      started: this.#started,
    }));
  }

  #settle(): void {
    this.#isSettled = true;
    this.#end();
  }
}

function ignore(): void {}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
