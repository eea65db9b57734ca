import type { Http2SecureServer, ServerHttp2Session } from "node:http2";
import { clearTimeout, setImmediate, setTimeout } from "node:timers";

/** Requests that a client may have open at once on one connection: what web servers allow. */
export const MAX_STREAMS = 128;
/** Frames that cost a client nothing, but the proxy something: so many at once, then so many a second. */
const BURST = 500;
const EACH_SECOND = 33;

/** Settings of a server that limit its clients (Node.js knows the last two, and keeps to them by itself). */
export const HTTP2_LIMITS = {
  settings: { maxConcurrentStreams: MAX_STREAMS },
  streamResetBurst: BURST,
  streamResetRate: EACH_SECOND,
} as const;

/** Types of frames (RFC 9113, section 6). */
const RST_STREAM = 3;
const SETTINGS = 4;
const PING = 6;
/** The error code of a connection that asks for too much (RFC 9113, section 7). */
const ENHANCE_YOUR_CALM = 0xb;

/** Milliseconds for the reason to reach the client: a connection that is closed on unread bytes is reset. */
const LINGER = 2000;

const PREFACE_LENGTH = 24;
const FRAME_HEAD_LENGTH = 9;

/** Counts frames that keep a server busy at no cost (cancelled requests, pings, settings) before it sees them. */
export class FrameCount {
  /** Bytes until the next frame begins. */
  #rest = PREFACE_LENGTH;
  readonly #head = new Uint8Array(FRAME_HEAD_LENGTH);
  #headLength = 0;
  #left = BURST;
  #last: number | undefined;

  /** True if the server may read what has come by `now`, in milliseconds of any clock. */
  allows(bytes: Uint8Array, now: number): boolean {
    const earned = (now - (this.#last ?? now)) / 1000 * EACH_SECOND;
    this.#last = now;
    this.#left = Math.min(BURST, this.#left + earned);
    let offset = 0;
    while (offset < bytes.length) {
      if (this.#rest > 0) {
        const skipped = Math.min(this.#rest, bytes.length - offset);
        this.#rest -= skipped;
        offset += skipped;
        continue;
      }
      this.#head[this.#headLength++] = bytes[offset++] ?? 0;
      if (this.#headLength < FRAME_HEAD_LENGTH) continue;
      this.#headLength = 0;
      const [high = 0, middle = 0, low = 0, type = 0] = this.#head;
      this.#rest = high << 16 | middle << 8 | low;
      if (type === RST_STREAM || type === PING || type === SETTINGS) this.#left--;
    }
    return this.#left >= 0;
  }
}

/**
 * Ends HTTP/2 connections of clients that ask for too much, before the runtime breaks.
 *
 * The runtime has limits too, but Deno 2.7 frees a session twice where they are reached, which ends the program: a
 * thousand requests that are cancelled at once would do. So it must not see the frames that reach them.
 *
 * @param onExcess Called for each connection that is closed.
 */
export function limitHttp2(server: Http2SecureServer, onExcess: () => void): void {
  // Node.js reads connections internally, and does not break.
  if (!("Deno" in globalThis)) return;
  server.on("session", (session) => {
    const { socket } = session;
    const readers = socket.listeners("data") as ((chunk: Uint8Array) => void)[];
    const count = new FrameCount();
    if (readers.length === 0) return;
    let isOver = false;
    for (const reader of readers) socket.off("data", reader);
    socket.on("data", (chunk: Uint8Array) => {
      if (isOver) return;
      if (count.allows(chunk, performance.now())) {
        for (const reader of readers) reader.call(socket, chunk);
        return;
      }
      isOver = true;
      onExcess();
      end(session);
    });
  });
}

function end(session: ServerHttp2Session): void {
  if (session.destroyed) return;
  session.goaway(ENHANCE_YOUR_CALM);
  const timer = setTimeout(() => session.destroy(), LINGER);
  session.once("close", () => clearTimeout(timer));
}

type Ending = (...args: unknown[]) => void;

/**
 * Ends the HTTP/2 sessions of a server one turn of the event loop after they are told to end.
 *
 * Deno (2.9) frees a session as soon as that is done, even while it is reading what the client sent: a client that says
 * goodbye (GOAWAY) right after a large request would take the whole program down. Node.js waits by itself.
 */
export function deferSessionClose(server: Http2SecureServer): void {
  if (!("Deno" in globalThis)) return;
  server.on("session", (session) => {
    session.close = later(session, session.close as Ending);
    session.destroy = later(session, session.destroy as Ending);
  });
}

function later(session: ServerHttp2Session, end: Ending): Ending {
  return (...args) => void setImmediate(() => end.apply(session, args));
}
