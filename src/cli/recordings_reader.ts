import { stat } from "node:fs/promises";
import { RecordingError } from "../errors.ts";
import type { Interaction } from "../http/interaction.ts";
import { readRecording } from "../record/importers/read_recording.ts";
import { CommandError } from "./command_error.ts";
import { findRecordings, type FoundRecording, STANDARD_INPUT } from "./find_recordings.ts";
import type { Host } from "./host.ts";
import { openRecording } from "./open_recording.ts";
import { Progress, showsProgress } from "./progress.ts";

/** How recordings are read. */
export interface RecordingsOptions {
  /** Whether a terminal shows how far it is; yes unless given. */
  readonly isProgressShown?: boolean;
}

/** The recordings that a command line names, read one after the other. */
export class RecordingsReader {
  /** The files, in their order. */
  readonly found: readonly FoundRecording[];
  readonly #names: readonly string[];
  readonly #host: Host;
  readonly #isProgressShown: boolean;
  readonly #warnings: string[] = [];
  #read = 0;

  private constructor(
    names: readonly string[],
    found: readonly FoundRecording[],
    host: Host,
    options: RecordingsOptions,
  ) {
    this.#names = names;
    this.found = found;
    this.#host = host;
    this.#isProgressShown = options.isProgressShown !== false && showsProgress(host);
  }

  /**
   * Finds the recordings, and reads nothing yet.
   *
   * @param names Files, folders, patterns, and `-` for standard input.
   * @throws {CommandError} where a folder or pattern has no file, or standard input is named twice.
   */
  static async find(
    names: readonly string[],
    host: Host,
    options: RecordingsOptions = {},
  ): Promise<RecordingsReader> {
    return new RecordingsReader(names, await findRecordings(names), host, options);
  }

  /** What of the recordings could not be used so far: sentences. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** How many recordings were read to their end so far. */
  get read(): number {
    return this.#read;
  }

  /**
   * The interactions of all recordings, as many at a time as were read together.
   *
   * @throws {RecordingError} where a recording cannot be read.
   * @throws {CommandError} where there were files, and none of them is a recording.
   */
  async *batches(): AsyncGenerator<readonly Interaction[], void> {
    const total = this.#isProgressShown ? await totalOf(this.found) : undefined;
    const progress = new Progress(this.#host, total, this.#isProgressShown);
    try {
      for (const recording of this.found) yield* this.#batchesOf(recording, progress);
    } finally {
      await progress.end();
    }
    if (this.#read > 0) return;
    throw new CommandError(
      `None of the ${this.found.length} files in ${
        this.#names.join(", ")
      } is a recording that covtool knows.`,
    );
  }

  async *#batchesOf(
    { path, named }: FoundRecording,
    progress: Progress,
  ): AsyncGenerator<readonly Interaction[], void> {
    const location = path === STANDARD_INPUT ? "standard input" : path;
    const reader = readRecording(counted(openRecording(path, this.#host), progress), location);
    try {
      yield* reader.batches();
    } catch (error) {
      // A file that was not named itself merely stood in a folder.
      if (named || !(error instanceof RecordingError) || error.code !== "unknown_format") {
        throw error;
      }
      this.#warnings.push(`${path}: This is no recording that covtool knows; it is left out.`);
      return;
    }
    this.#read++;
    this.#warnings.push(...reader.warnings);
  }
}

async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  progress: Progress,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    await progress.advance(piece.length);
    yield piece;
  }
}

/** Bytes that there are to read; undefined where nobody knows. */
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
