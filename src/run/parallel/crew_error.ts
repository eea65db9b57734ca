import { RecordingError } from "../../values/errors.ts";

/** Several threads could not record the traffic together; one can, from the beginning. */
export class CrewError extends Error {
  /** What to tell the user: a sentence; undefined where it is nothing to be told. */
  readonly warning: string | undefined;

  /** @param reason What happened, where it should not have. */
  constructor(reason: string | undefined) {
    super(`The traffic has to be read in one thread${reason === undefined ? "" : `: ${reason}`}.`);
    this.name = "CrewError";
    this.warning = reason === undefined
      ? undefined
      : `Reading on several cores failed, so it was done on one (${reason}). Choose that with --jobs 1.`;
  }
}

/** What happened, for a {@linkcode CrewError}; undefined where one thread comes upon it too and says it. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof RecordingError) return undefined;
  return error instanceof Error ? error.message : String(error);
}

/** That several threads cannot go on, because of an error. */
export function asCrewError(error: unknown): CrewError {
  return error instanceof CrewError ? error : new CrewError(reasonOf(error));
}
