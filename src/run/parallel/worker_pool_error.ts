import { RecordingError } from "../../values/errors.ts";

/** Several threads could not record the traffic together; one can, from the beginning. */
export class WorkerPoolError extends Error {
  /** A warning for the user: sentences; undefined for none. */
  readonly warning: string | undefined;

  /** @param reason The unexpected problem; undefined for an expected one. */
  constructor(reason: string | undefined) {
    super(`The traffic has to be read in one thread${reason === undefined ? "" : `: ${reason}`}.`);
    this.name = "WorkerPoolError";
    this.warning = reason === undefined
      ? undefined
      : `Reading on several cores failed, so covtool used one (${reason}). To use one from the start, add --jobs 1.`;
  }
}

/** The reason for a {@linkcode WorkerPoolError}; undefined if a single thread would report the problem itself. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof RecordingError) return undefined;
  return error instanceof Error ? error.message : String(error);
}

/** The error that ends the work of several threads, from its cause. */
export function asPoolError(error: unknown): WorkerPoolError {
  return error instanceof WorkerPoolError ? error : new WorkerPoolError(reasonOf(error));
}
