/** Adds, but never beyond the largest exact integer, so that merging gives the same result in any order. */
export function addCounts(one: number, other: number): number {
  return Math.min(one + other, Number.MAX_SAFE_INTEGER);
}

export function countOverflowError(location = "the traffic"): RecordingError {
  return new RecordingError(
    "The counts add up to more than 9,007,199,254,740,991, up to which numbers are exact. Measure parts of the traffic separately.",
    { code: "too_many", location },
  );
}

/** The details of a covtool error, in addition to its sentence. */
export interface ErrorDetails {
  /** A stable name for the kind of error: `not_openapi`, `syntax`, `unreadable`, … */
  readonly code: string;
  /** The file, URL or name that the error is about. */
  readonly location?: string | undefined;
  /** Counted from 1. */
  readonly line?: number | undefined;
  /** Counted from 1. */
  readonly column?: number | undefined;
  /** The underlying error. */
  readonly cause?: unknown;
}

function prefix(verb: string, details: ErrorDetails): string {
  const position = details.line === undefined
    ? ""
    : `line ${details.line}${details.column === undefined ? "" : `, column ${details.column}`}: `;
  return `${verb} ${details.location ?? "the data"}: ${position}`;
}

/**
 * A description that cannot be read, or that isn't an OpenAPI document.
 * The message begins with the location: `Cannot load openapi.yaml: line 12, column 3: …`.
 */
export class DescriptionError extends TypeError {
  /** A stable name for the kind of error. */
  readonly code: string;
  /** The file, URL or name of the description. */
  readonly location: string | undefined;
  /** Counted from 1. */
  readonly line: number | undefined;
  /** Counted from 1. */
  readonly column: number | undefined;

  /** Makes the error from a sentence that says what is wrong and what to do. */
  constructor(sentence: string, details: ErrorDetails) {
    super(prefix("Cannot load", details) + sentence, { cause: details.cause });
    this.name = "DescriptionError";
    this.code = details.code;
    this.location = details.location;
    this.line = details.line;
    this.column = details.column;
  }
}

/**
 * A recording that cannot be read, or that is of no known format.
 * The message begins with the location: `Cannot read traffic.json: line 1, column 8: …`.
 */
export class RecordingError extends TypeError {
  /** A stable name for the kind of error. */
  readonly code: string;
  /** The file, URL or name of the recording. */
  readonly location: string | undefined;
  /** Counted from 1. */
  readonly line: number | undefined;
  /** Counted from 1. */
  readonly column: number | undefined;

  /** Makes the error from a sentence that says what is wrong and what to do. */
  constructor(sentence: string, details: ErrorDetails) {
    super(prefix("Cannot read", details) + sentence, { cause: details.cause });
    this.name = "RecordingError";
    this.code = details.code;
    this.location = details.location;
    this.line = details.line;
    this.column = details.column;
  }
}

export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack|recursion/i.test(error.message);
}
