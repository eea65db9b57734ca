import { RecordingError } from "../values/errors.ts";
import { fileErrorSentence, readFilePieces } from "../files/files.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import type { Host } from "./host.ts";

/**
 * The bytes of a recording, as they are asked for.
 *
 * @throws {RecordingError} where the file cannot be read.
 */
export async function* openRecording(path: string, host: Host): AsyncGenerator<Uint8Array> {
  if (path === STANDARD_INPUT) {
    yield* host.stdin();
    return;
  }
  try {
    yield* readFilePieces(path);
  } catch (cause) {
    throw new RecordingError(fileErrorSentence(cause), {
      code: "unreadable",
      location: path,
      cause,
    });
  }
}
