import { RecordingError } from "../../values/errors.ts";

/** Several threads could not record the traffic together; one can, from the beginning. */
export class WorkerPoolError extends Error {
  /** What to tell the user: a sentence; undefined where it is nothing to be told. */
  readonly warning: string | undefined;

  /** @param reason What happened, where it should not have. */
  constructor(reason: string | undefined) {
    super(`The traffic has to be read in one thread${reason === undefined ? "" : `: ${reason}`}.`);
    this.name = "WorkerPoolError";
    this.warning = reason === undefined
      ? undefined
      : `Reading on several cores failed, so covtool used one (${reason}). To use one from the start, add --jobs 1.`;
  }
}

/** What happened, for a {@linkcode WorkerPoolError}; undefined where one thread comes upon it too and says it. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof RecordingError) return undefined;
  return error instanceof Error ? error.message : String(error);
}

/** That several threads cannot go on, because of an error. */
export function asPoolError(error: unknown): WorkerPoolError {
  return error instanceof WorkerPoolError ? error : new WorkerPoolError(reasonOf(error));
}
