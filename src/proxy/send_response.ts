import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { clearTimeout, setTimeout } from "node:timers";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Readable } from "node:stream";

interface Handle {
  readStop(): unknown;
  readStart(): unknown;
}

/** Stopped handles by message, as a message may lose its connection before it is read again. */
const stoppedHandles = new WeakMap<Readable, Handle>();

/**
 * Stops reading a message until {@linkcode resumeReading}, so that a sender faster than the receiver waits and memory
 * doesn't fill up.
 *
 * On Node.js, a pause is enough. Deno (2.7 to 2.9) goes on reading below TLS without a limit, and older versions get
 * slower the more there is. So on Deno, the handle below TLS is stopped as well.
 */
export function pauseReading(message: Readable): void {
  message.pause();
  const handle = handleBelowTls(message);
  if (handle === undefined || stoppedHandles.has(message)) return;
  stoppedHandles.set(message, handle);
  handle.readStop();
}

export function resumeReading(message: Readable): void {
  resumeConnection(message);
  message.resume();
}

/** Resumes reading the connection, if a message was held back that may have ended since. */
export function resumeConnection(message: Readable): void {
  stoppedHandles.get(message)?.readStart();
  stoppedHandles.delete(message);
}

function handleBelowTls(message: Readable): Handle | undefined {
  if (!("Deno" in globalThis)) return undefined;
  const { socket } = message as {
    readonly socket?: { readonly _handle?: { readonly _parent?: Partial<Handle> } | null };
  };
  const handle = socket?._handle?._parent;
  return typeof handle?.readStop === "function" && typeof handle.readStart === "function"
    ? handle as Handle
    : undefined;
}

/** The number of pending writes, and whether the response ends after the last one. */
const pendingWrites = new WeakMap<ProxiedResponse, { count: number; isEnding: boolean }>();

/** Milliseconds for a client to send the rest of its request, if the connection ends after the response. */
const LINGER = 2000;

/** Writes a part of a body; false if the client must catch up first. {@linkcode endResponse} ends the body. */
export function writePart(response: ProxiedResponse, bytes: Uint8Array): boolean {
  if ("stream" in response) return response.write(bytes);
  const state = pendingWrites.get(response) ?? { count: 0, isEnding: false };
  pendingWrites.set(response, state);
  state.count++;
  return response.write(bytes, () => {
    if (--state.count === 0 && state.isEnding) response.end();
  });
}

/**
 * Ends a response, with a last part if there is one.
 *
 * Closing a connection while its client is still sending resets it, and the response may be lost (RFC 9112, section
 * 9.6). So a response with which the connection ends waits for the end of its request, but not long.
 *
 * @param closes True if the head of the response has `Connection: close`.
 */
export function endResponse(response: ProxiedResponse, last?: Uint8Array, closes = false): void {
  const { req: request } = response;
  const keepsAlive = "stream" in response || response.shouldKeepAlive && !closes;
  if (keepsAlive || request.complete) {
    if (last === undefined) endAfterWrites(response);
    else (response as ServerResponse).end(last);
    return;
  }
  if (last !== undefined) writePart(response, last);
  endAfterRequest(request as IncomingMessage, response as ServerResponse);
}

function endAfterRequest(request: IncomingMessage, response: ServerResponse): void {
  const end = (): void => {
    clearTimeout(timer);
    endAfterWrites(response);
  };
  const timer = setTimeout(end, LINGER);
  request.once("end", end);
  response.once("close", () => clearTimeout(timer));
  request.resume();
}

/**
 * Ends a response after its last write; over TLS, once all writes are finished.
 *
 * Over TLS, Deno (2.7 to 2.9) never ends a response whose end adds no bytes (with a length or in HTTP/1.0) while a
 * write is pending: the connection's next request is not read, nor is the connection closed.
 */
function endAfterWrites(response: ProxiedResponse): void {
  const state = pendingWrites.get(response);
  const isSecure = "encrypted" in response.req.socket;
  if (!isSecure || state === undefined || state.count === 0) (response as ServerResponse).end();
  else state.isEnding = true;
}

/** Responds with plain text. `closes` ends an HTTP/1.1 connection afterwards. */
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
    // `response` keeps fields that it failed to send before, so `stream` is used.
    const { stream } = response;
    if (stream.destroyed || stream.headersSent) return;
    stream.respond({ ":status": status, ...fields });
    stream.end(body);
    return;
  }
  response.writeHead(status, closes ? { ...fields, connection: "close" } : fields);
  endResponse(response, body, closes);
}

/** Cuts off a response, so that the client does not take it for complete. */
export function cutOffResponse(response: ProxiedResponse): void {
  if ("stream" in response) response.stream.close(INTERNAL_ERROR);
  else response.destroy();
}

/** Error code of HTTP/2 (RFC 9113, section 7). */
const INTERNAL_ERROR = 2;

/** Returns a whole HTTP/1.1 response that ends the connection. An example of `status` is `502 Bad Gateway`. */
export function plainResponse(status: string, text: string): Uint8Array {
  const { length } = new TextEncoder().encode(text);
  return new TextEncoder().encode(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${length}\r\nConnection: close\r\n\r\n${text}`,
  );
}

export type ProxiedRequest = IncomingMessage | Http2ServerRequest;
export type ProxiedResponse = ServerResponse | Http2ServerResponse;

/**
 * Sends the head of a message before its body, byte for byte. The body must be written later.
 *
 * Node.js normally writes each character of a head as one byte, but `flushHeaders()` encodes it in UTF-8. So does Deno
 * (2.7 to 2.9) over TLS if the head is sent together with a body of bytes.
 */
export function sendHead(message: ClientRequest | ServerResponse): void {
  message.write("", "latin1");
  message.socket?.uncork();
}
