import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../files/files.ts";
import { LineWriter } from "../files/line_writer.ts";
import type { Interaction } from "../http/interaction.ts";
import { trafficLine } from "../traffic/write/traffic_line.ts";

const encoder = new TextEncoder();
const LINE_BREAK = 0x0a;
/** Number of bytes that are examined to recognize a recording. */
const MAX_EXAMINED = 64 * 1024;

/** A recording that grows by a line per interaction, before the client has the whole response: a crash loses none. */
export class TrafficFile {
  readonly path: string;
  /** True if the file already contained interactions. */
  readonly isContinued: boolean;
  #file: number;
  readonly #onError: (error: Error) => void;
  #isClosed = false;
  #writer: LineWriter;

  /**
   * Opens a recording that only its owner can read, to append to it. Creates missing folders.
   *
   * @param onError Called each time that writing fails.
   * @throws {TypeError} if the file contains something else. It is not changed.
   * @throws the file system's error if the file cannot be opened.
   */
  constructor(path: string, onError: (error: Error) => void) {
    this.path = path;
    this.#onError = onError;
    this.#file = openForAppending(path);
    this.#writer = new LineWriter(this.#file);
    try {
      const { size, mode } = fstatSync(this.#file);
      this.isContinued = size > 0;
      if (size > 0) this.#continueFile(size);
      // Existing files get this mode too. Pipes and devices keep theirs.
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
      if (fstatSync(this.#file).nlink === 0) this.#recreate();
      this.#writer.write(line);
    } catch (error) {
      this.#onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Ends the recording. Interactions that are appended later are dropped. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
  }

  /** Creates the file again after somebody removed it: lines written to the removed file would be lost. */
  #recreate(): void {
    const file = openForAppending(this.path);
    closeSync(this.#file);
    this.#file = file;
    this.#writer = new LineWriter(file);
  }

  #continueFile(size: number): void {
    const start = new Uint8Array(Math.min(size, MAX_EXAMINED));
    readSync(this.#file, start, 0, start.length, 0);
    if (!/^\s*\{\s*"request"\s*:/.test(new TextDecoder().decode(start))) {
      throw new TypeError(
        `${this.path} exists but isn't a proxy recording. Choose another file, or delete this one.`,
      );
    }
    const last = new Uint8Array(1);
    readSync(this.#file, last, 0, 1, size - 1);
    // Ends a line that a killed proxy could not finish, so that the next line begins properly.
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
