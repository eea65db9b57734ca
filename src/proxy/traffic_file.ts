import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate } from "node:timers";
import { LineWriter } from "../files/line_writer.ts";
import type { Interaction } from "../http/interaction.ts";
import { trafficLine } from "../traffic/write/traffic_line.ts";

const encoder = new TextEncoder();
const LINE_BREAK = 0x0a;
/** Bytes of a file that are looked at to see whether it is a recording. */
const LOOKED_AT = 64 * 1024;

/** Characters that are written without waiting for more. */
const MOST_WAITING = 1 << 20;

/**
 * A recording that grows as interactions complete: one JSON object a line, not kept in memory.
 *
 * What completes in one turn of the event loop is written at its end. The answers are still on their way from the
 * server behind the front then, so that whatever ends the program costs at most what was in flight.
 */
export class TrafficFile {
  /** Path of the file. */
  readonly path: string;
  /** True if there were interactions in it before. */
  readonly isContinued: boolean;
  readonly #file: number;
  readonly #onError: (error: Error) => void;
  #waiting = "";
  #isClosed = false;
  #writer: LineWriter;

  /**
   * Opens a recording, readable by its owner alone, and appends to what is there. Missing folders are made.
   *
   * @param onError Called each time that it cannot be written.
   * @throws {TypeError} if the file holds something else, which is left alone.
   * @throws the file system's error where it cannot be opened.
   */
  constructor(path: string, onError: (error: Error) => void) {
    this.path = path;
    this.#onError = onError;
    this.#file = openForAppending(path);
    this.#writer = new LineWriter(this.#file);
    try {
      const { size, mode } = fstatSync(this.#file);
      this.isContinued = size > 0;
      if (size > 0) this.#continue(size);
      // Of a file that was there already, too; what isn't a file of ours, such as a pipe, keeps its own.
      if ((mode & 0o077) !== 0 && fstatSync(this.#file).isFile()) fchmodSync(this.#file, 0o600);
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** Writes an interaction, at the latest before the event loop turns. */
  append(interaction: Interaction): void {
    if (this.#isClosed) return;
    if (this.#waiting === "") setImmediate(() => this.#flush());
    this.#waiting += `${trafficLine(interaction)}\n`;
    if (this.#waiting.length > MOST_WAITING) this.#flush();
  }

  /** Ends the recording; what is appended later is left out. */
  close(): void {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    closeSync(this.#file);
  }

  #flush(): void {
    if (this.#waiting === "") return;
    const bytes = encoder.encode(this.#waiting);
    this.#waiting = "";
    try {
      this.#writer.write(bytes);
    } catch (error) {
      this.#onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #continue(size: number): void {
    const start = new Uint8Array(Math.min(size, LOOKED_AT));
    readSync(this.#file, start, 0, start.length, 0);
    if (!/^\s*\{\s*"request"\s*:/.test(new TextDecoder().decode(start))) {
      throw new TypeError(
        `${this.path} exists but isn't a proxy recording. Choose another file, or delete this one.`,
      );
    }
    const last = new Uint8Array(1);
    readSync(this.#file, last, 0, 1, size - 1);
    // The line that a killed proxy could not finish must not swallow the next one.
    if (last[0] === LINE_BREAK) return;
    this.#writer = new LineWriter(this.#file, true);
    this.#writer.write(new Uint8Array());
  }
}

function openForAppending(path: string): number {
  try {
    return openSync(path, "a+", 0o600);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "a+", 0o600);
  }
}
