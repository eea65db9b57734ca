import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";

/**
 * A file with one line for each unfinished exchange, in case it never finishes: a test may leave the body of a response
 * unread until its process is killed. Once an exchange is written to the traffic file, its line in here is blanked.
 */
export class OpenLines {
  readonly #file: number;
  readonly #head: Uint8Array;
  #end = 0;
  #lines = 0;
  /** Counts how often the file was emptied. Lines from before then no longer exist. */
  #emptied = 0;
  #isClosing = false;

  /**
   * @param head The first line, which is never removed.
   * @throws the file system's error if the file can't be created.
   */
  constructor(path: string, head: Uint8Array) {
    this.#file = openSync(path, "w", 0o600);
    this.#head = head;
    this.#empty();
  }

  /** Writes a line. Returns the function that removes it. */
  add(line: Uint8Array): () => void {
    // A process that begins another run empties the files of processes that are still alive.
    if (fstatSync(this.#file).size !== this.#end) this.#empty();
    const [start, emptied] = [this.#end, this.#emptied];
    try {
      this.#write(line, start);
    } catch (error) {
      ftruncateSync(this.#file, start);
      throw error;
    }
    this.#end += line.length;
    this.#lines++;
    return () => {
      if (emptied === this.#emptied) this.#remove(start, line.length);
    };
  }

  /** Closes the file once all its lines are removed. */
  close(): void {
    this.#isClosing = true;
    if (this.#lines === 0) closeSync(this.#file);
  }

  #remove(start: number, length: number): void {
    if (--this.#lines === 0) {
      this.#empty();
      if (this.#isClosing) closeSync(this.#file);
    } else if (fstatSync(this.#file).size === this.#end) {
      this.#write(new Uint8Array(length - 1).fill(0x20), start);
    }
  }

  #empty(): void {
    ftruncateSync(this.#file, 0);
    this.#write(this.#head, 0);
    this.#end = this.#head.length;
    this.#lines = 0;
    this.#emptied++;
  }

  #write(bytes: Uint8Array, start: number): void {
    for (let offset = 0; offset < bytes.length;) {
      offset += writeSync(this.#file, bytes, offset, bytes.length - offset, start + offset);
    }
  }
}
