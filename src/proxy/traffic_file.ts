import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import type { Interaction } from "../http/interaction.ts";
import { interactionLine } from "./interaction_line.ts";

const encoder = new TextEncoder();
const LINE_BREAK = 0x0a;
/** Bytes of a file that are looked at to see whether it is a recording. */
const LOOKED_AT = 64 * 1024;

/**
 * A recording that grows as interactions complete: one JSON object a line, written at once and not kept in memory, so
 * that whatever ends the program costs at most what was in flight.
 */
export class TrafficFile {
  /** Where it is. */
  readonly path: string;
  /** Whether there were interactions in it before. */
  readonly isContinued: boolean;
  readonly #file: number;
  #isClosed = false;

  /**
   * Opens a recording, readable by its owner alone, and appends to what is there.
   *
   * @throws {TypeError} where the file holds something else, which is left alone.
   * @throws the file system's error where it cannot be opened.
   */
  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, "a+", 0o600);
    try {
      const { size } = fstatSync(this.#file);
      this.isContinued = size > 0;
      if (size > 0) this.#continue(size);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Writes an interaction.
   *
   * @throws the file system's error where that is not possible.
   */
  append(interaction: Interaction): void {
    if (this.#isClosed) return;
    this.#write(encoder.encode(interactionLine(interaction)));
  }

  /** Ends the recording; what is appended later is left out. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
  }

  #continue(size: number): void {
    const start = new Uint8Array(Math.min(size, LOOKED_AT));
    readSync(this.#file, start, 0, start.length, 0);
    if (!/^\s*\{\s*"request"\s*:/.test(new TextDecoder().decode(start))) {
      throw new TypeError(
        `${this.path} exists and is no recording of the proxy. Name another file, or delete this one.`,
      );
    }
    const last = new Uint8Array(1);
    readSync(this.#file, last, 0, 1, size - 1);
    // The line that a killed proxy could not finish must not swallow the next one.
    if (last[0] !== LINE_BREAK) this.#write(Uint8Array.of(LINE_BREAK));
  }

  #write(bytes: Uint8Array): void {
    for (let offset = 0; offset < bytes.length;) {
      offset += writeSync(this.#file, bytes, offset, bytes.length - offset);
    }
  }
}
