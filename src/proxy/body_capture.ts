import { concatBytes } from "../values/concat_bytes.ts";

/** Keeps what passes of a body, up to a limit; the chunks themselves, not copies. */
export class BodyCapture {
  readonly #limit: number;
  readonly #isAllOrNothing: boolean;
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #length = 0;

  /**
   * @param limit How many bytes are kept.
   * @param isAllOrNothing True if nothing is kept of a longer body.
   */
  constructor(limit: number, isAllOrNothing = false) {
    this.#limit = limit;
    this.#isAllOrNothing = isAllOrNothing;
  }

  /** The number of bytes that have passed. */
  get length(): number {
    return this.#length;
  }

  /** True if something of the body is missing in {@linkcode bytes}. */
  get isCut(): boolean {
    return this.#length > this.#kept;
  }

  /** Takes the next chunk. */
  add(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.#isAllOrNothing && this.#length > this.#limit) {
      this.#chunks = [];
      this.#kept = 0;
      return;
    }
    const room = this.#limit - this.#kept;
    if (room <= 0) return;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#chunks.push(kept);
    this.#kept += kept.length;
  }

  /** The captured bytes, in one piece. */
  bytes(): Uint8Array {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    return concatBytes(this.#chunks);
  }
}
