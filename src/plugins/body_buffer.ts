import { latin1Bytes } from "../http/body_text.ts";
import { concatBytes } from "../values/collections.ts";

export interface CapturedBody {
  /** The whole body; undefined if there is none or it was cut. */
  readonly data: Uint8Array | string | undefined;
  /** True if a body was not seen to its end, or was longer than the limit. */
  readonly isCut: boolean;
  /** The part of a cut body that was seen, if the buffer keeps it. */
  readonly part?: Uint8Array | undefined;
}

export interface ObservedBody {
  /** Returns the part that was seen, or a promise of it while the body is still being sent. It never rejects. */
  readonly captured: () => CapturedBody | Promise<CapturedBody>;
  /** The media type that is sent with the body unless the caller sets one. */
  readonly contentType?: string | undefined;
  /** True if the body was serialized again, so that its media type (with its boundary) replaces that of the headers. */
  readonly isRebuilt?: boolean | undefined;
  /** Stops waiting for a body that is no longer read. */
  readonly abandon?: ((reason: AbandonReason) => void) | undefined;
  /** Calls back at once when the body ends or is cut; undefined if that moment can't be observed. */
  readonly onCaptured?: ((callback: (seen: CapturedBody) => void) => void) | undefined;
}

/** Why a body may end early: request failed, response arrived, counts requested, timeout, or process exit. */
export type AbandonReason = "failed" | "responded" | "requested" | "timeout" | "exit";

export const CUT_CAPTURE: CapturedBody = { data: undefined, isCut: true };

export const NO_BODY: ObservedBody = { captured: () => ({ data: undefined, isCut: false }) };

export const CUT_BODY: ObservedBody = { captured: () => CUT_CAPTURE };

/** Collects copies of a body's chunks, up to a limit in bytes; a longer body counts as cut. */
export class BodyBuffer {
  readonly #limit: number;
  readonly #keepsPart: boolean;
  readonly #promise: Promise<CapturedBody>;
  #resolve: (seen: CapturedBody) => void = () => {};
  #chunks: Uint8Array[] = [];
  #length = 0;
  #captured: CapturedBody | undefined;
  #isStarted = false;
  #lengthAtTimeout: number | undefined;
  #stopReading: () => void = () => {};
  #listeners: ((seen: CapturedBody) => void)[] = [];

  constructor(limit: number, keepsPart = false) {
    this.#limit = limit;
    this.#keepsPart = keepsPart;
    this.#promise = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** True if the body has ended or was cut, so that chunks are ignored. */
  get isDone(): boolean {
    return this.#captured !== undefined;
  }

  /** Notes that reading has begun, so that the body is waited for. */
  start(): void {
    this.#isStarted = true;
  }

  /** Adds a chunk: bytes, or text with the name of an encoding in Node.js. Anything else cuts the body. */
  add(chunk: unknown, encoding?: unknown): void {
    this.#isStarted = true;
    if (this.#captured !== undefined) return;
    const bytes = chunkBytes(chunk, encoding);
    if (bytes === undefined || this.#length + bytes.length > this.#limit) {
      this.cut();
      return;
    }
    this.#chunks.push(bytes);
    this.#length += bytes.length;
  }

  end(): void {
    this.#finish({ data: this.#joinChunks(), isCut: false });
  }

  cut(): void {
    if (this.#captured !== undefined) return;
    this.#finish(this.#keepsPart ? { ...CUT_CAPTURE, part: this.#joinChunks() } : CUT_CAPTURE);
    this.#stopReading();
  }

  /** Sets a function that is called when the rest of the body isn't needed any more. */
  onCut(stop: () => void): void {
    this.#stopReading = stop;
  }

  /** Calls back at the moment when the body ends or is cut, or at once if it already has. */
  onCaptured(callback: (seen: CapturedBody) => void): void {
    if (this.#captured === undefined) this.#listeners.push(callback);
    else callback(this.#captured);
  }

  toObservedBody(): ObservedBody {
    return {
      captured: () => this.#captured ?? this.#promise,
      onCaptured: (callback) => this.onCaptured(callback),
      abandon: (reason) => {
        const isStalled = reason === "timeout" && this.#length === this.#lengthAtTimeout;
        if (reason === "timeout") this.#lengthAtTimeout = this.#length;
        const isOver = reason === "failed" || reason === "exit";
        if (isOver || isStalled || !this.#isStarted) this.cut();
      },
    };
  }

  #finish(seen: CapturedBody): void {
    if (this.#captured !== undefined) return;
    this.#captured = seen;
    this.#chunks = [];
    this.#resolve(seen);
    const callbacks = this.#listeners;
    this.#listeners = [];
    for (const callback of callbacks) callback(seen);
  }

  #joinChunks(): Uint8Array {
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

/** Copies the bytes of a buffer or view; undefined for any other value. */
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

/** Returns a stream of the same chunks, which are also added to the buffer. Nothing is read before it is needed. */
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
 * Returns a stream of the same bytes. The original is not read, and no buffer created, until the new stream is read.
 *
 * It is a byte stream, like those of responses, so that a reader can supply its own buffer.
 */
export function observeLazily(
  stream: ReadableStream<Uint8Array>,
  openBuffer: () => BodyBuffer,
): ReadableStream<Uint8Array> {
  let reading:
    | { readonly reader: ReadableStreamDefaultReader<Uint8Array>; readonly buffer: BodyBuffer }
    | undefined;
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      reading ??= { reader: stream.getReader(), buffer: openBuffer() };
      const { reader, buffer } = reading;
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) {
            buffer.end();
            controller.close();
            // Ends a pending read of a reader with its own buffer.
            controller.byobRequest?.respond(0);
            return;
          }
          buffer.add(value);
          if (value.byteLength === 0) continue;
          // A copy, since enqueueing detaches the bytes from their owner.
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
        openBuffer().cut();
        await stream.cancel(reason);
        return;
      }
      reading.buffer.cut();
      await reading.reader.cancel(reason);
    },
  });
}

/** Like {@linkcode observeStream}, for async iterables, which Node.js accepts as bodies too. */
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
    // No effect if the body has ended.
    buffer.cut();
  }
}

/** Reads a stream that has no other reader, up to the limit. */
export function readBody(stream: ReadableStream<unknown>, limit: number): ObservedBody {
  const buffer = new BodyBuffer(limit);
  void readStream(stream, buffer);
  return buffer.toObservedBody();
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
