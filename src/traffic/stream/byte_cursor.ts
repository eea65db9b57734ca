import { InputLimitError, MAX_BYTES } from "../../values/input_limits.ts";

const EMPTY = new Uint8Array(0);

/** Reads a source of bytes. Only the current piece and the bytes since {@linkcode ByteCursor.keep} are in memory. */
export class ByteCursor {
  bytes: Uint8Array = EMPTY;
  position = 0;

  #source: AsyncIterator<Uint8Array>;
  #offset = 0;
  /** The index from which bytes are kept; -1 if only unread bytes are. */
  #keptFrom = -1;
  /** A reused buffer that joins several pieces. */
  #buffer: Uint8Array = EMPTY;
  #ended = false;
  readonly #reason: string;

  /** @param reason A clause for the error if too much must be in memory: why so much is needed. */
  constructor(source: AsyncIterable<Uint8Array>, reason?: string) {
    this.#source = source[Symbol.asyncIterator]();
    this.#reason = reason === undefined ? "" : `: ${reason}`;
  }

  /** The offset of the position in the source, in bytes. */
  get offset(): number {
    return this.#offset + this.position;
  }

  /** Keeps the bytes from the position on in memory, until {@linkcode ByteCursor.release}. */
  keep(): void {
    this.#keptFrom = this.position;
  }

  get isKeeping(): boolean {
    return this.#keptFrom !== -1;
  }

  /** Converts an offset in the source to an index in `bytes`. */
  indexAt(offset: number): number {
    return offset - this.#offset;
  }

  release(): void {
    this.#keptFrom = -1;
  }

  /** Waits for more bytes and appends them to `bytes`; false at the end of the source. */
  async more(): Promise<boolean> {
    if (this.#ended) return false;
    while (true) {
      const { done, value } = await this.#source.next();
      if (done === true) {
        this.#ended = true;
        return false;
      }
      if (value.length === 0) continue;
      this.#append(value);
      return true;
    }
  }

  /** Reads to the end. Returns all kept and unread bytes. */
  async rest(): Promise<Uint8Array> {
    if (this.#keptFrom === -1) this.keep();
    while (await this.more());
    this.position = this.bytes.length;
    return this.bytes.subarray(this.#keptFrom);
  }

  async continueAt(offset: number, source: AsyncIterable<Uint8Array>): Promise<void> {
    await this.close();
    this.#ended = false;
    this.#source = source[Symbol.asyncIterator]();
    this.#offset = offset;
    this.bytes = EMPTY;
    this.position = 0;
    this.release();
  }

  async close(): Promise<void> {
    this.#ended = true;
    await this.#source.return?.();
  }

  #append(chunk: Uint8Array): void {
    const start = this.#keptFrom === -1 ? this.position : this.#keptFrom;
    const left = this.bytes.length - start;
    this.#offset += start;
    this.position -= start;
    if (this.#keptFrom !== -1) this.#keptFrom = 0;
    if (left === 0) {
      this.bytes = chunk;
      return;
    }
    const length = left + chunk.length;
    if (length > MAX_BYTES) {
      throw new InputLimitError(
        `More than ${
          MAX_BYTES / 2 ** 20
        } MiB of it would have to be in memory at a time${this.#reason}. Split it, or record less in it.`,
      );
    }
    const isOwn = this.bytes.buffer === this.#buffer.buffer;
    if (this.#buffer.length < length) {
      const room = new Uint8Array(
        isOwn || left > chunk.length ? Math.min(length * 2, MAX_BYTES) : length,
      );
      room.set(this.bytes.subarray(start));
      this.#buffer = room;
    } else if (isOwn) {
      if (start > 0) this.#buffer.copyWithin(0, start, start + left);
    } else {
      this.#buffer.set(this.bytes.subarray(start));
    }
    this.#buffer.set(chunk, left);
    this.bytes = this.#buffer.subarray(0, length);
  }
}
