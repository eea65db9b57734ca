import { Buffer } from "node:buffer";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { trustedAuthorities } from "../../files/authorities.ts";
import { errorCode } from "../../files/files.ts";
import type { HttpResponse, Interaction } from "../../http/interaction.ts";
import type { SuggestedHttpRequest } from "../../suggest/suggestion.ts";

export type Sent =
  | { readonly kind: "answered"; readonly interaction: Interaction }
  /** No answer came: the server is down, refuses, or takes too long. */
  | { readonly kind: "failed"; readonly reason: string }
  /** Nothing was sent: no HTTP client can express the request. */
  | { readonly kind: "unsendable"; readonly reason: string };

export interface ProbeClientOptions {
  /** The URL that requests go to; requests to other origins are refused. */
  readonly server: string;
  /** Header fields of every request, in place of its own of the same name. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes of a body of an answer that are kept. */
  readonly bodyLimit: number;
  /** Milliseconds to wait for an answer, from the request to the end of its body. */
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

  /** Sends a request, and waits for the whole answer no longer than for a silent server. */
  async send(
    request: SuggestedHttpRequest,
    signal: AbortSignal,
    longest: number = Infinity,
  ): Promise<Sent> {
    const url = new URL(request.url);
    if (url.origin !== this.#origin) {
      return { kind: "unsendable", reason: `It leads to ${url.origin}.` };
    }
    const headers = this.#headersOf(request);
    const timeout = Math.min(this.#options.timeout, longest);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeout);
    const over = AbortSignal.any([signal, deadline.signal]);
    const started = performance.now();
    const timestamp = this.#options.now() / 1000;
    let message: IncomingMessage;
    let body: Pick<HttpResponse, "body" | "body_truncated">;
    try {
      message = await untilAborted(this.#start(url, request, headers, over), over);
      // The connection may end before the body, or the time be over.
      body = await untilAborted(this.#read(message), over).catch(() => ({ body_truncated: true }));
    } catch (error) {
      const reason = deadline.signal.aborted
        ? `no answer within ${timeout / 1000} seconds`
        : explainError(error);
      return { kind: isUnsendable(error) ? "unsendable" : "failed", reason };
    } finally {
      // The program would wait for it: `AbortSignal.timeout()` can't be ended.
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

  #headersOf({ headers }: SuggestedHttpRequest): Record<string, string> {
    const own = this.#options.headers;
    const replaced = new Set(own.map(([name]) => name.toLowerCase()));
    const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
    return Object.fromEntries([["Accept", "*/*"], ...kept, ...own]);
  }

  #start(
    url: URL,
    { method, body }: SuggestedHttpRequest,
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
      // Deno tries a request again that was given up while a kept connection was handed to it.
      outgoing.on("socket", (socket) => {
        if (signal.aborted) socket.destroy();
      });
      outgoing.end(bytes);
    });
  }

  /** The body up to the limit; what is behind isn't waited for. */
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

/** Work, or an error as soon as it is given up: a connection that was kept may tell neither way. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason);
    if (signal.aborted) give();
    signal.addEventListener("abort", give, { once: true });
    work.then(resolve, reject);
  });
}

function listPairs(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    pairs.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  }
  return pairs;
}

/** True for a header or path that HTTP has no way to write. */
function isUnsendable(error: unknown): boolean {
  return /^ERR_(INVALID|UNESCAPED|HTTP_INVALID)/.test(String(errorCode(error)));
}

function explainError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const code = String(errorCode(error) ?? "");
  if (/CERT|SELF_SIGNED|UNABLE_TO_|UnknownIssuer|peer certificate/.test(`${code} ${text}`)) {
    return `the certificate of the server was rejected (${text}); trust its certificate authority with --ca ca.pem`;
  }
  // Where several addresses were tried, the sentence is that of the last.
  const { errors } = error as { readonly errors?: readonly unknown[] };
  const last = text === "" ? errors?.at(-1) : undefined;
  return last instanceof Error ? last.message : text || code || "no connection";
}
