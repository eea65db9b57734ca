import { concatBytes } from "../values/concat_bytes.ts";

/** Keeps what passes of a body, up to a limit; the chunks themselves, not copies. */
export class BodyCapture {
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;
  #length = 0;

  /** @param limit How many bytes are kept. */
  constructor(limit: number) {
    this.#limit = limit;
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
