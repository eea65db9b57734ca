import { Buffer } from "node:buffer";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { trustedAuthorities } from "../../files/authorities.ts";
import { errorCode } from "../../files/files.ts";
import type { HttpResponse, Interaction } from "../../http/interaction.ts";
import type { SuggestedHttpRequest } from "../../suggest/suggestion.ts";

/** A request as it is sent, also one of a recording, whose body may be bytes. */
export interface SentHttpRequest extends Omit<SuggestedHttpRequest, "body"> {
  readonly body?: Uint8Array | string;
}

export type SendResult =
  | { readonly kind: "answered"; readonly interaction: Interaction }
  /** No response: the server is down, refuses the connection, or takes too long. */
  | { readonly kind: "failed"; readonly reason: string }
  /** Nothing was sent: no HTTP client can express the request. */
  | { readonly kind: "unsendable"; readonly reason: string };

export interface ProbeClientOptions {
  /** The URL of the server; requests to other origins are refused. */
  readonly server: string;
  /** Header fields for every request; they replace its own fields of the same name. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The maximum size of response bodies that are kept, in bytes. */
  readonly bodyLimit: number;
  /** The timeout for a response, from the request to the end of the body, in milliseconds. */
  readonly timeout: number;
  now(): number;
}

/** Sends requests to one server, one after the other, and follows no redirects. */
export class ProbeClient {
  readonly #options: ProbeClientOptions;
  readonly #origin: string;
  readonly #agent: HttpAgent;

  constructor(options: ProbeClientOptions) {
    this.#options = options;
    const { origin, protocol } = new URL(options.server);
    this.#origin = origin;
    const settings = { keepAlive: true, maxSockets: 1 };
    this.#agent = protocol === "https:"
      ? new HttpsAgent({ ...settings, ca: trustedAuthorities() })
      : new HttpAgent(settings);
  }

  async send(
    request: SentHttpRequest,
    signal: AbortSignal,
    timeLeft: number = Infinity,
  ): Promise<SendResult> {
    const url = new URL(request.url);
    if (url.origin !== this.#origin) {
      return { kind: "unsendable", reason: `It leads to ${url.origin}.` };
    }
    const headers = this.#mergeHeaders(request);
    const timeout = Math.min(this.#options.timeout, timeLeft);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeout);
    const ended = AbortSignal.any([signal, deadline.signal]);
    const started = performance.now();
    const timestamp = this.#options.now() / 1000;
    let message: IncomingMessage;
    let body: Pick<HttpResponse, "body" | "body_truncated">;
    try {
      message = await untilAborted(this.#start(url, request, headers, ended), ended);
      // The connection may end before the body does, or the timeout be over.
      body = await untilAborted(this.#read(message), ended).catch(() => ({ body_truncated: true }));
    } catch (error) {
      const reason = deadline.signal.aborted
        ? `no answer within ${timeout / 1000} seconds`
        : explainError(error);
      return { kind: isUnsendable(error) ? "unsendable" : "failed", reason };
    } finally {
      // A pending timer would keep the process alive; this one can be cleared, unlike `AbortSignal.timeout()`.
      clearTimeout(timer);
    }
    const elapsed = (performance.now() - started) / 1000;
    const response: HttpResponse = {
      status_code: message.statusCode,
      headers: listPairs(message.rawHeaders),
      elapsed,
      ...body,
    };
    const { method, url: target, body: sent } = request;
    return {
      kind: "answered",
      interaction: { request: { method, url: target, headers, body: sent }, response, timestamp },
    };
  }

  close(): void {
    this.#agent.destroy();
  }

  #mergeHeaders({ headers }: SentHttpRequest): Record<string, string> {
    const own = this.#options.headers;
    const replaced = new Set(own.map(([name]) => name.toLowerCase()));
    const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
    return Object.fromEntries([["Accept", "*/*"], ...kept, ...own]);
  }

  #start(
    url: URL,
    { method, body }: SentHttpRequest,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const length = bytes === undefined ? {} : { "Content-Length": String(bytes.length) };
    return new Promise((resolve, reject) => {
      const send = url.protocol === "https:" ? requestHttps : requestHttp;
      const outgoing = send(url, {
        method,
        headers: { ...headers, ...length },
        agent: this.#agent,
        signal,
      }, resolve);
      outgoing.on("error", reject);
      // Deno retries a request that is aborted while a kept connection is assigned to it.
      outgoing.on("socket", (socket) => {
        if (signal.aborted) socket.destroy();
      });
      outgoing.end(bytes);
    });
  }

  /** Reads the body; stops at the limit without waiting for the rest. */
  async #read(message: IncomingMessage): Promise<Pick<HttpResponse, "body" | "body_truncated">> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of message as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > this.#options.bodyLimit) {
        message.destroy();
        return { body_truncated: true };
      }
      pieces.push(piece);
    }
    return { body: Buffer.concat(pieces) };
  }
}

/** Rejects as soon as the signal is aborted: with a kept connection, the work itself may never settle. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject);
  });
}

function listPairs(raw: readonly string[]): [string, string][] {
  return Array.from(
    { length: raw.length >> 1 },
    (_, index) => [raw[2 * index] ?? "", raw[2 * index + 1] ?? ""],
  );
}

function isUnsendable(error: unknown): boolean {
  return /^ERR_(INVALID|UNESCAPED|HTTP_INVALID)/.test(String(errorCode(error)));
}

function explainError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const code = String(errorCode(error) ?? "");
  if (/CERT|SELF_SIGNED|UNABLE_TO_|UnknownIssuer|peer certificate/.test(`${code} ${text}`)) {
    return `the certificate of the server was rejected (${text}); trust its certificate authority with --ca ca.pem`;
  }
  // If several addresses were tried, the message is in the last of the errors.
  const { errors } = error as { readonly errors?: readonly unknown[] };
  const last = text === "" ? errors?.at(-1) : undefined;
  return last instanceof Error ? last.message : text || code || "no connection";
}
