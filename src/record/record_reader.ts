import type { HttpRequest, HttpResponse, Interaction } from "../http/interaction.ts";

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

/** A recording that is read piece by piece. */
export interface RecordSource {
  /** The interactions in their order, as many at a time as were read together. */
  batches(): AsyncIterable<readonly Interaction[]>;
}

/**
 * Adds every interaction of a recording, in its order, and gives their number.
 *
 * @throws {RecordingError} where the recording cannot be read.
 */
export async function recordReader(target: RecordTarget, reader: RecordSource): Promise<number> {
  let count = 0;
  for await (const batch of reader.batches()) {
    for (const { request, response, timestamp, test } of batch) {
      target.record(request, response, timestamp, test);
    }
    count += batch.length;
  }
  return count;
}
