import type { HttpRequest, HttpResponse } from "../http/interaction.ts";
import type { RecordingReader } from "../traffic/read/read_recording.ts";

/** What interactions are added to. */
export interface RecordTarget {
  /** Records one interaction. */
  record(
    request: HttpRequest,
    response?: HttpResponse | null,
    timestamp?: number,
    test?: string,
  ): void;
}

/**
 * Adds every interaction of a recording, in its order, and gives their number.
 *
 * @throws {RecordingError} where the recording cannot be read.
 */
export async function recordReader(target: RecordTarget, reader: RecordingReader): Promise<number> {
  let count = 0;
  for await (const batch of reader.batches()) {
    for (const { request, response, timestamp, test } of batch) {
      target.record(request, response, timestamp, test);
    }
    count += batch.length;
  }
  return count;
}
