import type {
  HttpRequest,
  HttpResponse,
  Interaction,
  InteractionDetails,
} from "../http/interaction.ts";

/** Anything that interactions are added to. */
export interface RecordTarget {
  /** Records one interaction. */
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
  /** The number of interactions. */
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

/**
 * Adds every interaction that a reader yields to a map, in order.
 *
 * @param recording The recording that they belong to (default: what is recorded live).
 * @throws {RecordingError} if the recording cannot be read.
 *
 * @example
 * ```ts
 * import { recordBatches } from "./record_batches.ts";
 * import assert from "node:assert/strict";
 *
 * async function* read() {
 *   yield [{ request: { method: "GET", url: "/books" } }];
 *   return "done";
 * }
 * const urls: string[] = [];
 * const target = { record: ({ url }: { url: string }) => void urls.push(url) };
 * assert.deepEqual(await recordBatches(target, read()), { interactions: 1, result: "done" });
 * assert.deepEqual(urls, ["/books"]);
 * ```
 */
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
