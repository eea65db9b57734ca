import { concatBytes } from "../values/concat_bytes.ts";

/** The part of a body that was seen. */
export interface SeenBody {
  /** All of it; undefined if there is none, or where it was cut. */
  readonly data: Uint8Array | string | undefined;
  /** True if a body was sent that was not seen to its end, or was longer than the limit. */
  readonly isCut: boolean;
  /** The part of a cut body that was seen, where somebody asked for it. */
  readonly part?: Uint8Array | undefined;
}

/** A body on its way. */
export interface ObservedBody {
  /** The part of it that was seen; a promise, which never rejects, while it is still on its way. */
  readonly seen: SeenBody | Promise<SeenBody>;
  /** The media type that goes with the body where the caller names none. */
  readonly contentType?: string | undefined;
  /** True if the body was written anew, so that its own media type (with its boundary) counts. */
  readonly isRebuilt?: boolean | undefined;
  /** Stops waiting for a body that is no longer read. */
  readonly abandon?: ((reason: AbandonReason) => void) | undefined;
  /** Calls back at the moment at which it was seen, where that is known at once. */
  readonly whenSeen?: ((callback: (seen: SeenBody) => void) => void) | undefined;
}

/**
 * The reason why a body may not be read on: the request failed, which ends it; it was answered, or somebody asks for the
 * counts, which ends a body that nobody began to read; somebody has been waiting for it, which ends it if nothing came
 * since they last said so; or the process ends.
 */
export type AbandonReason = "failed" | "answered" | "asked" | "awaited" | "ended";

/** A body that was sent and not seen. */
export const CUT: SeenBody = { data: undefined, isCut: true };

/** A request without a body. */
export const NO_BODY: ObservedBody = { seen: { data: undefined, isCut: false } };

/**
 * Collects copies of what passes of a body, up to a limit in bytes; a longer one counts as cut.
 *
 * @example
 * ```ts
 * import { BodyBuffer } from "./body_buffer.ts";
 * import assert from "node:assert/strict";
 *
 * const buffer = new BodyBuffer(4);
 * buffer.add("ab");
 * buffer.add(new Uint8Array([99]));
 * buffer.end();
 * assert.deepEqual(await buffer.body().seen, { data: new TextEncoder().encode("abc"), isCut: false });
 *
 * const short = new BodyBuffer(2);
 * short.add("abc");
 * assert.deepEqual(await short.body().seen, { data: undefined, isCut: true });
 * ```
 */
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

  /**
   * Begins without anything.
   *
   * @param keepsPart Whether what was seen of a cut body is of use.
   */
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
    const bytes = bytesOf(chunk, encoding);
    if (bytes === undefined || this.#length + bytes.length > this.#limit) {
      this.cut();
      return;
    }
    this.#chunks.push(bytes);
    this.#length += bytes.length;
  }

  /** Ends the body. */
  end(): void {
    this.#settle({ data: this.#joined(), isCut: false });
  }

  /** Notes that the rest won't be seen. */
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

  /** The body as recording takes it. */
  body(): ObservedBody {
    const seen = (): SeenBody | Promise<SeenBody> => this.#seen ?? this.#promise;
    return {
      get seen() {
        return seen();
      },
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

/** A copy of a chunk as bytes; undefined if it isn't a chunk of bytes. */
function bytesOf(chunk: unknown, encoding: unknown): Uint8Array | undefined {
  if (typeof chunk === "string") {
    if (UTF8.has(encoding) || typeof encoding === "function") {
      return new TextEncoder().encode(chunk);
    }
    if (!ONE_BYTE.has(encoding)) return undefined;
    return Uint8Array.from(chunk, (character) => character.charCodeAt(0));
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
