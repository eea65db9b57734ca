import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import { fileErrorSentence, readFilePieces } from "../files/files.ts";
import type { Interaction } from "../http/interaction.ts";
import type { DroppedHits } from "../map/results.ts";
import { cutText } from "../report/text/text_width.ts";
import { readEnvironments } from "../traffic/formats/postman/postman_environment.ts";
import type { FormatOptions } from "../traffic/formats/recording.ts";
import { recognizeText } from "../traffic/read/read_logs.ts";
import { readRecording } from "../traffic/read/read_recording.ts";
import { readAttachedFiles } from "../traffic/read/stream_entries.ts";
import type { ListParts } from "../traffic/read/read_state.ts";
import { append } from "../values/collections.ts";
import { RecordingError } from "../values/errors.ts";
import { CommandError } from "./command_error.ts";
import { droppedSentences } from "./dropped_hits.ts";
import { findRecordings, type FoundRecording } from "./find_recordings.ts";
import type { GivenValues } from "./options/options.ts";
import { type Host, outputWidth } from "./host.ts";
import { PROBLEMS_ENDING, problemSentences } from "./traffic_folder.ts";

export interface RecordingsOptions extends GivenValues<"recordingOptions"> {
  /** True to show progress on a terminal (default: true). */
  readonly isProgressShown?: boolean;
}

export type OnRead = (bytes: number) => Promise<void> | void;

/** Records some recordings on other threads; {@linkcode RecordingsReader.batches} then skips these. */
export interface ParallelReader {
  files(onRead: OnRead): Promise<ReadonlyMap<FoundRecording, FileResult>>;
  /** Returns a function that records parts of a recording; undefined if it has to be read in one piece. */
  parts(recording: FoundRecording, onRead: OnRead): ListParts | undefined;
  /** Adds the results of the other threads, once everything is read. */
  merge(): Promise<void>;
}

export class RecordingsReader {
  readonly files: readonly FoundRecording[];
  readonly formatOptions: FormatOptions;
  readonly #names: readonly string[];
  readonly #host: Host;
  readonly #isProgressShown: boolean;
  readonly #warnings: string[];
  readonly dropped: DroppedHits[] = [];
  /** The paths of the recordings that were read, without other files in a folder. */
  readonly readPaths: string[] = [];
  /** The path of the recording that is being read. */
  current = "";

  private constructor(
    names: readonly string[],
    host: Host,
    isProgressShown: boolean,
    formatOptions: FormatOptions,
    found: readonly FoundRecording[],
    warnings: readonly string[],
  ) {
    this.#names = names;
    this.#host = host;
    this.#isProgressShown = isProgressShown && showsProgress(host);
    this.formatOptions = formatOptions;
    this.files = found;
    this.#warnings = [...warnings];
  }

  static async find(
    names: readonly string[],
    host: Host,
    { env = [], logFormat, isProgressShown = true }: RecordingsOptions = {},
  ): Promise<RecordingsReader> {
    const options = { values: await readEnvironments(env), logFormat };
    const warnings: string[] = [];
    const found = await findRecordings(names, (sentence) => warnings.push(sentence));
    return new RecordingsReader(names, host, isProgressShown, options, found, warnings);
  }

