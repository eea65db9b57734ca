import type { MeasuredMap } from "../load_apis.ts";
import { readFilePieces } from "../../files/files.ts";
import { recordingOf } from "../../coverage_map/recording_of.ts";
import { recordBatches } from "../../record/record_batches.ts";
import { filesBeside } from "../../traffic/read/files_beside.ts";
import { readPart } from "../../traffic/read/read_part.ts";
import { readFileBatches } from "../read_file_batches.ts";
import { counted, type OnRead } from "../recordings_reader.ts";
import type { Job, JobResult } from "./job.ts";

/**
 * Reads a file or a part of one and records what is in it.
 *
 * @returns Undefined if the part is invalid: it does not begin and end between two items.
 * @throws {RecordingError} if the file cannot be read, or isn't a recording though it was named as one.
 */
export async function runJob(
  job: Job,
  map: MeasuredMap,
  onRead: OnRead,
): Promise<JobResult | undefined> {
  if (job.kind === "file") {
    const { path } = job.recording;
    const pieces = counted(readFilePieces(path), onRead);
    const { carry } = job;
    const batches = readFileBatches(
      job.recording,
      pieces,
      job.options,
      (line, location) => map.mergeHits(line, { location, carry }),
    );
    const recording = recordingOf(map, path);
    const { result } = await recordBatches(map, batches, recording);
    recording.end();
    return result;
  }
  const { path, start, end, list, separator } = job;
  const pieces = counted(readFilePieces(path, { start, end }), onRead);
  const batches = readPart(pieces, list, separator, filesBeside(path));
  return (await recordBatches(map, batches, recordingOf(map, path))).result;
}
