import { RecordingError } from "../errors.ts";
import type { Interaction } from "../http/interaction.ts";
import { filesBeside } from "../record/importers/files_beside.ts";
import type { ListParts } from "../record/importers/list_parts.ts";
import { readRecording } from "../record/importers/read_recording.ts";
import { type FoundRecording, STANDARD_INPUT } from "./find_recordings.ts";

/** What is to be said of a file. */
export interface FileResult {
  /** False where it is none, and merely stood in a folder. */
  readonly isRecording: boolean;
  /** What of it could not be used: sentences. */
  readonly warnings: readonly string[];
}

/**
 * Reads a recording that a command line names.
 *
 * @param pieces Its bytes.
 * @param parts Reads the middle of long lists elsewhere.
 * @throws {RecordingError} where it cannot be read.
 */
export async function* readFileBatches(
  { path, named }: FoundRecording,
  pieces: AsyncIterable<Uint8Array>,
  parts?: ListParts,
): AsyncGenerator<readonly Interaction[], FileResult> {
  const isFile = path !== STANDARD_INPUT;
  const location = isFile ? path : "standard input";
  const findFile = isFile ? filesBeside(path) : undefined;
  const reader = readRecording(pieces, location, undefined, parts, findFile);
  try {
    yield* reader.batches();
  } catch (error) {
    // A file that was not named itself merely stood in a folder.
    if (named || !(error instanceof RecordingError) || error.code !== "unknown_format") throw error;
    return {
      isRecording: false,
      warnings: [`${path}: This is not a recording that covtool knows; it is left out.`],
    };
  }
  return { isRecording: true, warnings: reader.warnings };
}
