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

/** Keywords of one schema that follow each other in the report, and the classes of its values. */
export interface PageSchema {
  readonly pointer: string;
  readonly keywords: readonly PageKeyword[];
  readonly values: readonly PageValue[];
}

export interface PageParameter extends Omit<ReportParameter, "keywords" | "values"> {
  /** Pointer of its schema; absent where that isn't known. */
  readonly schema?: string | undefined;
  readonly schemas: readonly PageSchema[];
}

export interface PageOperation extends Omit<ReportOperation, "parameters"> {
  /** Its gaps in their order: the id of each, and the index of the request that closes it, -1 where there is none. */
  readonly gaps?: readonly (readonly [id: string, request: number])[] | undefined;
  readonly parameters: readonly PageParameter[];
}

export interface PageRequest extends Pick<Suggestion, "request" | "placeholders">, ClosedGaps {
  readonly expects: readonly string[];
  readonly operation: number;
  /** The pointer of the only rule that it breaks; null for a valid request. */
  readonly breaks: string | null;
  /** The test to begin with, as a sentence. */
  readonly closest?: string;
  /** The file of a test that sends it. */
  readonly test?: string;
}

export interface PageNextRequests {
  /** In the order of suggestions. */
  readonly requests: readonly PageRequest[];
  /** True if all gaps were searched. */
  readonly complete: boolean;
  readonly command?: string | undefined;
  /** The format of the tests that send them, `vitest`. */
  readonly test_format?: string;
}

/** The report without its gaps, which are what the page finds missing in the operations. */
export interface PageData extends Omit<Report, "operations" | "gaps"> {
  readonly operations: readonly PageOperation[];
  readonly next?: PageNextRequests;
  /** Schemas that hold a reference, with the schemas that these lead to: pairs of pointers. */
  readonly references: readonly (readonly [from: string, to: string])[];
  /** True if the page carries the description's text; null if the page was made from a report alone. */
  readonly has_source: boolean | null;
  /** What keywords say, as `keywordText` wrote it, by schema, which operations share. */
  readonly texts: readonly (readonly [pointer: string, said: Readonly<Record<string, string>>])[];
}

/** The description's text as the page reads it, when it is first shown. */
export interface PageSource extends Pick<AnnotatedSource, "files" | "regions"> {
  /** Everything that has a place, by its schema path. */
  readonly paths: readonly string[];
  /** The position of each of them. */
  readonly at: readonly LinePosition[];
  readonly operations: readonly {
    readonly schema_path: string;
    readonly responses: readonly string[];
    /** Of each parameter that was never sent the index of what it lacks among the lists; null for the others. */
    readonly missed: readonly (number | null)[];
  }[];
  /** Lists of numbers of paths. */
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

/** The number of the last region, in their order, that begins in the file up to the line; -1 if none does. */
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

/** The data of the overview of several APIs; that of each is in a block with its number. */
export interface ApisPageData extends ApisOverview, Pick<Report, "tool" | "generated_at"> {}
