import { stat } from "node:fs/promises";
import { fileErrorSentence, readFilePieces } from "../files/files.ts";
import type { DroppedHits } from "../map/results.ts";
import type { Interaction } from "../http/interaction.ts";
import type { ListParts } from "../traffic/read/streamed_list.ts";
import type { FormatOptions } from "../traffic/formats/recording_format.ts";
import { readEnvironments } from "../traffic/formats/postman/read_environments.ts";
import { RecordingError } from "../values/errors.ts";
import { CommandError } from "./command_error.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import { droppedSentences } from "./dropped_hits.ts";
import { findRecordings, type FoundRecording } from "./find_recordings.ts";
import type { Host } from "./host.ts";
import { Progress, showsProgress } from "./progress.ts";
import { type AddHits, type FileResult, readFileBatches } from "./read_file_batches.ts";

/** Options for reading recordings. */
export interface RecordingsOptions {
  /** True to show progress on a terminal (default: true). */
  readonly isProgressShown?: boolean;
  /** Environments and globals of Postman: files. */
  readonly env?: readonly string[] | undefined;
  /** The log format of nginx or Apache that access logs have. */
  readonly logFormat?: string | undefined;
}

/** Is called with the number of bytes read. */
export type OnRead = (bytes: number) => Promise<void> | void;

/** Records some of the recordings on other threads, which {@linkcode RecordingsReader.batches} then skips. */
export interface ParallelReader {
  /** Records whole recordings. */
  files(onRead: OnRead): Promise<ReadonlyMap<FoundRecording, FileResult>>;
  /** Records parts of a recording; undefined if it has to be read in one piece. */
  partsOf(recording: FoundRecording, onRead: OnRead): ListParts | undefined;
}

/** The recordings that a command line names, read one after the other. */
export class RecordingsReader {
  /** The files, in their order. */
  readonly found: readonly FoundRecording[];
  /** What formats are read with. */
  readonly formatOptions: FormatOptions;
  readonly #names: readonly string[];
  readonly #host: Host;
  readonly #isProgressShown: boolean;
  readonly #warnings: string[] = [];
  readonly #dropped: DroppedHits[] = [];
  readonly #read: string[] = [];
  #current = "";

  private constructor(
    names: readonly string[],
    found: readonly FoundRecording[],
    host: Host,
    options: RecordingsOptions,
    formatOptions: FormatOptions,
  ) {
    this.#names = names;
    this.found = found;
    this.#host = host;
    this.formatOptions = formatOptions;
    this.#isProgressShown = options.isProgressShown !== false && showsProgress(host);
  }

  /**
   * Finds the recordings, and reads nothing yet.
   *
   * @param names Files, folders, patterns, and `-` for standard input.
   * @throws {CommandError} if a folder or pattern has no file, or standard input is named twice.
   * @throws {RecordingError} if an environment cannot be used.
   */
  static async find(
    names: readonly string[],
    host: Host,
    options: RecordingsOptions = {},
  ): Promise<RecordingsReader> {
    const values = await readEnvironments(options.env ?? []);
    const { logFormat } = options;
    const unread: string[] = [];
    const found = await findRecordings(names, (sentence) => unread.push(sentence));
    const reader = new RecordingsReader(names, found, host, options, { values, logFormat });
    reader.#warnings.push(...unread);
    return reader;
  }

  /** Warnings so far: sentences. */
  get warnings(): readonly string[] {
    return [...this.#warnings, ...droppedSentences(this.#dropped)];
  }

  /** The hits that could not be carried over so far. */
  get dropped(): readonly DroppedHits[] {
    return this.#dropped;
  }

  /** The path of the recording that the last batch is of. */
  get current(): string {
    return this.#current;
  }

  /** The number of recordings read to the end so far. */
  get read(): number {
    return this.#read.length;
  }

  /** The paths of recordings; a folder's other files are left out. */
  get readPaths(): readonly string[] {
    return this.#read;
  }

  /**
   * The interactions of all recordings, as many at a time as were read together.
   *
   * @param addHits Adds hits files to the map (default: they are refused).
   * @param parallel Records some of them on other threads (default: none).
   * @throws {RecordingError} if a recording cannot be read.
   * @throws {CommandError} if there were files, and none of them is a recording.
   */
  async *batches(
    addHits?: AddHits,
    parallel?: ParallelReader,
  ): AsyncGenerator<readonly Interaction[], void> {
    const total = this.#isProgressShown ? await totalOf(this.found) : undefined;
    const progress = new Progress(this.#host, total, this.#isProgressShown);
    const onRead: OnRead = (bytes) => progress.advance(bytes);
    try {
      const taken = await parallel?.files(onRead);
      for (const recording of this.found) {
        this.#current = recording.path;
        const result = taken?.get(recording) ?? (yield* readFileBatches(
          recording,
          counted(openRecording(recording.path, this.#host), onRead),
          this.formatOptions,
          addHits,
          parallel?.partsOf(recording, onRead),
        ));
        if (result.isRecording) this.#read.push(recording.path);
        this.#warnings.push(...result.warnings);
        this.#dropped.push(...result.dropped ?? []);
      }
    } finally {
      await progress.end();
    }
    if (this.#read.length > 0) return;
    const names = this.#names.join(", ");
    throw new CommandError(
      this.found.length === 1
        ? `The only file in ${names} has no format that covtool reads. Name it to see why.`
        : `None of the ${this.found.length} files in ${names} has a format that covtool reads. Name one of them to see why.`,
    );
  }
}

/**
 * The bytes of a recording.
 *
 * @throws {RecordingError} if the file cannot be read.
 */
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

/** The same pieces; reports the size of each. */
export async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  onRead: OnRead,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    await onRead(piece.length);
    yield piece;
  }
}

/** Bytes to read in total; undefined if unknown. */
async function totalOf(found: readonly FoundRecording[]): Promise<number | undefined> {
  let total = 0;
  for (const { path } of found) {
    if (path === STANDARD_INPUT) return undefined;
    try {
      const status = await stat(path);
      if (!status.isFile()) return undefined;
      total += status.size;
    } catch {
      return undefined; // reading it says why
    }
  }
  return total;
}
