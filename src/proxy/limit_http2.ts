import type { Http2SecureServer, ServerHttp2Session } from "node:http2";
import { clearTimeout, setImmediate, setTimeout } from "node:timers";

/** Maximum number of requests that a client may have in progress on one connection, as in usual web servers. */
export const MAX_STREAMS = 128;
/** Limit for frames that cost the client little and the proxy more: initial burst, then frames per second. */
const BURST = 500;
const FRAMES_PER_SECOND = 33;

/** Settings of an HTTP/2 server that limit its clients. Node.js enforces the last two itself. */
export const HTTP2_LIMITS = {
  settings: { maxConcurrentStreams: MAX_STREAMS },
  streamResetBurst: BURST,
  streamResetRate: FRAMES_PER_SECOND,
} as const;

/** Frame types (RFC 9113, section 6). */
const RST_STREAM = 3;
const SETTINGS = 4;
const PING = 6;
/** Error code for a client that causes excessive load (RFC 9113, section 7). */
const ENHANCE_YOUR_CALM = 0xb;

/** Milliseconds for the client to receive the reason: closing a connection with unread bytes resets it. */
const LINGER = 2000;

const PREFACE_LENGTH = 24;
const FRAME_HEAD_LENGTH = 9;

/** Counts frames that can overload a server at no cost (cancelled requests, pings, settings) before it reads them. */
export class FrameLimiter {
  #untilNextFrame = PREFACE_LENGTH;
  readonly #head = new Uint8Array(FRAME_HEAD_LENGTH);
  #headLength = 0;
  #allowance = BURST;
  #lastTime: number | undefined;

  /** True if the server may read these bytes. `now` is in milliseconds of any clock. */
  allows(bytes: Uint8Array, now: number): boolean {
    const earned = (now - (this.#lastTime ?? now)) / 1000 * FRAMES_PER_SECOND;
    this.#lastTime = now;
    this.#allowance = Math.min(BURST, this.#allowance + earned);
    let offset = 0;
    while (offset < bytes.length) {
      if (this.#untilNextFrame > 0) {
        const skipped = Math.min(this.#untilNextFrame, bytes.length - offset);
        this.#untilNextFrame -= skipped;
        offset += skipped;
        continue;
      }
      this.#head[this.#headLength++] = bytes[offset++] ?? 0;
      if (this.#headLength < FRAME_HEAD_LENGTH) continue;
      this.#headLength = 0;
      const [high = 0, middle = 0, low = 0, type = 0] = this.#head;
      this.#untilNextFrame = high << 16 | middle << 8 | low;
      if (type === RST_STREAM || type === PING || type === SETTINGS) this.#allowance--;
    }
    return this.#allowance >= 0;
  }
}

/**
 * Closes HTTP/2 connections of clients that cause excessive load.
 *
 * The runtimes have limits too, but when they are reached, Deno 2.7 frees a session twice, which ends the process: a
 * thousand requests cancelled at once are enough. So the frames beyond the limit are withheld from Deno.
 *
 * @param onExcess Called for each connection that is closed.
 */
export function limitHttp2(server: Http2SecureServer, onExcess: () => void): void {
  // Node.js reads connections internally, and doesn't have this problem.
  if (!("Deno" in globalThis)) return;
  server.on("session", (session) => {
    const { socket } = session;
    const readers = socket.listeners("data") as ((chunk: Uint8Array) => void)[];
    const limiter = new FrameLimiter();
    if (readers.length === 0) return;
    let isClosed = false;
    for (const reader of readers) socket.off("data", reader);
    socket.on("data", (chunk: Uint8Array) => {
      if (isClosed) return;
      if (limiter.allows(chunk, performance.now())) {
        for (const reader of readers) reader.call(socket, chunk);
        return;
      }
      isClosed = true;
      onExcess();
      endSession(session);
    });
  });
}

function endSession(session: ServerHttp2Session): void {
  if (session.destroyed) return;
  session.goaway(ENHANCE_YOUR_CALM);
  const timer = setTimeout(() => session.destroy(), LINGER);
  session.once("close", () => clearTimeout(timer));
}

type CloseFunction = (...args: unknown[]) => void;

/**
 * Delays close() and destroy() of a server's HTTP/2 sessions by one turn of the event loop.
 *
 * Deno (2.9) frees a session immediately, even while it is reading data of the client: a client that sends GOAWAY right
 * after a large request would end the process. Node.js waits by itself.
 */
export function deferSessionClose(server: Http2SecureServer): void {
  if (!("Deno" in globalThis)) return;
  server.on("session", (session) => {
    session.close = defer(session, session.close as CloseFunction);
    session.destroy = defer(session, session.destroy as CloseFunction);
  });
}

function defer(session: ServerHttp2Session, end: CloseFunction): CloseFunction {
  return (...args) => void setImmediate(() => end.apply(session, args));
}
