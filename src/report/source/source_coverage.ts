/** The kinds of things that count on a line of a description. */
export type SourceMarkKind = "operation" | "parameter" | "keyword" | "example" | "response";

/** A position in a file. */
export interface SourcePosition {
  /** The file, as {@linkcode SourceFile.path} has it. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
}

/** Something that counts, at the place where the description writes it. */
export interface SourceMark {
  /** Its kind. */
  readonly kind: SourceMarkKind;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** The number of times it was seen, summed over every operation that reaches it; for a keyword, all evaluations. */
  readonly hits: number;
  /** Of a keyword how often it passed and how often it failed; null for everything else. */
  readonly evaluations: { readonly valid: number; readonly invalid: number } | null;
}

/** An operation at its place: what line formats call a function. */
export interface SourceOperation {
  /** Method and path template. */
  readonly name: string;
  /** Counted from 1. */
  readonly line: number;
  /** The number of times it was called. */
  readonly hits: number;
}

/** One file of a description. */
export interface SourceFile {
  /**
   * Its path with `/` between the segments: relative to the working directory where it lies below it, else absolute; the
   * URL of a file from the web.
   */
  readonly path: string;
  /** In the order of the text. */
  readonly marks: readonly SourceMark[];
  /** In the order of the text. */
  readonly operations: readonly SourceOperation[];
}

/** A formatted copy of a document, to be written next to a report. */
export interface FormattedCopy {
  /** Its path. */
  readonly path: string;
  /** Its text. */
  readonly text: string;
}

/** A file with fewer lines than things to cover, such as JSON on one line. */
export interface CrowdedFile {
  /** Its path, as {@linkcode SourceFile.path} would have it. */
  readonly path: string;
  /** The number of its lines. */
  readonly lines: number;
  /** The number of things to cover in it. */
  readonly things: number;
  /** Its formatted copy, whose lines are counted instead; undefined if its own are. */
  readonly copy: FormattedCopy | undefined;
}

/**
 * The lines of everything that a report counts, for the formats that show lines (lcov, Cobertura, SARIF). Its counts
 * are the report's.
 */
export interface SourceCoverage {
  /** The files that hold anything that counts: the entry document first. */
  readonly files: readonly SourceFile[];
  /** Those of the files whose lines say little; absent where there are none. */
  readonly crowded?: readonly CrowdedFile[];
  /** Positions of operations, parameters, keywords, examples and responses by their schema path. */
  readonly positions: ReadonlyMap<string, SourcePosition>;
  /** The schema paths of the report's operations and of their responses, index by index. */
  readonly operations: readonly {
    readonly schema_path: string;
    readonly responses: readonly string[];
  }[];
}
