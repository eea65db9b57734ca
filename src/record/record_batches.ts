import type {
  HttpRequest,
  HttpResponse,
  Interaction,
  InteractionDetails,
} from "../http/interaction.ts";

export interface RecordTarget {
  record(
    request: HttpRequest,
    response?: HttpResponse | null,
    timestamp?: number,
    test?: string,
    details?: InteractionDetails,
  ): void;
}

/** A recording whose batches are added, possibly interleaved with those of other recordings. */
export interface RecordingScope {
  /** Runs an action and assigns all requests that it records to the recording. */
  within(action: () => void): void;
  /** Ends the recording, after which no more requests follow. */
  end(): void;
}

export function recordBatch(target: RecordTarget, batch: readonly Interaction[]): void {
  for (const interaction of batch) {
    const { request, response, timestamp, test } = interaction;
    target.record(request, response, timestamp, test, interaction);
  }
}

/**
 * Adds everything that a reader yields to a `recording` (default: the live one); throws a RecordingError.
 *
 * @returns the number of interactions, and the value that the reader returned after the last batch.
 */
export async function recordBatches<Result>(
  target: RecordTarget,
  batches: AsyncGenerator<readonly Interaction[], Result>,
  recording?: Pick<RecordingScope, "within">,
): Promise<{ readonly interactions: number; readonly result: Result }> {
  let interactions = 0;
  try {
    while (true) {
      const { done, value } = await batches.next();
      if (done === true) return { interactions, result: value };
      if (recording === undefined) recordBatch(target, value);
      else recording.within(() => recordBatch(target, value));
      interactions += value.length;
    }
  } finally {
    // If the map rejects an interaction, this ends reading and closes files.
    await batches.return(undefined as never);
  }
}
