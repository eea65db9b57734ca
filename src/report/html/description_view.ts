/** A part of a file of the description: an operation, or a component that operations reach. */
export interface SourceRegion {
  /** Index into {@linkcode AnnotatedSource.files}. */
  readonly file: number;
  /** The line where it begins, counted from 1. */
  readonly line: number;
  /** Its name: the last part of its pointer; empty for a whole file. */
  readonly name: string;
  /** Its lines, with `\n` between. */
  readonly text: string;
}

/** A file of the description. */
export interface SourceFileName {
  /** As other tools look it up. */
  readonly path: string;
  /** True if its lines are ours, since the file has none worth showing: JSON on one line, an object. */
  readonly reformatted: boolean;
}

/** A line in a file of the description. */
export interface LinePosition {
  /** Index into {@linkcode AnnotatedSource.files}. */
  readonly file: number;
  /** Counted from 1. */
  readonly line: number;
}

/** The parts of the description's text that its operations use, and the lines of everything that counts. */
export interface AnnotatedSource {
  /** The files that hold anything that counts: the entry document first. */
  readonly files: readonly SourceFileName[];
  /** By file and line; none overlaps another. */
  readonly regions: readonly SourceRegion[];
  /** Operations, parameters, keywords that count, examples and responses by their schema path. */
  readonly positions: ReadonlyMap<string, LinePosition>;
  /** The schema paths of the report's operations and of their responses, index by index. */
  readonly operations: readonly {
    readonly schema_path: string;
    readonly responses: readonly string[];
    /** Of each parameter that was never hit: the keywords and examples that count; undefined for the others. */
    readonly missed: readonly (readonly string[] | undefined)[];
  }[];
}

/** The description as the page shows it with the report. */
export interface DescriptionView {
  /** The value of a keyword; undefined if it consists of schemas. */
  readonly valueOf: (schema_path: string) => unknown;
  /** Schemas with a reference, and what it leads to, over all parameters that were hit: pairs of schema paths. */
  readonly references: ReadonlyMap<string, string>;
  /** The schema path of each parameter's schema, by operation and parameter; undefined if it has none. */
  readonly roots: readonly (readonly (string | undefined)[])[];
  /** Undefined if the text is too large for a page. */
  readonly source: AnnotatedSource | undefined;
}
