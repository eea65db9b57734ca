import { CoverageMap } from "../coverage_map.ts";
import { recordReader } from "../record/record_reader.ts";
import { readRecording } from "../record/importers/read_recording.ts";
import { CommandError } from "./command_error.ts";
import { findRecordings, type FoundRecording, STANDARD_INPUT } from "./find_recordings.ts";
import { RecordingError } from "../errors.ts";
import { openRecording } from "./open_recording.ts";
import type { Host } from "./host.ts";

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
  const found = await findRecordings(traffic);
  const map = /^https?:\/\//i.test(schema)
    ? await CoverageMap.fromUrl(schema, { basePath })
    : await CoverageMap.fromPath(schema, { basePath });
  const warnings: string[] = [];
  let read = 0;
  for (const recording of found) {
    const added = await addRecording(map, recording, host);
    if (added === undefined) {
      warnings.push(`${recording.path}: This is no recording that covtool knows; it is left out.`);
    } else {
      read++;
      warnings.push(...added);
    }
  }
  if (read === 0) {
    throw new CommandError(
      `None of the ${found.length} files in ${
        traffic.join(", ")
      } is a recording that covtool knows.`,
    );
  }
  return { map, warnings };
}

/** Records one recording; gives its warnings, or undefined for a file that merely stood in a folder and is none. */
async function addRecording(
  map: CoverageMap,
  { path, named }: FoundRecording,
  host: Host,
): Promise<readonly string[] | undefined> {
  const location = path === STANDARD_INPUT ? "standard input" : path;
  const reader = readRecording(openRecording(path, host), location);
  try {
    await recordReader(map, reader);
    return reader.warnings;
  } catch (error) {
    const isOther = error instanceof RecordingError && error.code === "unknown_format";
    if (isOther && !named) return undefined;
    throw error;
  }
}
