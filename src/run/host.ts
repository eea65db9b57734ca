/** One of the two streams that a command writes to. */
export interface OutputStream {
  /** True if it is a terminal. */
  readonly isTerminal: boolean;
  /** Columns of the terminal; undefined if it isn't a terminal or its width is unknown. */
  readonly columns: number | undefined;
  /**
   * Writes a text; resolves when there is room for the next. Writing to a closed pipe does nothing.
   *
   * @throws {CommandError} if standard output cannot be written to: the disk under it is full, for example.
   */
  write(text: string): Promise<void>;
}

/** The process that a command runs in; tests replace it. */
export interface Host {
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Carries a report that was asked for there, and nothing else. */
  readonly stdout: OutputStream;
  /** Carries everything that covtool says. */
  readonly stderr: OutputStream;
  /** The bytes of standard input, piece by piece. */
  stdin(): AsyncIterable<Uint8Array>;
  /** The program as a module that workers can run; undefined if all has to be done in one thread. */
  readonly program?: URL;
  /** The time in milliseconds since 1970. */
  now(): number;
}
