import { RecordingError } from "../values/errors.ts";
import type { DroppedHits } from "../map/results.ts";
import type { Interaction } from "../http/interaction.ts";
import { filesBeside } from "../traffic/read/stream_entries.ts";
import type { ListParts } from "../traffic/read/streamed_list.ts";
import type { FormatOptions } from "../traffic/formats/recording.ts";
import { readRecording } from "../traffic/read/read_recording.ts";
import { PROBLEMS_ENDING, problemSentences } from "./traffic_folder.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import type { FoundRecording } from "./find_recordings.ts";

/** Why files of a folder are skipped, by the codes of errors. A log that was just rotated is empty. */
const SKIPPED: Readonly<Record<string, string>> = {
  unknown_format: "covtool doesn't know its format",
  empty: "nothing in it can be read",
};

export interface FileResult {
  /** False if it was found in a folder and isn't a recording. */
  readonly isRecording: boolean;
  readonly warnings: readonly string[];
  /** Hits that could not be carried over (default: none). */
  readonly dropped?: readonly DroppedHits[] | undefined;
}

/** Adds one line of a hits file to a map, and returns the hits that could not be carried over. */
export type AddHits = (line: Uint8Array, location: string) => readonly DroppedHits[];

/** Reads a recording that a command line names. */
export async function* readFileBatches(
  { path, named }: FoundRecording,
  pieces: AsyncIterable<Uint8Array>,
  options: FormatOptions | undefined,
  addHits?: AddHits,
  parts?: ListParts,
): AsyncGenerator<readonly Interaction[], FileResult> {
  if (path.endsWith(PROBLEMS_ENDING)) {
    return { isRecording: false, warnings: await readProblems(pieces) };
  }
  const isFile = path !== STANDARD_INPUT;
  const location = isFile ? path : "standard input";
  const findFile = isFile ? filesBeside(path) : undefined;
  const dropped: DroppedHits[] = [];
  const takeHits = addHits &&
    ((line: Uint8Array) => void dropped.push(...addHits(line, location)));
  const reader = readRecording(pieces, location, { ...options, parts, findFile, takeHits });
  try {
    yield* reader.batches();
  } catch (error) {
    // A file in a folder may be something else; one that was named may not.
    const reason = error instanceof RecordingError && !named ? SKIPPED[error.code] : undefined;
    if (reason === undefined) throw error;
    return { isRecording: false, warnings: [`${path}: Skipped, because ${reason}.`] };
  }
  return { isRecording: true, warnings: reader.warnings, dropped };
}

async function readProblems(pieces: AsyncIterable<Uint8Array>): Promise<string[]> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of pieces) text += decoder.decode(piece, { stream: true });
  return [...new Set(problemSentences(text))].sort();
}
