/**
 * Something the user can put right: `main()` prints its message, one or two sentences, and ends with code 1.
 */
export class CommandError extends Error {
  constructor(sentences: string, cause?: unknown) {
    super(sentences, { cause });
    this.name = "CommandError";
  }
}
