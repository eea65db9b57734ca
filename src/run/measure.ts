import type { DroppedHits } from "../map/results.ts";
import { recordingOf } from "../coverage_map/recording_of.ts";
import { recordBatches, type RecordingScope } from "../record/record_batches.ts";
import { CommandError } from "./command_error.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import type { Host } from "./host.ts";
import { type ApiDescription, type Descriptions, loadMaps, type MeasuredMap } from "./load_apis.ts";
import type { AddHits } from "./read_file_batches.ts";
import { RecordingsReader } from "./recordings_reader.ts";
import { WorkerPool } from "./parallel/worker_pool.ts";
import { WorkerPoolError } from "./parallel/worker_pool_error.ts";
import { shareRecordings } from "./parallel/share_recordings.ts";
import { readWithPool } from "./parallel/read_with_pool.ts";

/** Large enough that starting a part costs next to nothing, small enough that all threads finish at about the same time. */
const PART_BYTES = 1 << 22;

/** Options of a measurement. */
export interface MeasureOptions extends Descriptions {
  /** Recordings and hits files: files, folders, patterns, and `-` for standard input. */
  readonly traffic: readonly string[];
  /** Environments and globals of Postman: files. */
  readonly env?: readonly string[] | undefined;
  /** The log format of nginx or Apache that access logs have. */
  readonly logFormat?: string | undefined;
  /** Carries over hits of another description, as far as it says the same (default: false). */
  readonly carry?: boolean | undefined;
  /** Threads that record (default: several for large recordings). */
  readonly jobs?: number | undefined;
  /** About how many bytes of a large recording a thread takes at a time (default: 4 MiB). */
  readonly partBytes?: number | undefined;
}

/** The result of a measurement. */
export interface Measurement {
  readonly map: MeasuredMap;
  /** Warnings about recordings: sentences. */
  readonly warnings: readonly string[];
  /** The recordings that were read, as paths and `-`. */
  readonly recordings?: readonly string[] | undefined;
  /** The hits of another description that could not be carried over. */
  readonly dropped?: readonly DroppedHits[] | undefined;
}

/**
 * Loads a description and records the traffic of every recording.
 *
 * @throws {DescriptionError} if the description cannot be loaded.
 * @throws {RecordingError} if a recording cannot be read.
 * @throws {CommandError} if the arguments name no recordings, or name standard input for the description.
 */
export async function measure(options: MeasureOptions, host: Host): Promise<Measurement> {
  if (options.schema === STANDARD_INPUT) {
    throw new CommandError(
      "Only traffic can come from standard input. Give the description as a file or URL.",
    );
  }
  try {
    return await record(options, host);
  } catch (error) {
    if (!(error instanceof WorkerPoolError)) throw error;
    const alone = await record({ ...options, jobs: 1 }, host);
    const { warning } = error;
    return warning === undefined ? alone : { ...alone, warnings: [warning, ...alone.warnings] };
  }
}

/**
 * Records with as many threads as are useful.
 *
 * @throws {WorkerPoolError} if several threads began and one has to start over.
 */
async function record(options: MeasureOptions, host: Host): Promise<Measurement> {
  const { schema, basePath, allowRemoteRefs, allowRefsOutside, show, env, logFormat } = options;
  const { carry, jobs, partBytes = PART_BYTES } = options;
  const recordings = await RecordingsReader.find(options.traffic, host, { env, logFormat });
  const { program } = host;
  const shares = program && await shareRecordings(recordings.found, jobs, partBytes, logFormat);
  const apis = options.apis?.map(sentApi);
  const description = { schema, basePath, allowRemoteRefs, allowRefsOutside, show, apis };
  const pool = program && shares && new WorkerPool(program, description, shares.threads);
  try {
    const map = await loadMaps(options);
    const parallel = pool && shares &&
      readWithPool(pool, map, shares, recordings.formatOptions, carry);
    const addHits: AddHits = (line, location) => map.mergeHits(line, { location, carry });
    const reading = recordingByRecording(map, recordings, pool !== undefined);
    await recordBatches(map, recordings.batches(addHits, parallel), reading);
    await pool?.merge(map);
    for (const { path } of recordings.found) recordingOf(map, path).end();
    const { warnings, dropped, readPaths } = recordings;
    return { map, warnings, dropped, recordings: readPaths };
  } finally {
    await pool?.close();
  }
}

/** The recording that each batch belongs to; ends the one before, unless threads may still be reading parts of it. */
function recordingByRecording(
  map: MeasuredMap,
  recordings: RecordingsReader,
  isShared: boolean,
): Pick<RecordingScope, "within"> {
  let path: string | undefined;
  let recording: RecordingScope | undefined;
  return {
    within: (action) => {
      if (recording === undefined || recordings.current !== path) {
        if (!isShared) recording?.end();
        path = recordings.current;
        recording = recordingOf(map, path);
      }
      recording.within(action);
    },
  };
}

/** The part of an API that a worker needs; recording is independent of exclusions. */
function sentApi(
  { name, source, schema, basePath, hosts, allowRemoteRefs, allowRefsOutside }: ApiDescription,
): ApiDescription {
  return { name, source, schema, basePath, hosts, allowRemoteRefs, allowRefsOutside };
}
