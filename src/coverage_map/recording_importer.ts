import { fileErrorSentence, readFilePieces } from "../files/files.ts";
import {
  recordBatch,
  recordBatches,
  type RecordingScope,
  type RecordTarget,
} from "../record/record_batches.ts";
import { formatsInFamily } from "../traffic/formats/formats.ts";
import {
  asList,
  type PostmanEnvironment,
  readEnvironments,
  readPostmanEnvironments,
} from "../traffic/formats/postman/postman_environment.ts";
import type { FormatFamily, FormatOptions, PostmanValues } from "../traffic/formats/recording.ts";
import { readRecording } from "../traffic/read/read_recording.ts";
import { ReadState } from "../traffic/read/read_state.ts";
import { readAttachedFiles, readDocuments } from "../traffic/read/stream_entries.ts";
import { RecordingError } from "../values/errors.ts";

/** The result of reading a recording. */
export interface ImportResult {
  /** The number of interactions recorded. */
  readonly interactions: number;
  /** Warnings about skipped content: one sentence for each kind. */
  readonly warnings: readonly string[];
}

export type BeginRecording = () => RecordingScope;

/** Imports recordings of other tools, in the formats of one family. */
export class RecordingImporter {
  readonly #target: RecordTarget;
  readonly #family: FormatFamily;
  readonly #options: FormatOptions;
  readonly #begin: BeginRecording;

  /** Creates an importer for a map. */
  constructor(
    target: RecordTarget,
    family: FormatFamily,
    begin: BeginRecording,
    options: FormatOptions = {},
  ) {
    this.#target = target;
    this.#family = family;
    this.#begin = begin;
    this.#options = options;
  }

  /**
   * Imports a file: plain, gzip or zlib. Large files are read in pieces.
   *
   * @param path A path or a `file:` URL.
   * @throws {RecordingError} if it can't be read or has none of the formats.
   */
  async recordFromPath(path: string | URL): Promise<ImportResult> {
    const location = String(path);
    const reader = readRecording(readPieces(path, location), location, {
      ...this.#options,
      formats: formatsInFamily(this.#family),
      findFile: readAttachedFiles(path),
    });
    const recording = this.#begin();
    try {
      const { interactions } = await recordBatches(this.#target, reader.batches(), recording);
      return { interactions, warnings: reader.warnings };
    } finally {
      recording.end();
    }
  }

  /**
   * Imports a parsed recording.
   *
   * @param location The recording's name in errors and warnings.
   * @throws {RecordingError} if it has none of the formats or no usable content.
   */
  recordFromDict(data: unknown, location = "the recording"): ImportResult {
    const formats = formatsInFamily(this.#family);
    const state = new ReadState(location, { ...this.#options, formats });
    const interactions = readDocuments([data], state);
    state.finish();
    const recording = this.#begin();
    try {
      recording.within(() => recordBatch(this.#target, interactions));
    } finally {
      recording.end();
    }
    return { interactions: interactions.length, warnings: state.warnings };
  }
}

async function* readPieces(path: string | URL, location: string): AsyncGenerator<Uint8Array> {
  try {
    yield* readFilePieces(path);
  } catch (cause) {
    throw new RecordingError(fileErrorSentence(cause), { code: "unreadable", location, cause });
  }
}

/** Options for reading a Postman collection. */
export interface CollectionOptions {
  /**
   * Postman environments and globals: paths, `file:` URLs, or objects. Their values override those of the collection;
   * among several values with one name, the last one applies.
   */
  readonly env?: PostmanEnvironment | readonly PostmanEnvironment[] | undefined;
}

/** Imports Postman collections and Newman's exports. */
export class CollectionImporter {
  readonly #target: RecordTarget;
  readonly #begin: BeginRecording;

  /** Creates an importer for a map. */
  constructor(target: RecordTarget, begin: BeginRecording) {
    this.#target = target;
    this.#begin = begin;
  }

  /**
   * Imports a file: plain, gzip or zlib.
   *
   * @param path A path or a `file:` URL.
   * @throws {RecordingError} if it or an environment can't be read or has none of the formats.
   */
  async recordFromPath(path: string | URL, options: CollectionOptions = {}): Promise<ImportResult> {
    const values = await readEnvironments(options.env ?? []);
    return await this.#importer(values).recordFromPath(path);
  }

  /**
   * Imports a parsed collection.
   *
   * @param location The collection's name in errors and warnings.
   * @param options Environments must be objects here, as this function can't read files.
   * @throws {RecordingError} if it has none of the formats or no usable content.
   */
  recordFromDict(
    data: unknown,
    location = "the recording",
    options: CollectionOptions = {},
  ): ImportResult {
    const files = asList(options.env ?? []).map((one) => {
      if (typeof one === "string" || one instanceof URL) {
        throw new RecordingError(
          "recordFromDict() reads no files. Give the environment as an object, or use recordFromPath().",
          { code: "not_environment", location: String(one) },
        );
      }
      return [one, "the environment"] as const;
    });
    const values = readPostmanEnvironments(files);
    return this.#importer(values).recordFromDict(data, location);
  }

  #importer(values: PostmanValues): RecordingImporter {
    return new RecordingImporter(this.#target, "collection", this.#begin, { values });
  }
}
