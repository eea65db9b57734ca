import type { ErrorDetails } from "../values/errors.ts";

/** Something the user can put right: `main()` prints its message, and ends with code 1. */
export class CommandError extends Error {
  /** The kind and the place for programs; else those of the error beneath hold. */
  readonly details: Omit<ErrorDetails, "cause"> | undefined;

  constructor(sentences: string, cause?: unknown, details?: Omit<ErrorDetails, "cause">) {
    super(sentences, { cause });
    this.name = "CommandError";
    this.details = details;
  }
}
