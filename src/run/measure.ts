import type { CoverageMap } from "../coverage_map/coverage_map.ts";
import { recordBatches } from "../record/record_batches.ts";
import { CommandError } from "./command_error.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import type { Host } from "./host.ts";
import { type Description, loadMap } from "./load_map.ts";
import { RecordingsReader } from "./recordings_reader.ts";
import { WorkerPool } from "./parallel/worker_pool.ts";
import { WorkerPoolError } from "./parallel/worker_pool_error.ts";
import { shareRecordings } from "./parallel/share_recordings.ts";
import { readWithPool } from "./parallel/read_with_pool.ts";

/** Long enough to make nothing of beginning and ending a part, short enough for all threads to end at the same time. */
const PART_BYTES = 1 << 22;

/** Options of a measurement. */
export interface MeasureOptions extends Description {
  /** Recordings: files, folders, patterns, and `-` for standard input. */
  readonly traffic: readonly string[];
  /** Environments and globals of Postman: files. */
  readonly env?: readonly string[] | undefined;
  /** Threads that record (default: as many as pay off). */
  readonly jobs?: number | undefined;
  /** About how many bytes of a large recording a thread takes at a time; 4 MiB by default. */
  readonly partBytes?: number | undefined;
}

/** The result of a measurement. */
export interface Measurement {
  readonly map: CoverageMap;
  /** Warnings about recordings: sentences. */
  readonly warnings: readonly string[];
  /** The recordings that were read, as paths and `-`. */
  readonly recordings?: readonly string[] | undefined;
}

/**
 * Loads a description and records the traffic of every recording.
 *
 * @throws {DescriptionError} where the description cannot be loaded.
 * @throws {RecordingError} where a recording cannot be read.
 * @throws {CommandError} where recordings are named in a place or a way in which they cannot be read.
 */
export async function measure(options: MeasureOptions, host: Host): Promise<Measurement> {
  if (options.schema === STANDARD_INPUT) {
    throw new CommandError(
      "Only traffic can come from standard input. Give the description as a file or URL.",
    );
  }
  const { env } = options;
  const recordings = await RecordingsReader.find(options.traffic, host, { env });
  const shared = await recordTogether(recordings, options, host.program);
  if (shared === undefined) return await recordAlone(recordings, options);
  if ("map" in shared) return shared;
  const again = await RecordingsReader.find(options.traffic, host, { env });
  const alone = await recordAlone(again, options);
  return { ...alone, warnings: [...shared.warnings, ...alone.warnings] };
}

async function recordAlone(
  recordings: RecordingsReader,
  options: MeasureOptions,
): Promise<Measurement> {
  const map = await loadMap(options);
  await recordBatches(map, recordings.batches());
  return { map, warnings: recordings.warnings, recordings: recordings.readPaths };
}

/** Gives only warnings where several threads began and one has to do it all again; undefined where that is better. */
async function recordTogether(
  recordings: RecordingsReader,
  options: MeasureOptions,
  program: URL | undefined,
): Promise<Measurement | Pick<Measurement, "warnings"> | undefined> {
  if (program === undefined) return undefined;
  const { schema, basePath, allowRemoteRefs, allowRefsOutside, partBytes = PART_BYTES } = options;
  const shares = await shareRecordings(recordings.found, options.jobs, partBytes);
  if (shares === undefined) return undefined;
  const description = { schema, basePath, allowRemoteRefs, allowRefsOutside };
  const pool = new WorkerPool(program, description, shares.threads);
  try {
    const map = await loadMap(options);
    await recordBatches(
      map,
      recordings.batches(readWithPool(pool, map, shares, recordings.values, partBytes)),
    );
    await pool.merge(map);
    return { map, warnings: recordings.warnings, recordings: recordings.readPaths };
  } catch (error) {
    if (!(error instanceof WorkerPoolError)) throw error;
    return { warnings: error.warning === undefined ? [] : [error.warning] };
  } finally {
    await pool.close();
  }
}
