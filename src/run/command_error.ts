/**
 * Something the user can put right: `main()` prints its message, one or two sentences, and ends with code 1.
 */
export class CommandError extends Error {
  /** Makes the error from sentences that say what is wrong and what to do. */
  constructor(sentences: string, cause?: unknown) {
    super(sentences, { cause });
    this.name = "CommandError";
  }
}
