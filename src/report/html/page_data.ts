import type { Suggestion } from "../../suggest/suggestion.ts";
import type { ApisOverview } from "../apis/apis_overview.ts";
import type { ClosedGaps } from "../gap_counts.ts";
import type {
  Report,
  ReportKeyword,
  ReportOperation,
  ReportParameter,
  ReportValue,
} from "../report.ts";

export type PageValue = Omit<ReportValue, "schema_path" | "instance_path">;

export type PageKeyword = Omit<ReportKeyword, "schema_path" | "state" | "value_hash">;

/** Consecutive keywords of one schema in the report, and the classes of its values. */
export interface PageSchema {
  readonly pointer: string;
  readonly keywords: readonly PageKeyword[];
  readonly values: readonly PageValue[];
}

export interface PageParameter extends Omit<ReportParameter, "keywords" | "values"> {
  /** The pointer of its schema; absent if unknown. */
  readonly schema?: string | undefined;
  readonly schemas: readonly PageSchema[];
}

export interface PageOperation extends Omit<ReportOperation, "parameters"> {
  /** Its gaps in order: each id with the index of the request that closes the gap, or -1 without one. */
  readonly gaps?: readonly (readonly [id: string, request: number])[] | undefined;
  readonly parameters: readonly PageParameter[];
}

export interface PageRequest extends Pick<Suggestion, "request" | "placeholders">, ClosedGaps {
  readonly expects: readonly string[];
  readonly operation: number;
  /** The pointer of the only rule that the request breaks; null for a valid request. */
  readonly breaks: string | null;
  /** The existing test to start from, as a sentence. */
  readonly closest?: string;
  /** The code of a test that sends the request. */
  readonly test?: string;
}

export interface PageNextRequests {
  /** In the order of suggestions. */
  readonly requests: readonly PageRequest[];
  /** True if a request was searched for every gap. */
  readonly complete: boolean;
  readonly command?: string | undefined;
  readonly has_traffic?: boolean | undefined;
  /** The format of the tests, such as `vitest`. */
  readonly test_format?: string;
}

/** The report without its gaps: the page derives them from the operations. */
export interface PageData extends Omit<Report, "operations" | "gaps"> {
  readonly operations: readonly PageOperation[];
  readonly next?: PageNextRequests;
  /** Pairs of pointers: a schema that contains a reference, and the schema that it leads to. */
  readonly references: readonly (readonly [from: string, to: string])[];
  /** True if the page contains the description's text; null if the page was made from a report alone. */
  readonly has_source: boolean | null;
  /** Keyword values as text, written by `keywordText`, by schema: operations share schemas. */
  readonly texts: readonly (readonly [pointer: string, texts: Readonly<Record<string, string>>])[];
}

/** The description's text in the page, decoded when it is first shown. */
export interface PageSource extends Pick<AnnotatedSource, "files" | "regions"> {
  /** The schema paths of everything that has a position. */
  readonly paths: readonly string[];
  /** The position of each path, by its index in `paths`. */
  readonly at: readonly LinePosition[];
  readonly operations: readonly {
    readonly schema_path: string;
    readonly responses: readonly string[];
    /** For each parameter that was never sent, the index in `lists` of what it lacks; null for other parameters. */
    readonly missed: readonly (number | null)[];
  }[];
  /** Lists of indexes into `paths`. */
  readonly lists: readonly (readonly number[])[];
}

/** A part of a file of the description: an operation, or a component that operations reach. */
export interface SourceRegion {
  /** Index into {@linkcode AnnotatedSource.files}. */
  readonly file: number;
  /** The line where it begins, counted from 1. */
  readonly line: number;
  /** Its name: the last part of its pointer; empty for a whole file. */
  readonly name: string;
  /** Its lines, separated by `\n`. */
  readonly text: string;
}

/** A file of the description. */
export interface SourceFileName {
  /** The path by which other tools find the file. */
  readonly path: string;
  /** True if covtool formatted the lines because the file has no useful ones: JSON on one line, or an object. */
  readonly reformatted: boolean;
}

/** A line in a file of the description. */
export interface LinePosition {
  /** Index into {@linkcode AnnotatedSource.files}. */
  readonly file: number;
  /** Counted from 1. */
  readonly line: number;
}

/** Returns the index of the last region that starts at or before a line of a file; -1 if none does. */
export function regionAt(regions: readonly LinePosition[], { file, line }: LinePosition): number {
  let [low, high] = [0, regions.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const region = regions[middle];
    const isBefore = region !== undefined &&
      (region.file < file || (region.file === file && region.line <= line));
    if (isBefore) low = middle;
    else high = middle - 1;
  }
  const found = regions[low];
  return found !== undefined && found.file === file && found.line <= line ? low : -1;
}

/** The parts of the description's text that operations use, and the lines of everything that is counted. */
export interface AnnotatedSource {
  /** The files with anything that is counted, entry document first. */
  readonly files: readonly SourceFileName[];
  /** Ordered by file and line, without overlaps. */
  readonly regions: readonly SourceRegion[];
  /** Positions of operations, parameters, counted keywords, examples and responses, by schema path. */
  readonly positions: ReadonlyMap<string, LinePosition>;
  /** The schema paths of the report's operations and their responses, in the report's order. */
  readonly operations: readonly {
    readonly schema_path: string;
    readonly responses: readonly string[];
    /** For each parameter that was never sent, its counted keywords and examples; undefined for other parameters. */
    readonly missed: readonly (readonly string[] | undefined)[];
  }[];
}

/** The description in the form that the page shows beside the report. */
export interface DescriptionView {
  /** The value of a keyword; undefined if it consists of schemas. */
  readonly keywordValue: (schema_path: string) => unknown;
  /** Pairs of schema paths: a schema with a reference, and where it leads, for all parameters that were sent. */
  readonly references: ReadonlyMap<string, string>;
  /** The schema path of each parameter's schema, by operation and parameter; undefined if it has none. */
  readonly roots: readonly (readonly (string | undefined)[])[];
  /** Undefined if the text is too large for a page. */
  readonly source: AnnotatedSource | undefined;
}

/** The data of the overview of several APIs. The data of each API is in a numbered block. */
export interface ApisPageData extends ApisOverview, Pick<Report, "tool" | "generated_at"> {}
