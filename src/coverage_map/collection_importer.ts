import { RecordingError } from "../values/errors.ts";
import { readPostmanEnvironments } from "../traffic/formats/postman/postman_environment.ts";
import {
  asList,
  type PostmanEnvironment,
  readEnvironments,
} from "../traffic/formats/postman/read_environments.ts";
import type { PostmanValues } from "../traffic/formats/postman/postman_variables.ts";
import type { RecordTarget } from "../record/record_batches.ts";
import { type BeginRecording, type ImportResult, RecordingImporter } from "./recording_importer.ts";

/** Options for reading a Postman collection. */
export interface CollectionOptions {
  /**
   * Environments and globals of Postman, whose values hide those of the collection: paths, `file:` URLs, or objects.
   * Of several that have a name, the last one counts.
   */
  readonly env?: PostmanEnvironment | readonly PostmanEnvironment[] | undefined;
}

/** Records Postman collections and what Newman exports. */
export class CollectionImporter {
  readonly #target: RecordTarget;
  readonly #begin: BeginRecording | undefined;

  /** Adds to a map what collections hold. */
  constructor(target: RecordTarget, begin?: BeginRecording) {
    this.#target = target;
    this.#begin = begin;
  }

  /**
   * Records a file, plain, gzip or zlib.
   *
   * @param path A path or a `file:` URL.
   * @throws {RecordingError} if it or an environment cannot be read, or has none of the formats.
   */
  async recordFromPath(
    path: string | URL,
    options: CollectionOptions = {},
  ): Promise<ImportResult> {
    const values = await readEnvironments(options.env ?? []);
    return await this.#importer(values).recordFromPath(path);
  }

  /**
   * Records what was parsed already.
   *
   * @param location Its name in errors and warnings.
   * @param options Environments are objects here: files cannot be read in passing.
   * @throws {RecordingError} if it has none of the formats, or nothing in it can be used.
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
    return new RecordingImporter(this.#target, "collection", { values }, this.#begin);
  }
}
