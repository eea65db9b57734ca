import type { CoverageMap } from "../coverage_map/coverage_map.ts";
import type { OutputGuard } from "../files/output_guard.ts";
import { recordBatches } from "../record/record_batches.ts";
import type { Host } from "./host.ts";
import { type Description, loadMap } from "./load_map.ts";
import { RecordingsReader } from "./recordings_reader.ts";

/** A description and its traffic. */
export interface KeepingOptions extends Description {
  /** Recordings and hits files; none for no traffic at all. */
  readonly traffic: readonly string[];
  /** Environments and globals of Postman: files. */
  readonly env: readonly string[];
  /** The log format of nginx or Apache that access logs have. */
  readonly logFormat?: string | undefined;
  /** Carries over hits of another description. */
  readonly carry: boolean;
  /** The requests to keep (default: the smallest). */
  readonly keepRequests?: "newest" | undefined;
}

/**
 * Loads a description and records its traffic, and keeps one successful request of each operation to make others of.
 * That takes one thread: requests are not handed on between threads.
 *
 * @param guard Knows what is about to be written, and refuses to write over inputs.
 * @throws {DescriptionError} if the description cannot be loaded.
 * @throws {RecordingError} if a recording cannot be read.
 */
export async function measureKeeping(
  options: KeepingOptions,
  host: Host,
  guard: OutputGuard,
): Promise<{ readonly map: CoverageMap; readonly warnings: readonly string[] }> {
  const map = await loadMap({ ...options, keepRequests: options.keepRequests ?? true });
  await guard.check(map.documentUrls());
  const { traffic, env, logFormat, carry } = options;
  if (traffic.length === 0) return { map, warnings: [] };
  const recordings = await RecordingsReader.find(traffic, host, { env, logFormat });
  await guard.check([...recordings.found.map(({ path }) => path), ...env]);
  const addHits = (line: Uint8Array, location: string) => map.mergeHits(line, { location, carry });
  await recordBatches(map, recordings.batches(addHits));
  return { map, warnings: recordings.warnings };
}
