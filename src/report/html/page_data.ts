import type { Summary, UnmatchedRequest } from "../../map/results.ts";
import type { Suggestion } from "../../suggest/suggestion.ts";
import type { Satisfiability } from "../../values/position.ts";
import { apisOverview, type NamedReport } from "../apis/apis_overview.ts";
import { type ClosedGaps, gapCounts } from "../gap_counts.ts";
import type {
  Report,
  ReportOperation,
  ReportParameter,
  ReportResponse,
  ReportResponsePart,
  ReportVerdict,
  TestIndexes,
} from "../report.ts";
import { joinVerdicts } from "../wording/verdict_text.ts";

/**
 * The fields of rows that travel in the page as one flat list of numbers: the writer adds rows and the reader gets
 * numbers by the names of these fields, so neither knows their positions.
 */
export class Rows<Field extends string> {
  readonly #fields: readonly Field[];
  readonly #offsets: Readonly<Record<Field, number>>;

  constructor(fields: readonly Field[]) {
    this.#fields = fields;
    this.#offsets = Object.fromEntries(
      fields.map((field, offset) => [field, offset]),
    ) as Record<Field, number>;
  }

  add(list: number[], row: Readonly<Record<Field, number>>): void {
    for (const field of this.#fields) list.push(row[field]);
  }

  count(list: readonly number[]): number {
    return list.length / this.#fields.length;
  }

  /** A field of a row, counted from 0; 0 if the list has no such row. */
  get(list: readonly number[], row: number, field: Field): number {
    return list[row * this.#fields.length + this.#offsets[field]] ?? 0;
  }

  all(list: readonly number[]): Record<Field, number>[] {
    return Array.from({ length: this.count(list) }, (_, row) =>
      Object.fromEntries(
        this.#fields.map((field) => [field, this.get(list, row, field)]),
      ) as Record<Field, number>);
  }
}

/**
 * The rows of {@linkcode PageParameter.keywords}. `schema` (the pointer of the schema around it), `name` and `value` (what
 * it says as JSON) are indexes into {@linkcode PageData.texts}, `value` may be {@linkcode NO_TEXT}; `satisfiability` is an
 * index into {@linkcode SATISFIABILITIES}, or where the keyword is excluded the length of these and the number of the
 * exclusion.
 */
export const KEYWORDS: Rows<
  "schema" | "name" | "valid" | "invalid" | "satisfiability" | "value"
> = new Rows(["schema", "name", "valid", "invalid", "satisfiability", "value"]);

export const NO_TEXT = -1;

/** The rows of {@linkcode PageParameter.examples}: `pointer` and `value` (JSON) are indexes into {@linkcode PageData.texts}. */
export const EXAMPLES: Rows<"pointer" | "value" | "hits"> = new Rows(["pointer", "value", "hits"]);

/** The rows of {@linkcode PageParameter.keyword_tests}: indexes into {@linkcode PageData.test_lists}. */
export const KEYWORD_TESTS: Rows<"valid" | "invalid"> = new Rows(["valid", "invalid"]);

/** The rows of {@linkcode PageParameter.answers}: `keyword` is the number of a row of {@linkcode KEYWORDS}. */
export const ANSWERS: Rows<"keyword" | "refused" | "accepted"> = new Rows([
  "keyword",
  "refused",
  "accepted",
]);

/** The rows of {@linkcode PageParameter.chosen}: `keyword` as in {@linkcode ANSWERS}, `hits` of one of its alternatives. */
export const CHOSEN: Rows<"keyword" | "alternative" | "hits"> = new Rows([
  "keyword",
  "alternative",
  "hits",
]);

/**
 * The rows of {@linkcode PageResponsePart.keywords}: `schema`, `name` and `value` as in {@linkcode KEYWORDS}, `violated` is
 * the number of responses that the keyword made invalid.
 */
export const RESPONSE_KEYWORDS: Rows<"schema" | "name" | "seen" | "violated" | "value"> = new Rows([
  "schema",
  "name",
  "seen",
  "violated",
  "value",
]);

/** The rows of {@linkcode PageData.references}: pointers of schemas, as indexes into {@linkcode PageData.texts}. */
export const REFERENCES: Rows<"from" | "to"> = new Rows(["from", "to"]);

export const SATISFIABILITIES: readonly Satisfiability[] = ["Normal", "Positive", "Negative"];

/** A parameter as the page reads it: rows of numbers, because a report may hold 53,000 keywords. */
export interface PageParameter
  extends
    Omit<ReportParameter, "keywords" | "examples" | "schema_path" | "values" | "value_total"> {
  /** Index into {@linkcode PageData.texts}. */
  readonly schema_path: number;
  /** Pointer of its schema, as an index into {@linkcode PageData.texts}, or {@linkcode NO_TEXT}. */
  readonly schema: number;
  readonly keywords: readonly number[];
  readonly examples: readonly number[];
  /** The number of the exclusion of each example, {@linkcode NO_TEXT} for examples that count. Absent if all count. */
  readonly example_exclusions?: readonly number[];
  /** Rows of {@linkcode KEYWORD_TESTS}, one for each keyword. Absent where no test is known. */
  readonly keyword_tests?: readonly number[];
  /** Rows of {@linkcode ANSWERS}, for keywords that answers prove or contradict. Absent where there are none. */
  readonly answers?: readonly number[];
  /** Rows of {@linkcode CHOSEN}, for alternatives among which `discriminator` chooses. Absent where there are none. */
  readonly chosen?: readonly number[];
  /** The tests that sent each example: indexes into {@linkcode PageData.test_lists}. Absent where no test is known. */
  readonly example_tests?: readonly number[];
  /** The classes of values, with sentences on those never sent. Absent where they aren't counted. */
  readonly classes?: {
    readonly seen: number;
    readonly total: number;
    readonly missing: readonly string[];
  };
}

export interface PageResponsePart extends Omit<ReportResponsePart, "keywords" | "schema_path"> {
  readonly media_type?: string;
  readonly header?: string;
  /** Index into {@linkcode PageData.texts}. */
  readonly schema_path: number;
  readonly keywords: readonly number[];
}

export interface PageResponse extends Omit<ReportResponse, "media_types" | "headers"> {
  readonly media_types?: readonly PageResponsePart[];
  readonly headers?: readonly PageResponsePart[];
}

/** Ids of gaps of one operation begin alike: the length of that part, and of what is each one's own. */
export const GAP_ID_PART = 5;

export interface PageOperation extends Omit<ReportOperation, "parameters" | "responses"> {
  /** The ids of its gaps in their order: how all of them begin, then what is each one's own. */
  readonly gap_ids?: string;
  readonly parameters: readonly PageParameter[];
  readonly responses: readonly PageResponse[];
}

/** The rows of {@linkcode PageRequest.closes}; `row` is the number of a row of the parameter, {@linkcode NO_TEXT} for itself. */
export const CLOSED: Rows<"kind" | "parameter" | "row"> = new Rows(["kind", "parameter", "row"]);

export const CLOSED_KINDS = ["operation", "parameter", "keyword", "example"] as const;

export interface PageRequest extends Pick<Suggestion, "request" | "placeholders">, ClosedGaps {
  readonly expects: readonly string[];
  readonly operation: number;
  /** The pointer of the only rule that it breaks; null for a valid request. */
  readonly breaks: string | null;
  /** The test to begin with, as a sentence. */
  readonly closest?: string;
  /** The file of a test that sends it. */
  readonly test?: string;
  /** Rows of {@linkcode CLOSED}: what of it has a place in the page. */
  readonly closes: readonly number[];
}

export interface PageNextRequests {
  /** Those that close most first. */
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
  /** Rows of {@linkcode REFERENCES}: schemas that hold a reference, with the schemas that these lead to. */
  readonly references: readonly number[];
  readonly test_lists: readonly TestIndexes[];
  /** True if the page carries the description's text; null if the page was made from a report alone. */
  readonly has_source: boolean | null;
  /** Every pointer, keyword and value once. */
  readonly texts: readonly string[];
}

export const POSITIONS: Rows<"file" | "line"> = new Rows(["file", "line"]);

/** The rows of {@linkcode PageSource.missed}; `list` is an index into {@linkcode PageSource.lists}. */
export const MISSED: Rows<"operation" | "parameter" | "list"> = new Rows([
  "operation",
  "parameter",
  "list",
]);

/** The description's text as the page reads it, when it is first shown. */
export interface PageSource {
  readonly files: readonly SourceFileName[];
  /** By file and line; none overlaps another. */
  readonly regions: readonly SourceRegion[];
  /** Everything that has a place, by its schema path. */
  readonly paths: readonly string[];
  /** Rows of {@linkcode POSITIONS}, one for each of the paths. */
  readonly at: readonly number[];
  /** Of each operation its own number among the paths, then those of its responses; -1 where one has no place. */
  readonly operations: readonly (readonly number[])[];
  /** Lists of numbers of paths: what never-sent parameters lack. */
  readonly lists: readonly (readonly number[])[];
  /** Rows of {@linkcode MISSED}, one for each parameter that was never sent. */
  readonly missed: readonly number[];
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

/** The row of one API in the overview of several; its own data is in the block with its number. */
export interface ApiRow {
  readonly name: string;
  readonly location: string;
  readonly summary: Summary;
  readonly gaps: number;
  readonly matched: number;
  readonly unmatched: number;
  /** True if parts of the description are excluded. */
  readonly isScoped: boolean;
  /** Gaps that are new since the baseline; null where there is none. */
  readonly new_gaps: number | null;
  /** Contradictions between the API and its description. */
  readonly findings: number;
  /** Gates that are not passed, and all gates. */
  readonly failed_gates: number;
  readonly gates: number;
}

export interface ApisPageData {
  readonly title: string;
  readonly tool: Report["tool"];
  readonly generated_at: string;
  readonly summary: Summary;
  readonly gaps: number;
  readonly apis: readonly ApiRow[];
  /** That on all APIs; absent where nothing was asked of any. */
  readonly verdict?: ReportVerdict;
  readonly strays: readonly UnmatchedRequest[];
}

/** The data of the overview of several APIs, at least one. */
export function apisPageData(
  apis: readonly NamedReport[],
  title: string | undefined,
): ApisPageData {
  const { title: heading, summary, gaps, strays } = apisOverview(apis, title);
  const [first] = apis;
  if (first === undefined) throw new TypeError("There are no APIs to report.");
  const { tool, generated_at } = first.report;
  const verdict = joinVerdicts(apis);
  const rows = apis.map(apiRow);
  const about = { title: heading, tool, generated_at, ...(verdict !== undefined && { verdict }) };
  return { ...about, summary, gaps, apis: rows, strays };
}

function apiRow({ name, report }: NamedReport): ApiRow {
  const { schema, summary, traffic, exclusions, comparison } = report;
  return {
    name,
    location: schema.location,
    summary,
    gaps: gapCounts(summary, traffic).total,
    matched: traffic.matched,
    unmatched: traffic.unmatched,
    isScoped: exclusions !== undefined,
    new_gaps: comparison?.new_gaps.length ?? null,
    findings: report.findings?.length ?? 0,
    failed_gates: report.verdict?.gates.filter(({ passed }) => !passed).length ?? 0,
    gates: report.verdict?.gates.length ?? 0,
  };
}
