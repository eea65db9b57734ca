import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { holdBack, letFlow, letFlowBehind } from "./backpressure.ts";
import { BodyCapture } from "./body_capture.ts";
import { breakOffRequest } from "./break_off_request.ts";
import { buildInteraction } from "./build_interaction.ts";
import { clearImmediate, setImmediate } from "node:timers";
import {
  type AnswerHead,
  answerHead,
  BODILESS_STATUS,
  http2Fields,
  statusProblem,
  trailerFields,
} from "./answer_head.ts";
import { endResponse, writePart } from "./end_response.ts";
import { failureSentence } from "./failure_sentence.ts";
import type { Guard } from "./guard.ts";
import { endToEnd, fieldRecord, isBeyondAscii, lengthProblem } from "./header_fields.ts";
import { formatHostAndPort } from "../http/host_and_port.ts";
import { isUnanswered } from "./kept_connection.ts";
import { ResponseCapture } from "./response_capture.ts";
import type { ProxiedRequest, ProxiedResponse } from "./proxied_message.ts";
import { forwardedFields, requestFields } from "./request_fields.ts";
import { sendHead } from "./send_head.ts";
import { breakOff, sendText } from "./send_text.ts";
import type { Services } from "./services.ts";
import type { Target } from "./target.ts";

/** Methods that change nothing (RFC 9110, section 9.2.1), so that a request may be sent a second time. */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);
/** Bytes of a body that are recorded while the client waits for the last of them: that takes a millisecond or two. */
const MOST_AT_ONCE = 64 * 1024;

/** A connection beneath which there may be TLS; the types do not know that Node.js and Deno tell of its handshake. */
type SecureSocket = Socket & { readonly secureConnecting?: boolean };

