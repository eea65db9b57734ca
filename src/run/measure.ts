import type { DroppedHits } from "../map/results.ts";
import { append } from "../values/collections.ts";
import { type ApiMaps, SingleApiHits } from "../coverage_map/api_maps.ts";
import { recordBatches } from "../record/record_batches.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import type { Host } from "./host.ts";
import {
  type Description,
  type Descriptions,
  loadMap,
  loadMaps,
  standardInputError,
} from "./load_apis.ts";
import { type AddHits, RecordingsReader, shareRecordings } from "./recordings_reader.ts";
import { readWithPool, WorkerPool } from "./parallel/worker_pool.ts";
import { WorkerPoolError } from "./parallel/pool_worker.ts";
import type { MeasuredApi } from "../coverage_map/measured_api.ts";
import type { OutputGuard } from "../files/output_guard.ts";
import type { GivenValues } from "./options/options.ts";
/** Large enough that starting a part costs little, small enough that all threads finish at about the same time. */
const PART_BYTES = 1 << 22;

export interface MeasureOptions
  extends Descriptions, GivenValues<"recordingOptions" | "hits" | "performance"> {
  /** Recordings and hits files: files, folders, patterns, and `-` for standard input. */
  readonly traffic: readonly string[];
  /** The approximate number of bytes of a large recording that a thread takes at a time (default: 4 MiB). */
  readonly partBytes?: number | undefined;
}

export interface Measurement {
  readonly map: ApiMaps;
  readonly warnings: readonly string[];
  /** The recordings that were read, as paths and `-`. */
  readonly recordings?: readonly string[] | undefined;
  readonly dropped?: readonly DroppedHits[] | undefined;
}

export async function measure(options: MeasureOptions, host: Host): Promise<Measurement> {
  if (options.schema === STANDARD_INPUT) throw standardInputError();
  try {
    return await record(options, host);
  } catch (error) {
    if (!(error instanceof WorkerPoolError)) throw error;
    const result = await record({ ...options, jobs: 1 }, host);
    const { warning } = error;
    return warning === undefined ? result : { ...result, warnings: [warning, ...result.warnings] };
  }
}

async function record(options: MeasureOptions, host: Host): Promise<Measurement> {
  const { env, logFormat, carry, jobs, partBytes = PART_BYTES } = options;
  const recordings = await RecordingsReader.find(options.traffic, host, { env, logFormat });
  const { program } = host;
  const shares = program && await shareRecordings(recordings.files, jobs, partBytes, logFormat);
  let pool = program && shares && new WorkerPool(program, options, shares.threads);
  try {
    const map = await loadMaps(options);
    if (map.hasLinks) {
      await pool?.close();
      pool = undefined;
    }
    const parallel = pool && shares &&
      readWithPool(pool, map, shares, recordings.formatOptions, carry);
    const addHits: AddHits = (line, location) => map.mergeHits(line, { location, carry });
    // With other threads, not yet: they may still read parts of a recording that this thread has finished.
    const end = pool === undefined ? (path: string) => map.recording(path).end() : undefined;
    await recordBatches(map, recordings.batches(addHits, parallel, end), {
      within: (action) => map.recording(recordings.current).within(action),
    });
    for (const { path } of recordings.files) map.recording(path).end();
    const { warnings, dropped, readPaths } = recordings;
    return { map, warnings, dropped, recordings: readPaths };
  } finally {
    await pool?.close();
  }
}

interface KeepRequestsOptions extends Description, GivenValues<"recordingOptions" | "hits"> {
  readonly traffic: readonly string[];
  readonly config?: string | undefined;
  /** The preferred requests to keep (default: the smallest). */
  readonly keepRequests?: "newest" | undefined;
  /** Called after the description is loaded, before traffic is recorded. */
  readonly onLoaded?: ((api: MeasuredApi) => void) | undefined;
}

/** Records traffic in one thread, and keeps a successful request of each operation as a base for suggestions. */
export async function measureKeepingRequests(
  options: KeepRequestsOptions,
  host: Host,
  guard: OutputGuard,
): Promise<{ readonly map: MeasuredApi; readonly warnings: readonly string[] }> {
  const map = await loadMap(options);
  const { keepRequests } = await import("../coverage_map/suggest_for.ts");
  keepRequests(map, options.keepRequests ?? true);
  options.onLoaded?.(map);
  await guard.check([...map.documentUrls, options.config]);
  const { traffic, env, carry } = options;
  if (traffic.length === 0) return { map, warnings: [] };
  const recordings = await RecordingsReader.find(traffic, host, options);
  await guard.check([...recordings.files.map(({ path }) => path), ...env ?? []]);
  const hits = new SingleApiHits(map);
  const addHits: AddHits = (line, location) => hits.add(line, { location, carry });
  await recordBatches(map, recordings.batches(addHits));
  append(recordings.dropped, hits.end());
  return { map, warnings: recordings.warnings };
}
