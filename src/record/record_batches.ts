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

/** A recording of which batches are added, perhaps between requests of others. */
export interface RecordingScope {
  /** Runs an action whose requests belong to the recording. */
  within(action: () => void): void;
  /** Ends the recording: nothing more of it comes. */
  end(): void;
}

/** The outcome of {@linkcode recordBatches}. */
export interface RecordedBatches<Result> {
  readonly interactions: number;
  /** The value that the reader returned after its last batch. */
  readonly result: Result;
}

/** Adds the interactions of one batch to a map, in order. */
export function recordBatch(target: RecordTarget, batch: readonly Interaction[]): void {
  for (const interaction of batch) {
    const { request, response, timestamp, test } = interaction;
    target.record(request, response, timestamp, test, interaction);
  }
}

/** Adds what a reader yields, in order, to a `recording` (default: the live one); throws a RecordingError. */
export async function recordBatches<Result>(
  target: RecordTarget,
  batches: AsyncGenerator<readonly Interaction[], Result>,
  recording?: Pick<RecordingScope, "within">,
): Promise<RecordedBatches<Result>> {
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
    // A map that refuses an interaction ends the reading, which closes its files.
    await batches.return(undefined as never);
  }
}
