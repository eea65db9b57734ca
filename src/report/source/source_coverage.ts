/** The kinds of things that are counted on a line of a description. */
export type SourceMarkKind = "operation" | "parameter" | "keyword" | "example" | "response";

/** A position in a file. */
export interface SourcePosition {
  /** The path of the file, as in {@linkcode SourceFile.path}. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
}

/** Something that is counted, at its place in the description. */
export interface SourceMark {
  /** Its kind. */
  readonly kind: SourceMarkKind;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** How often it was seen, summed over every operation that reaches it; for a keyword, the number of evaluations. */
  readonly hits: number;
  /** For a keyword, how often it passed and failed; null for other kinds. */
  readonly evaluations: { readonly valid: number; readonly invalid: number } | null;
}

/** An operation at its place: a function in line coverage formats. */
export interface SourceOperation {
  /** The method and the path template. */
  readonly name: string;
  /** Counted from 1. */
  readonly line: number;
  /** The number of times it was called. */
  readonly hits: number;
}

/** One file of a description. */
export interface SourceFile {
  /**
   * The path, with `/` between segments: relative to the working directory if the file is below it, otherwise absolute;
   * for a file from the web, its URL.
   */
  readonly path: string;
  /** In the order of their positions. */
  readonly marks: readonly SourceMark[];
  /** In the order of their positions. */
  readonly operations: readonly SourceOperation[];
}

/** A formatted copy of a document, written beside a report. */
export interface FormattedCopy {
  /** Its path. */
  readonly path: string;
  /** Its text. */
  readonly text: string;
}

/** A file with fewer lines than things to cover, such as JSON on one line. */
export interface CrowdedFile {
  /** The path of the file, in the form of {@linkcode SourceFile.path}. */
  readonly path: string;
  /** The number of its lines. */
  readonly lines: number;
  /** The number of things to cover in it. */
  readonly things: number;
  /** The formatted copy, whose lines are counted instead; undefined if the file's own lines are counted. */
  readonly copy: FormattedCopy | undefined;
}

/**
 * The lines of everything that a report counts, for formats that show lines (lcov, Cobertura, SARIF). The counts are
 * those of the report.
 */
export interface SourceCoverage {
  /** The files with anything that is counted, entry document first. */
  readonly files: readonly SourceFile[];
  /** The files with too few lines to be useful; absent if there are none. */
  readonly crowded?: readonly CrowdedFile[];
  /** Positions of operations, parameters, keywords, examples and responses by their schema path. */
  readonly positions: ReadonlyMap<string, SourcePosition>;
  /** The schema paths of the report's operations and their responses, in the report's order. */
  readonly operations: readonly {
    readonly schema_path: string;
    readonly responses: readonly string[];
  }[];
}
