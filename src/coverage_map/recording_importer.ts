import { RecordingError } from "../values/errors.ts";
import { fileErrorSentence, readFilePieces } from "../files/files.ts";
import { filesBeside } from "../traffic/read/files_beside.ts";
import { formatsOf } from "../traffic/formats/formats.ts";
import type { FormatFamily, FormatOptions } from "../traffic/formats/recording_format.ts";
import { readDocument } from "../traffic/read/read_document.ts";
import { readRecording } from "../traffic/read/read_recording.ts";
import {
  recordBatch,
  recordBatches,
  type RecordingScope,
  type RecordTarget,
} from "../record/record_batches.ts";

/** The result of reading a recording. */
export interface ImportResult {
  /** The number of interactions recorded. */
  readonly interactions: number;
  /** Warnings about skipped content: a sentence for each kind. */
  readonly warnings: readonly string[];
}

/** Begins a recording of a map. */
export type BeginRecording = () => RecordingScope;

/** Records what other tools have recorded, in the formats of one family. */
export class RecordingImporter {
  readonly #target: RecordTarget;
  readonly #family: FormatFamily;
  readonly #options: FormatOptions;
  readonly #begin: BeginRecording | undefined;

  /** Adds to a map the content of recordings of one family of formats. */
  constructor(
    target: RecordTarget,
    family: FormatFamily,
    options: FormatOptions = {},
    begin?: BeginRecording,
  ) {
    this.#target = target;
    this.#family = family;
    this.#begin = begin;
    this.#options = options;
  }

  /**
   * Records a file, plain, gzip or zlib; large ones piece by piece.
   *
   * @param path A path or a `file:` URL.
   * @throws {RecordingError} if it cannot be read, or has none of the formats.
   */
  async recordFromPath(path: string | URL): Promise<ImportResult> {
    const location = String(path);
    const reader = readRecording(pieces(path, location), location, {
      ...this.#options,
      formats: formatsOf(this.#family),
      findFile: filesBeside(path),
    });
    const recording = this.#begin?.();
    try {
      const { interactions } = await recordBatches(this.#target, reader.batches(), recording);
      return { interactions, warnings: reader.warnings };
    } finally {
      recording?.end();
    }
  }

  /**
   * Records what was parsed already.
   *
   * @param location Its name in errors and warnings.
   * @throws {RecordingError} if it has none of the formats, or nothing in it can be used.
   */
  recordFromDict(data: unknown, location = "the recording"): ImportResult {
    const formats = formatsOf(this.#family);
    const { interactions, warnings } = readDocument(data, location, formats, this.#options);
    const recording = this.#begin?.();
    try {
      if (recording === undefined) recordBatch(this.#target, interactions);
      else recording.within(() => recordBatch(this.#target, interactions));
    } finally {
      recording?.end();
    }
    return { interactions: interactions.length, warnings };
  }
}

async function* pieces(path: string | URL, location: string): AsyncGenerator<Uint8Array> {
  try {
    yield* readFilePieces(path);
  } catch (cause) {
    throw new RecordingError(fileErrorSentence(cause), { code: "unreadable", location, cause });
  }
}
