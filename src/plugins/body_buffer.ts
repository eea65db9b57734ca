import { latin1Bytes } from "../http/body_text.ts";
import { concatBytes } from "../values/collections.ts";

export interface SeenBody {
  /** All of it; undefined if there is none, or where it was cut. */
  readonly data: Uint8Array | string | undefined;
  /** True if a body was sent that was not seen to its end, or was longer than the limit. */
  readonly isCut: boolean;
  /** The part of a cut body that was seen, where somebody asked for it. */
  readonly part?: Uint8Array | undefined;
}

export interface ObservedBody {
  /** The part of it that was seen; a promise, which never rejects, while it is still on its way. */
  readonly seen: () => SeenBody | Promise<SeenBody>;
  /** The media type that goes with the body where the caller names none. */
  readonly contentType?: string | undefined;
  /** True if the body was written anew, so that its own media type (with its boundary) counts. */
  readonly isRebuilt?: boolean | undefined;
  /** Stops waiting for a body that is no longer read. */
  readonly abandon?: ((reason: AbandonReason) => void) | undefined;
  /** Calls back at the moment at which it was seen, where that is known at once. */
  readonly whenSeen?: ((callback: (seen: SeenBody) => void) => void) | undefined;
}

/** Why a body may not be read on: it failed or was answered, counts are asked for, it stalled, or the process ends. */
export type AbandonReason = "failed" | "answered" | "asked" | "awaited" | "ended";

export const CUT: SeenBody = { data: undefined, isCut: true };

export const NO_BODY: ObservedBody = { seen: () => ({ data: undefined, isCut: false }) };

export const CUT_BODY: ObservedBody = { seen: () => CUT };

/** Collects copies of what passes of a body, up to a limit in bytes; a longer one counts as cut. */
export class BodyBuffer {
  readonly #limit: number;
  readonly #keepsPart: boolean;
  readonly #promise: Promise<SeenBody>;
  #resolve: (seen: SeenBody) => void = () => {};
  #chunks: Uint8Array[] = [];
  #length = 0;
  #seen: SeenBody | undefined;
  #isStarted = false;
  /** The length at which someone last waited for it. */
  #awaitedAt: number | undefined;
  #onCut: () => void = () => {};
  #onSeen: ((seen: SeenBody) => void)[] = [];

