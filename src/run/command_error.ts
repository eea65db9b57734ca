import type { ErrorDetails } from "../values/errors.ts";

/** An error that the user can fix: `main()` prints its message, and exits with code 1. */
export class CommandError extends Error {
  /** The code and place for `--errors json`; if undefined, those of the cause are used. */
  readonly details: Omit<ErrorDetails, "cause"> | undefined;

  readonly isPrinted: boolean;

  constructor(
    sentences: string,
    cause?: unknown,
    details?: Omit<ErrorDetails, "cause">,
    isPrinted = false,
  ) {
    super(sentences, { cause });
    this.name = "CommandError";
    this.details = details;
    this.isPrinted = isPrinted;
  }
}

export function usageError(sentences: string): CommandError {
  return new CommandError(sentences, undefined, { code: "usage" });
}
