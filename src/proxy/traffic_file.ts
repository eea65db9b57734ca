import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../files/files.ts";
import { LineWriter } from "../files/line_writer.ts";
import type { Interaction } from "../http/interaction.ts";
import { trafficLine } from "../traffic/write/traffic_line.ts";

const encoder = new TextEncoder();
const LINE_BREAK = 0x0a;
/** Bytes of a file that are looked at to see whether it is a recording. */
const LOOKED_AT = 64 * 1024;

/** A recording that grows by a line per interaction, before the client has its answer: a crash loses none. */
export class TrafficFile {
  readonly path: string;
  /** True if there were interactions in it before. */
  readonly isContinued: boolean;
  #file: number;
  readonly #onError: (error: Error) => void;
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

  append(interaction: Interaction): void {
    if (this.#isClosed) return;
    const line = encoder.encode(`${trafficLine(interaction)}\n`);
    try {
      if (fstatSync(this.#file).nlink === 0) this.#beginAnew();
      this.#writer.write(line);
    } catch (error) {
      this.#onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Ends the recording; what is appended later is left out. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
  }

  /** Makes the file again, which somebody has removed: what comes now would be lost with it. */
  #beginAnew(): void {
    const file = openForAppending(this.path);
    closeSync(this.#file);
    this.#file = file;
    this.#writer = new LineWriter(file);
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
    if (errorCode(error) !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "a+", 0o600);
  }
}