  get warnings(): readonly string[] {
    return [...this.#warnings, ...droppedSentences(this.dropped)];
  }

  async *batches(
    addHits?: AddHits,
    parallel?: ParallelReader,
    onEnd?: (path: string) => void,
  ): AsyncGenerator<readonly Interaction[], void> {
    const total = this.#isProgressShown ? await totalSize(this.files) : undefined;
    const progress = new Progress(this.#host, total, this.#isProgressShown);
    const onRead: OnRead = (bytes) => progress.advance(bytes);
    try {
      const fileResults = await parallel?.files(onRead);
      for (const recording of this.files) {
        this.current = recording.path;
        const result = fileResults?.get(recording) ?? (yield* readFileBatches(
          recording,
          countReads(openRecording(recording.path, this.#host), onRead),
          this.formatOptions,
          addHits,
          parallel?.parts(recording, onRead),
        ));
        if (result.isRecording) this.readPaths.push(recording.path);
        append(this.#warnings, result.warnings);
        append(this.dropped, result.dropped ?? []);
        onEnd?.(recording.path);
      }
    } finally {
      await progress.end();
    }
    await parallel?.merge();
    if (this.readPaths.length > 0) return;
    const names = this.#names.join(", ");
    throw new CommandError(
      this.files.length === 1
        ? `The only file in ${names} has no format that covtool reads. Name it to see why.`
        : `None of the ${this.files.length} files in ${names} has a format that covtool reads. Name one of them to see why.`,
    );
  }
}

/** Reasons to skip files in a folder, by error code. A log that was just rotated is empty. */
const SKIPPABLE: Readonly<Record<string, string>> = {
  unknown_format: "covtool doesn't know its format",
  empty: "nothing in it can be read",
};

export interface FileResult {
  /** False if the file was found in a folder and isn't a recording. */
  readonly isRecording: boolean;
  readonly warnings: readonly string[];
  readonly dropped?: readonly DroppedHits[] | undefined;
}

export type AddHits = (line: Uint8Array, location: string) => readonly DroppedHits[];

export async function* readFileBatches(
  { path, isNamed }: FoundRecording,
  pieces: AsyncIterable<Uint8Array>,
  options: FormatOptions | undefined,
  addHits?: AddHits,
  parts?: ListParts,
): AsyncGenerator<readonly Interaction[], FileResult> {
  if (path.endsWith(PROBLEMS_ENDING)) {
    return { isRecording: false, warnings: await readProblems(pieces) };
  }
  const isFile = path !== STANDARD_INPUT;
  const location = isFile ? path : "standard input";
  const findFile = isFile ? readAttachedFiles(path) : undefined;
  const dropped: DroppedHits[] = [];
  const onHitsLine = addHits &&
    ((line: Uint8Array) => void dropped.push(...addHits(line, location)));
  const reader = readRecording(pieces, location, { ...options, parts, findFile, onHitsLine });
  try {
    yield* reader.batches();
  } catch (error) {
    // A file in a folder need not be a recording; a file that was named has to be one.
    const reason = error instanceof RecordingError && !isNamed ? SKIPPABLE[error.code] : undefined;
    if (reason === undefined) throw error;
    return { isRecording: false, warnings: [`${path}: Skipped, because ${reason}.`] };
  }
  return { isRecording: true, warnings: reader.warnings, dropped };
}

async function readProblems(pieces: AsyncIterable<Uint8Array>): Promise<string[]> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of pieces) text += decoder.decode(piece, { stream: true });
  return [...new Set(problemSentences(text))].sort();
}

async function* openRecording(path: string, host: Host): AsyncGenerator<Uint8Array> {
  if (path === STANDARD_INPUT) {
    yield* host.stdin();
    return;
  }
  try {
    yield* readFilePieces(path);
  } catch (cause) {
    const sentence = fileErrorSentence(cause);
    throw new RecordingError(sentence, { code: "unreadable", location: path, cause });
  }
}

export async function* countReads(
  pieces: AsyncIterable<Uint8Array>,
  onRead: OnRead,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    await onRead(piece.length);
    yield piece;
  }
}

async function totalSize(found: readonly FoundRecording[]): Promise<number | undefined> {
  let total = 0;
  for (const recording of found) {
    const size = await recordingSize(recording);
    if (size === undefined) return undefined;
    total += size;
  }
  return total;
}

/** Undefined if the recording can be read only once, or not at all; in this case, reading it reports the error. */
async function recordingSize({ path }: FoundRecording): Promise<number | undefined> {
  if (path === STANDARD_INPUT) return undefined;
  try {
    const status = await stat(path);
    return status.isFile() ? status.size : undefined;
  } catch {
    return undefined;
  }
}

/** The size of traffic, in bytes, from which on several threads are faster than one: starting them takes time. */
const MIN_TOTAL_BYTES = 1 << 27;
const MAX_DEFAULT_THREADS = 4;
const MIN_PARTS = 4;

export interface Shares {
  readonly threads: number;
  /** Recordings that are each read by one thread, the largest first. */
  readonly whole: readonly FoundRecording[];
  /** Recordings that all threads read in parts if their format allows it, with their sizes in bytes. */
  readonly split: ReadonlyMap<FoundRecording, number>;
  readonly partBytes: number;
}

/** Divides recordings among threads; returns undefined if one thread is as fast. */
export async function shareRecordings(
  found: readonly FoundRecording[],
  threads: number | undefined,
  partBytes: number,
  logFormat?: string,
): Promise<Shares | undefined> {
  const count = threads ?? Math.min(MAX_DEFAULT_THREADS, availableParallelism());
  if (count < 2) return undefined;
  const whole: { readonly recording: FoundRecording; readonly size: number }[] = [];
  const split = new Map<FoundRecording, number>();
  let total = 0;
  for (const recording of found) {
    const size = await recordingSize(recording);
    // A recording has to be readable again by one thread, in case the threads fail.
    if (size === undefined) return undefined;
    total += size;
    if (size >= MIN_PARTS * partBytes && await canSplit(recording, logFormat)) {
      split.set(recording, size);
    } else whole.push({ recording, size });
  }
  if (whole.length < 2) whole.pop();
  if (whole.length + split.size === 0 || (threads === undefined && total < MIN_TOTAL_BYTES)) {
    return undefined;
  }
  whole.sort((left, right) => right.size - left.size);
  return { threads: count, whole: whole.map(({ recording }) => recording), split, partBytes };
}

/** True for JSON and logs; compressed files and those with a byte order mark can only be read from the start. */
async function canSplit({ path }: FoundRecording, logFormat: string | undefined): Promise<boolean> {
  try {
    for await (const start of readFilePieces(path, { start: 0, end: 1 << 16 })) {
      const text = new TextDecoder("latin1").decode(start);
      return /^[ \t\r\n]*[[{]/.test(text) ||
        recognizeText(text, undefined, logFormat) !== undefined;
    }
  } catch {
    // reading the recording reports the error
  }
  return false;
}

/** Milliseconds before the progress line first appears. */
const DELAY = 1_000;
/** Milliseconds between two updates of the line. */
const UPDATE_INTERVAL = 150;
const MAX_BAR = 30;
const MIN_BAR = 8;
const CLEAR = "\r\u001b[K";

export type ProgressHost = Pick<Host, "stderr" | "variables" | "now">;

export function showsProgress({ stderr, variables }: ProgressHost): boolean {
  return stderr.isTerminal && variables["TERM"] !== "dumb";
}

/** A progress line on standard error, shown if reading takes longer than a second. */
export class Progress {
  readonly #host: ProgressHost;
  readonly #total: number | undefined;
  readonly #isShown: boolean;
  #nextUpdate: number;
  #done = 0;
  #isDrawn = false;

  constructor(host: ProgressHost, total: number | undefined, isShown = showsProgress(host)) {
    this.#host = host;
    this.#total = total;
    this.#isShown = isShown;
    this.#nextUpdate = host.now() + DELAY;
  }

  async advance(bytes: number): Promise<void> {
    if (!this.#isShown) return;
    this.#done += bytes;
    const now = this.#host.now();
    if (now < this.#nextUpdate) return;
    this.#nextUpdate = now + UPDATE_INTERVAL;
    this.#isDrawn = true;
    const width = outputWidth(this.#host.variables, this.#host.stderr) - 1;
    await this.#host.stderr.write(CLEAR + progressLine(this.#done, this.#total, width));
  }

  async end(): Promise<void> {
    if (this.#isDrawn) await this.#host.stderr.write(CLEAR);
    this.#isDrawn = false;
  }
}

export function progressLine(done: number, total: number | undefined, width: number): string {
  if (total === undefined) return cutText(`Reading ${megabytes(done)} MB`, width);
  const counts = `${megabytes(Math.min(done, total))} of ${megabytes(total)} MB`;
  const bar = Math.min(MAX_BAR, width - "Reading   ".length - counts.length);
  if (bar < MIN_BAR) return cutText(`Reading ${counts}`, width);
  const filled = total === 0 ? bar : Math.floor(bar * Math.min(1, done / total));
  return `Reading ${"█".repeat(filled)}${"░".repeat(bar - filled)}  ${counts}`;
}

function megabytes(bytes: number): string {
  const value = bytes / 1e6;
  return (value < 10 ? Math.floor(value * 10) / 10 : Math.floor(value)).toLocaleString("en-US");
}
