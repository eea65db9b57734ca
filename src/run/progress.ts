import { cutText } from "../report/text/text_width.ts";
import type { Host } from "./host.ts";
import { outputWidth } from "./terminal.ts";

/** Milliseconds: work that is done by then needs no line. */
const DELAY = 1_000;
/** Milliseconds between two drawings. */
const EVERY = 150;
const WIDEST_BAR = 30;
const NARROWEST_BAR = 8;
const CLEAR = "\r\u001b[K";

/** The parts of the process that a progress line needs. */
export type ProgressHost = Pick<Host, "stderr" | "variables" | "now">;

/** True if standard error can show a progress line: it is a terminal, and not a `dumb` one. */
export function showsProgress({ stderr, variables }: ProgressHost): boolean {
  return stderr.isTerminal && variables["TERM"] !== "dumb";
}

/** A line on standard error that says how much has been read, once that takes longer than a second. */
export class Progress {
  readonly #host: ProgressHost;
  readonly #total: number | undefined;
  readonly #isShown: boolean;
  #next: number;
  #done = 0;
  #isDrawn = false;

  /**
   * Begins to wait.
   *
   * @param total Bytes in total; undefined if unknown.
   */
  constructor(host: ProgressHost, total: number | undefined, isShown = showsProgress(host)) {
    this.#host = host;
    this.#total = total;
    this.#isShown = isShown;
    this.#next = host.now() + DELAY;
  }

  /** Counts bytes that were read. */
  async advance(bytes: number): Promise<void> {
    if (!this.#isShown) return;
    this.#done += bytes;
    const now = this.#host.now();
    if (now < this.#next) return;
    this.#next = now + EVERY;
    this.#isDrawn = true;
    const width = outputWidth(this.#host.variables, this.#host.stderr) - 1;
    await this.#host.stderr.write(CLEAR + progressLine(this.#done, this.#total, width));
  }

  /** Clears the line. */
  async end(): Promise<void> {
    if (this.#isDrawn) await this.#host.stderr.write(CLEAR);
    this.#isDrawn = false;
  }
}

/**
 * The text of the progress line.
 *
 * @param done Bytes.
 * @param total Bytes in total; undefined if unknown.
 * @param width Columns.
 *
 * @example
 * ```ts
 * import { progressLine } from "./progress.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(progressLine(3e6, 12e6, 44), "Reading ██████░░░░░░░░░░░░░░░░░░  3 of 12 MB");
 * assert.equal(progressLine(3e6, undefined, 44), "Reading 3 MB");
 * ```
 */
export function progressLine(done: number, total: number | undefined, width: number): string {
  if (total === undefined) return cutText(`Reading ${megabytes(done)} MB`, width);
  const counts = `${megabytes(Math.min(done, total))} of ${megabytes(total)} MB`;
  const bar = Math.min(WIDEST_BAR, width - "Reading   ".length - counts.length);
  if (bar < NARROWEST_BAR) return cutText(`Reading ${counts}`, width);
  const filled = total === 0 ? bar : Math.floor(bar * Math.min(1, done / total));
  return `Reading ${"█".repeat(filled)}${"░".repeat(bar - filled)}  ${counts}`;
}

function megabytes(bytes: number): string {
  const value = bytes / 1e6;
  return (value < 10 ? Math.floor(value * 10) / 10 : Math.floor(value)).toLocaleString("en-US");
}
