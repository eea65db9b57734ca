import type { CoverageMap } from "../../coverage_map/coverage_map.ts";
import { readFilePieces } from "../../files/files.ts";
import type { Interaction } from "../../http/interaction.ts";
import { filesBeside } from "../../traffic/read/files_beside.ts";
import { readPart } from "../../traffic/read/read_part.ts";
import { readFileBatches } from "../read_file_batches.ts";
import { counted, type OnRead } from "../recordings_reader.ts";
import type { Job, JobResult } from "./job.ts";

/**
 * Reads a file or a part of one and records what is in it.
 *
 * @returns Undefined where the part is none: it does not begin and end between two items.
 * @throws {RecordingError} where the file cannot be read, or is no recording though it was named as one.
 */
export async function doJob(
  job: Job,
  map: CoverageMap,
  onRead: OnRead,
): Promise<JobResult | undefined> {
  if (job.kind === "file") {
    const { path } = job.recording;
    return await recordAll(
      readFileBatches(job.recording, counted(readFilePieces(path), onRead), job.values),
      map,
    );
  }
  const { path, start, end, list, separator } = job;
  const pieces = counted(readFilePieces(path, { start, end }), onRead);
  return await recordAll(readPart(pieces, list, separator, filesBeside(path)), map);
}

async function recordAll<Result>(
  batches: AsyncGenerator<readonly Interaction[], Result>,
  map: CoverageMap,
): Promise<Result> {
  while (true) {
    const { done, value } = await batches.next();
    if (done === true) return value;
    for (const { request, response, timestamp, test } of value) {
      map.record(request, response, timestamp, test);
    }
  }
}