/** One request on its way to the server, and the answer on its way back. */
export class Exchange {
  readonly #request: ProxiedRequest;
  readonly #response: ProxiedResponse;
  readonly #target: Target;
  readonly #services: Services;
  readonly #guard: Guard;
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
  #answer: ResponseCapture | undefined;
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
    this.#guard = services.guard;
    const head = endToEnd(request.rawHeaders);
    this.#length = head.length;
    this.#isExpecting = head.isExpecting;
    this.#hasBody = "stream" in request
      ? !request.stream.endAfterHeaders
      : head.isChunked || (head.length ?? 0) > 0;
    this.#fields = requestFields(request, head, this.#hasBody, target);
    this.#capture = services.isCaptured(target) ? new BodyCapture(services.bodyLimit) : undefined;
    this.#end = services.begin(
      this.#guarded(() => this.#abort()),
      "stream" in request ? undefined : request.socket,
    );
    // Errors of either stream show as a close, which is where they are dealt with.
    request.on("error", ignore);
    response.on("error", ignore);
    // Deno and Node.js do not tell the response to a HEAD over HTTP/2 that its stream is closed.
    const closing = "stream" in response ? response.stream : response;
    closing.on("close", this.#guarded(() => this.#onClientClose()));
    response.sendDate = false;
    this.#guard.run(() => this.#begin(head.isAscii), this.#fail);
  }

  #begin(isAscii: boolean): void {
    this.#send(false);
    if (this.#upstream === undefined) return;
    if (!this.#hasBody || isAscii && !isBeyondAscii(this.#target.path)) this.#readBody();
    else {
      // The body has to wait until the head is gone, which is when there is a connection.
      sendHead(this.#upstream);
      const read = this.#guarded(() => this.#readBody());
      this.#upstream.once("socket", () => setImmediate(read));
    }
  }

  #guarded<Argument = void>(action: (argument: Argument) => void): (argument: Argument) => void {
    return this.#guard.handler(action, this.#fail);
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
      this.#refuse(400, `Cannot forward the request: ${messageOf(error)}.`);
      return;
    }
    this.#upstream = upstream;
    upstream.on("response", this.#guarded((answer: IncomingMessage) => this.#onAnswer(answer)));
    upstream.on("continue", this.#guarded(() => this.#onContinue()));
    upstream.on("upgrade", this.#guarded((answer: IncomingMessage) => this.#onAnswer(answer)));
    upstream.on("error", this.#guarded((error) => this.#onUpstreamError(upstream, error)));
    if (!this.#hasBody) upstream.end();
    else if (this.#isExpecting) sendHead(upstream);
  }

  #onContinue(): void {
    this.#isContinued = true;
    const { httpVersionMajor, httpVersionMinor } = this.#request;
    // HTTP/1.0 has no answers that are not final (RFC 9110, section 15.2).
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
      this.#guarded((chunk: Uint8Array) => {
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
          upstream.once("drain", this.#guarded(() => letFlow(request)));
        }
      }),
    );
    request.on(
      "end",
      this.#guarded(() => {
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

  #onAnswer(answer: IncomingMessage): void {
    answer.on("error", ignore);
    if (this.#isSettled) return;
    const request = this.#request;
    const response = this.#response;
    const status = answer.statusCode ?? 0;
    const isHttp2 = "stream" in response;
    const lengthIs = lengthProblem(answer.rawHeaders);
    const problem = statusProblem(status, isHttp2) ??
      (lengthIs && `its Content-Length ${lengthIs}`);
    if (status >= 200) this.#status = status;
    if (problem !== undefined) {
      this.#refuseAnswer(problem);
      return;
    }
    const method = request.method ?? "GET";
    const takesChunks = isHttp2 || request.httpVersionMinor > 0;
    const head = answerHead(answer, status, { isHttp2, takesChunks, method });
    if (this.#capture !== undefined) {
      const { fields, length } = head;
      this.#answer = new ResponseCapture(
        { method, status, fields, length },
        this.#services.responseBodyLimit,
      );
    }
    try {
      this.#writeHead(status, head);
    } catch (error) {
      this.#refuseAnswer(messageOf(error));
      return;
    }
    this.#passBody(answer, status, head);
  }

  #writeHead(status: number, { reason, fields }: AnswerHead): void {
    const response = this.#response;
    if ("stream" in response) response.writeHead(status, http2Fields(fields) as never);
    else {
      // The body that the client keeps back would be taken for its next request.
      if (this.#isExpecting && !this.#isContinued && !this.#isRequestComplete) {
        fields.push("Connection", "close");
      }
      response.writeHead(status, reason, fields);
    }
  }

  #passBody(answer: IncomingMessage, status: number, head: AnswerHead): void {
    const response = this.#response;
    const { length } = head;
    const isAscii = head.isAscii && !isBeyondAscii(head.reason);
    let received = 0;
    const flushHead = this.#guarded(() => {
      if (received === 0 && !this.#isSettled && !("stream" in response)) sendHead(response);
    });
    // After a head that nothing follows, Deno would not notice the client's next request over TLS.
    const isEmpty = length === 0 || BODILESS_STATUS.has(status) || this.#request.method === "HEAD";
    // Nearly always the body is there already, and goes out together with the head.
    const flush = isAscii && !isEmpty ? setImmediate(flushHead) : undefined;
    if (!isAscii && !isEmpty) flushHead();
    answer.on(
      "data",
      this.#guarded((chunk: Uint8Array) => {
        if (received === 0) clearImmediate(flush);
        received += chunk.length;
        this.#answer?.add(chunk);
        if (length !== undefined && received >= length) {
          this.#complete(() => endResponse(response, chunk));
        } else if (!writePart(response, chunk)) {
          holdBack(answer);
          response.once("drain", this.#guarded(() => letFlow(answer)));
        }
      }),
    );
    answer.on(
      "end",
      this.#guarded(() => {
        letFlowBehind(answer);
        if (this.#isSettled) return;
        this.#addTrailers(trailerFields(answer.rawTrailers));
        this.#complete(() => endResponse(response));
      }),
    );
    // An answer that breaks off must break off for the client too, not look complete.
    answer.on(
      "close",
      this.#guarded(() => {
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

  /** The server has answered, but not with something that the client can be given. */
  #refuseAnswer(problem: string): void {
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
      // The server closed the connection, which had idled, at this very moment.
      this.#isRepeated = true;
      this.#send(true);
      return;
    }
    const refuse = this.#guarded((clear: unknown) => this.#refuseFailure(clear));
    void this.#services.upstream.clarify(this.#target, error).then(refuse);
  }

  #refuseFailure(error: unknown): void {
    if (this.#isSettled) return;
    const failure = failureSentence(this.#target, error);
    this.#services.onFailure(this.#target, failure);
    // What was sent counts, even where no answer came.
    if (failure.kind === "broken" && this.#isRequestComplete) this.#record();
    this.#refuse(502, failure.sentence);
  }

  /** Only where it changes nothing, the server cannot have answered, and the client waits. */
  #mayRetry(upstream: ClientRequest): boolean {
    const request = this.#request;
    return !this.#isRepeated && !this.#hasBody && SAFE.has(request.method ?? "GET") &&
      isUnanswered(upstream) &&
      ("stream" in request ||
        !request.socket.readableEnded && !this.#services.hasEnded(request.socket));
  }

  /** The client is gone, or has everything. */
  #onClientClose(): void {
    // Other requests may go on where HTTP/2 is spoken.
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

  /** True if the whole request is on its way to the server, which may have it. */
  #isSent(): boolean {
    if (!this.#isRequestComplete) return false;
    const socket = this.#upstream?.socket as SecureSocket | null | undefined;
    // One that is sent again had been sent.
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

  /** Something in here threw: the client gets an error, or at least the end. */
  #onFailure(): void {
    if (this.#isSettled || this.#response.headersSent) {
      if (!this.#isSettled) this.#settle();
      this.#destroy();
      return;
    }
    this.#breakOff();
    this.#refuse(502, "covtool itself failed on this request. See the output of covtool proxy.");
  }

  /**
   * Everything of the answer has come. It is recorded before the client has it, so that nothing it knows of is lost; a
   * long one, which takes longer, right after that, as the last that is in flight.
   */
  #complete(finish: () => void): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const answer = this.#answer;
    answer?.complete();
    if ((answer?.length ?? 0) > MOST_AT_ONCE) {
      setImmediate(() => {
        this.#guard.run(() => this.#record(), ignore);
        this.#end();
      });
    } else {
      this.#end();
      this.#record();
    }
    // A server that answers early does not read the rest; the client may have to get rid of it.
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
    const answer = this.#answer;
    if (capture.isCut) this.#services.onCutBody(url, capture.length);
    else if (answer?.isCut === true) this.#services.onCutBody(url, answer.length);
    this.#services.record(buildInteraction({
      method: this.#request.method,
      url,
      fields: this.#fields,
      capture,
      isComplete: this.#isRequestComplete,
      status: this.#status,
      answer,
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
