import type { CoverageMap } from "../../coverage_map/coverage_map.ts";
import type { PostmanValues } from "../../traffic/formats/postman/postman_variables.ts";
import { counted, type ParallelReader } from "../recordings_reader.ts";
import type { WorkerPool } from "./worker_pool.ts";
import { fileParts } from "./file_parts.ts";
import type { FileJob } from "./job.ts";
import type { Shares } from "./share_recordings.ts";

/**
 * Has a pool record what several threads can share.
 *
 * @param map The main thread's.
 * @param values Values of variables for Postman's collections.
 * @param partBytes About how long parts of a file are.
 */
export function readWithPool(
  pool: WorkerPool,
  map: CoverageMap,
  { whole, cut }: Shares,
  values: PostmanValues,
  partBytes: number,
): ParallelReader {
  return {
    files: async (onRead) => {
      const jobs = whole.map((recording): FileJob => ({ kind: "file", recording, values }));
      const results = await pool.run(jobs, map, onRead);
      return new Map(jobs.map(({ recording }, index) => {
        const result = results[index];
        if (result === undefined) throw new TypeError(`No thread read ${recording.path}.`);
        return [recording, result];
      }));
    },
    partsOf: (recording, onRead) => {
      const size = cut.get(recording);
      return size === undefined ? undefined : fileParts({
        path: recording.path,
        size,
        partBytes,
        run: (jobs) => pool.run(jobs, map, onRead),
        counted: (pieces) => counted(pieces, onRead),
      });
    },
  };
}
