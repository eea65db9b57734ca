import type { ErrorDetails } from "../values/errors.ts";

/** Something the user can put right: `main()` prints its message, and ends with code 1. */
export class CommandError extends Error {
  /** The kind and the place for programs; else those of the error beneath hold. */
  readonly details: Omit<ErrorDetails, "cause"> | undefined;

  /** True if the command has printed it in its own words. */
  readonly isShown: boolean;

  constructor(
    sentences: string,
    cause?: unknown,
    details?: Omit<ErrorDetails, "cause">,
    isShown = false,
  ) {
    super(sentences, { cause });
    this.name = "CommandError";
    this.details = details;
    this.isShown = isShown;
  }
}

/** An error about arguments: one is missing, or some contradict each other. */
export function usageError(sentences: string): CommandError {
  return new CommandError(sentences, undefined, { code: "usage" });
}