  constructor(limit: number, keepsPart = false) {
    this.#limit = limit;
    this.#keepsPart = keepsPart;
    this.#promise = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** True if nothing more is taken. */
  get isDone(): boolean {
    return this.#seen !== undefined;
  }

  /** Notes that somebody began to read. */
  start(): void {
    this.#isStarted = true;
  }

  /** Takes a chunk: bytes, or text in the encoding that Node.js calls so. Anything else cuts the body. */
  add(chunk: unknown, encoding?: unknown): void {
    this.#isStarted = true;
    if (this.#seen !== undefined) return;
    const bytes = chunkBytes(chunk, encoding);
    if (bytes === undefined || this.#length + bytes.length > this.#limit) {
      this.cut();
      return;
    }
    this.#chunks.push(bytes);
    this.#length += bytes.length;
  }

  end(): void {
    this.#settle({ data: this.#joined(), isCut: false });
  }

  cut(): void {
    if (this.#seen !== undefined) return;
    this.#settle(this.#keepsPart ? { ...CUT, part: this.#joined() } : CUT);
    this.#onCut();
  }

  /** Called when the rest isn't wanted any more. */
  onCut(stop: () => void): void {
    this.#onCut = stop;
  }

  /** Calls back when it ends or is cut, at that moment. */
  whenSeen(callback: (seen: SeenBody) => void): void {
    if (this.#seen === undefined) this.#onSeen.push(callback);
    else callback(this.#seen);
  }

  body(): ObservedBody {
    return {
      seen: () => this.#seen ?? this.#promise,
      whenSeen: (callback) => this.whenSeen(callback),
      abandon: (reason) => {
        const isStalled = reason === "awaited" && this.#length === this.#awaitedAt;
        if (reason === "awaited") this.#awaitedAt = this.#length;
        const isOver = reason === "failed" || reason === "ended";
        if (isOver || isStalled || !this.#isStarted) this.cut();
      },
    };
  }

  #settle(seen: SeenBody): void {
    if (this.#seen !== undefined) return;
    this.#seen = seen;
    this.#chunks = [];
    this.#resolve(seen);
    const callbacks = this.#onSeen;
    this.#onSeen = [];
    for (const callback of callbacks) callback(seen);
  }

  #joined(): Uint8Array {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    return concatBytes(this.#chunks);
  }
}

const UTF8: ReadonlySet<unknown> = new Set([undefined, null, "utf8", "utf-8", "UTF-8"]);
const ONE_BYTE: ReadonlySet<unknown> = new Set(["latin1", "binary", "ascii"]);

function chunkBytes(chunk: unknown, encoding: unknown): Uint8Array | undefined {
  if (typeof chunk === "string") {
    if (UTF8.has(encoding) || typeof encoding === "function") {
      return new TextEncoder().encode(chunk);
    }
    return ONE_BYTE.has(encoding) ? latin1Bytes(chunk) : undefined;
  }
  return copyBytes(chunk);
}

/** A copy of the bytes of a buffer or of a view of one; undefined for anything else. */
export function copyBytes(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  }
  const tag = Object.prototype.toString.call(value);
  if (tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]") {
    return new Uint8Array(value as ArrayBuffer).slice();
  }
  return undefined;
}

/** A stream of the same chunks as another, not one earlier than needed, of each of which the buffer is told. */
export function observeStream<T>(stream: ReadableStream<T>, buffer: BodyBuffer): ReadableStream<T> {
  const reader = stream.getReader();
  return new ReadableStream<T>({
    async pull(controller) {
      buffer.start();
      try {
        const { done, value } = await reader.read();
        if (done) {
          buffer.end();
          controller.close();
        } else {
          buffer.add(value);
          controller.enqueue(value);
        }
      } catch (error) {
        buffer.cut();
        controller.error(error);
      }
    },
    async cancel(reason) {
      buffer.cut();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

/**
 * A stream of the same bytes as another, which is left alone until somebody reads: then the buffer is asked for.
 *
 * It is a stream of bytes, as those of responses are, so that it can be read into a buffer of the reader's own.
 */
export function observeLazily(
  stream: ReadableStream<Uint8Array>,
  bufferOf: () => BodyBuffer,
): ReadableStream<Uint8Array> {
  let reading:
    | { readonly reader: ReadableStreamDefaultReader<Uint8Array>; readonly buffer: BodyBuffer }
    | undefined;
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      reading ??= { reader: stream.getReader(), buffer: bufferOf() };
      const { reader, buffer } = reading;
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) {
            buffer.end();
            controller.close();
            // Whoever waits with a buffer of his own is told by this.
            controller.byobRequest?.respond(0);
            return;
          }
          buffer.add(value);
          if (value.byteLength === 0) continue;
          // A copy, since what is passed on here is taken away from its owner.
          controller.enqueue(new Uint8Array(value));
          return;
        }
      } catch (error) {
        buffer.cut();
        controller.error(error);
      }
    },
    async cancel(reason) {
      if (reading === undefined) {
        bufferOf().cut();
        await stream.cancel(reason);
        return;
      }
      reading.buffer.cut();
      await reading.reader.cancel(reason);
    },
  });
}

/** As {@linkcode observeStream}, for what Node.js takes as a body beside streams. */
export async function* observeIterable(
  chunks: AsyncIterable<unknown>,
  buffer: BodyBuffer,
): AsyncGenerator<unknown, void, undefined> {
  buffer.start();
  try {
    for await (const chunk of chunks) {
      buffer.add(chunk);
      yield chunk;
    }
    buffer.end();
  } finally {
    // Does nothing if it ended.
    buffer.cut();
  }
}

/** Reads a stream of one's own, as far as the limit. */
export function readBody(stream: ReadableStream<unknown>, limit: number): ObservedBody {
  const buffer = new BodyBuffer(limit);
  void readStream(stream, buffer);
  return buffer.body();
}

/** Never rejects. */
async function readStream(stream: ReadableStream<unknown>, buffer: BodyBuffer): Promise<void> {
  const reader = stream.getReader();
  buffer.start();
  buffer.onCut(() => void reader.cancel().catch(() => {}));
  try {
    while (!buffer.isDone) {
      const { done, value } = await reader.read();
      if (done) buffer.end();
      else buffer.add(value);
    }
  } catch {
    buffer.cut();
  }
}
