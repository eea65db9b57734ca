import { CoverageMap } from "../coverage_map.ts";
import { CommandError } from "./command_error.ts";
import { STANDARD_INPUT } from "./find_recordings.ts";
import type { Host } from "./host.ts";
import { RecordingsReader } from "./recordings_reader.ts";

/** What is measured against what. */
export interface MeasureOptions {
  /** A file or an http(s) URL. */
  readonly schema: string;
  /** Recordings: files, folders, patterns, and `-` for standard input. */
  readonly traffic: readonly string[];
  readonly basePath: string | undefined;
}

/** What came of it. */
export interface Measurement {
  readonly map: CoverageMap;
  /** What of the recordings could not be used: sentences. */
  readonly warnings: readonly string[];
}

/**
 * Loads a description and records the traffic of every recording.
 *
 * @throws {DescriptionError} where the description cannot be loaded.
 * @throws {RecordingError} where a recording cannot be read.
 * @throws {CommandError} where recordings are named in a place or a way in which they cannot be read.
 */
export async function measure(options: MeasureOptions, host: Host): Promise<Measurement> {
  const { schema, traffic, basePath } = options;
  if (schema === STANDARD_INPUT) {
    throw new CommandError(
      "Only traffic can come from standard input. Give the description as a file or a URL.",
    );
  }
  const recordings = await RecordingsReader.find(traffic, host);
  const map = /^https?:\/\//i.test(schema)
    ? await CoverageMap.fromUrl(schema, { basePath })
    : await CoverageMap.fromPath(schema, { basePath });
  for await (const batch of recordings.batches()) {
    for (const { request, response, timestamp } of batch) map.record(request, response, timestamp);
  }
  return { map, warnings: recordings.warnings };
}
