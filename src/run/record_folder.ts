import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Measurement } from "./measure.ts";
import type { ApiMaps } from "../coverage_map/api_maps.ts";
import { recordBatches } from "../record/record_batches.ts";
import { RecordingError } from "../values/errors.ts";
import { readFilePieces } from "../files/files.ts";
import { readRecording } from "../traffic/read/read_recording.ts";
import { problemSentences, type TrafficFolder } from "./traffic_folder.ts";
import { append } from "../values/collections.ts";

/** Records the traffic collected by the processes of a run; unusable parts, such as a cut line, become warnings. */
export async function recordFolder(folder: TrafficFolder, map: ApiMaps): Promise<Measurement> {
  const warnings = folderProblems(folder);
  for (const path of folder.recordings()) {
    const reader = readRecording(readFilePieces(path), processName(path));
    try {
      await recordBatches(map, reader.batches());
      append(warnings, reader.warnings);
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
      warnings.push(error.message);
    }
  }
  return { map, warnings };
}

/** Returns sentences about problems, each once, as the same client may fail in every process. */
function folderProblems(folder: TrafficFolder): string[] {
  const sentences = new Set<string>();
  for (const path of folder.problems()) {
    for (const sentence of problemSentences(readFileSync(path, "utf8"))) sentences.add(sentence);
  }
  const processes = folder.losses().map(processName);
  if (processes.length > 0) {
    const subject = processes.length === 1 ? processes[0] : `${processes.length} processes`;
    sentences.add(
      `${subject} could not record all requests: there is no room in ${
        dirname(folder.path)
      }. Free some space, or set TMPDIR to a folder on another disk, and run the tests again.`,
    );
  }
  return [...sentences].sort();
}

function processName(path: string): string {
  return `Process ${basename(path).replace(/^traffic-/, "").split("-")[0]}`;
}
