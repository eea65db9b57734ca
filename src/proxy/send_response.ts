import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { clearTimeout, setTimeout } from "node:timers";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Readable } from "node:stream";

interface Handle {
  readStop(): unknown;
  readStart(): unknown;
}

/** What was stopped for a message, which may lose its connection before it is read on. */
const stopped = new WeakMap<Readable, Handle>();

/**
 * Stops reading a message until {@linkcode letFlow}, so that a sender which is faster than the receiver waits instead
 * of filling the memory.
 *
 * A pause is enough on Node.js. Deno (2.7 to 2.9) goes on reading what lies beneath TLS, without a limit, and its
 * older versions get slower the more there is: there, what TLS reads from is stopped too.
 */
export function holdBack(message: Readable): void {
  message.pause();
  const handle = handleBeneathTls(message);
  if (handle === undefined || stopped.has(message)) return;
  stopped.set(message, handle);
  handle.readStop();
}

export function letFlow(message: Readable): void {
  letFlowBehind(message);
  message.resume();
}

/** Reads on what follows a message on its connection, which may have ended while it was held back. */
export function letFlowBehind(message: Readable): void {
  stopped.get(message)?.readStart();
  stopped.delete(message);
}

function handleBeneathTls(message: Readable): Handle | undefined {
  if (!("Deno" in globalThis)) return undefined;
  const { socket } = message as {
    readonly socket?: { readonly _handle?: { readonly _parent?: Partial<Handle> } | null };
  };
  const handle = socket?._handle?._parent;
  return typeof handle?.readStop === "function" && typeof handle.readStart === "function"
    ? handle as Handle
    : undefined;
}

/** How many writes are on their way, and what follows the last one. */
interface Writing {
  count: number;
  isEnding: boolean;
}

const writing = new WeakMap<ProxiedResponse, Writing>();

/** Milliseconds for a client to send the rest of its request, where the connection ends behind the response. */
const LINGER = 2000;

/** False if the client has to catch up first; {@linkcode endWritten} may end the body. */
export function writePart(response: ProxiedResponse, bytes: Uint8Array): boolean {
  if ("stream" in response) return response.write(bytes);
  const state = writing.get(response) ?? { count: 0, isEnding: false };
  writing.set(response, state);
  state.count++;
  return response.write(bytes, () => {
    if (--state.count === 0 && state.isEnding) response.end();
  });
}

/**
 * Ends a response, with its last part if there is one.
 *
 * A connection that is closed on a client which is still sending is reset, and the response may get lost in that (RFC
 * 9112, section 9.6). So a response behind which the connection ends waits for the end of its request, but not long.
 *
 * @param closes True if its head says that the connection ends behind it.
 */
export function endResponse(response: ProxiedResponse, last?: Uint8Array, closes = false): void {
  const { req: request } = response;
  const stays = "stream" in response || response.shouldKeepAlive && !closes;
  if (stays || request.complete) {
    if (last === undefined) endWritten(response);
    else (response as ServerResponse).end(last);
    return;
  }
  if (last !== undefined) writePart(response, last);
  endBehind(request as IncomingMessage, response as ServerResponse);
}

function endBehind(request: IncomingMessage, response: ServerResponse): void {
  const end = (): void => {
    clearTimeout(timer);
    endWritten(response);
  };
  const timer = setTimeout(end, LINGER);
  request.once("end", end);
  response.once("close", () => clearTimeout(timer));
  request.resume();
}

/**
 * Ends a response of which all parts are written; over TLS, as soon as they are gone.
 *
 * Over TLS, Deno (2.7 to 2.9) never ends a response whose end has no bytes of its own, as behind a length or in HTTP/1.0,
 * if a write is still on its way: neither the next request of the connection is read then, nor is it closed.
 */
function endWritten(response: ProxiedResponse): void {
  const state = writing.get(response);
  const isSecure = "encrypted" in response.req.socket;
  if (!isSecure || state === undefined || state.count === 0) (response as ServerResponse).end();
  else state.isEnding = true;
}

/** Answers with plain text; `closes` the connection afterwards, where the client speaks HTTP/1.1. */
export function sendText(
  response: ProxiedResponse,
  status: number,
  text: string,
  closes: boolean,
): void {
  const body = new TextEncoder().encode(text);
  const fields = {
    "content-type": "text/plain; charset=utf-8",
    "content-length": String(body.length),
  };
  if ("stream" in response) {
    // The response itself remembers fields that it failed to send before.
    const { stream } = response;
    if (stream.destroyed || stream.headersSent) return;
    stream.respond({ ":status": status, ...fields });
    stream.end(body);
    return;
  }
  response.writeHead(status, closes ? { ...fields, connection: "close" } : fields);
  endResponse(response, body, closes);
}

/** Breaks off a response, so that the client does not take it for a complete one. */
export function breakOff(response: ProxiedResponse): void {
  if ("stream" in response) response.stream.close(INTERNAL_ERROR);
  else response.destroy();
}

/** The error code of HTTP/2 (RFC 9113, section 7). */
const INTERNAL_ERROR = 2;

/** A whole answer over HTTP/1.1, after which the connection ends; `status` is `502 Bad Gateway`, say. */
export function plainResponse(status: string, text: string): Uint8Array {
  const { length } = new TextEncoder().encode(text);
  return new TextEncoder().encode(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${length}\r\nConnection: close\r\n\r\n${text}`,
  );
}

/** A client's request, over HTTP/1.1 or HTTP/2. */
export type ProxiedRequest = IncomingMessage | Http2ServerRequest;
export type ProxiedResponse = ServerResponse | Http2ServerResponse;

/**
 * Sends the head of a message before its body, byte for byte. What it is to be followed by must be written later.
 *
 * Node.js writes one byte for each character of a head, but not in `flushHeaders()`, which makes UTF-8 of it; nor does
 * Deno (2.7 to 2.9) over TLS where a head and a body that are bytes go out together.
 */
export function sendHead(message: ClientRequest | ServerResponse): void {
  message.write("", "latin1");
  message.socket?.uncork();
}
