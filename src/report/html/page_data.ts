import type { Summary, UnmatchedRequest } from "../../map/results.ts";
import type { Suggestion } from "../../suggest/suggestion.ts";
import type { ValueClassName } from "../../values/value_class_name.ts";
import type { Json } from "../../values/json.ts";
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

/** The texts and lists that numbers of rows are indexes into. */
interface Tables {
  readonly texts: readonly string[];
  readonly test_lists: readonly TestIndexes[];
}

/** What a number of a row stands for. */
type Column<Value> = (number: number, tables: Tables) => Value;

type Columns = Readonly<Record<string, Column<unknown>>>;

const NO_TABLES: Tables = { texts: [], test_lists: [] };

/** Rows that travel in the page as one flat list of numbers; no one but this class knows their positions. */
export class Rows<Fields extends Columns> {
  readonly #names: readonly (keyof Fields & string)[];

  constructor(readonly fields: Fields) {
    this.#names = Object.keys(fields);
  }

  add(list: number[], row: Readonly<Record<keyof Fields, number>>): void {
    for (const name of this.#names) list.push(row[name]);
  }

  count(list: readonly number[]): number {
    return list.length / this.#names.length;
  }

  get<Name extends keyof Fields & string>(
    list: readonly number[],
    row: number,
    name: Name,
    tables: Tables = NO_TABLES,
  ): Row<this>[Name] {
    const number = list[row * this.#names.length + this.#names.indexOf(name)] ?? 0;
    return this.fields[name]?.(number, tables) as Row<this>[Name];
  }

  at(list: readonly number[], row: number, tables: Tables = NO_TABLES): Row<this> {
    const found: Record<string, unknown> = {};
    let at = row * this.#names.length;
    for (const name of this.#names) found[name] = this.fields[name]?.(list[at++] ?? 0, tables);
    return found as Row<this>;
  }

  all(list: readonly number[], tables?: Tables): Row<this>[] {
    return Array.from({ length: this.count(list) }, (_, row) => this.at(list, row, tables));
  }
}

/** What a row says. */
export type Row<Of> = Of extends Rows<infer Fields>
  ? { readonly [Name in keyof Fields]: ReturnType<Fields[Name]> }
  : never;

/** Stands for no text, and for no row. */
export const NO_TEXT = -1;

const count = (number: number): number => number;
const text = (number: number, { texts }: Tables): string => texts[number] ?? "";
const optionalText = (number: number, { texts }: Tables): string | null => texts[number] ?? null;
const testList = (number: number, { test_lists }: Tables): TestIndexes => test_lists[number] ?? [];

/** `schema` is the pointer of the schema around it, `value` what it says as `keywordText` wrote it. */
const KEYWORD = { schema: text, keyword: text };

/** `status` is an index into {@linkcode SATISFIABILITIES}, or their length and the number of the exclusion. */
export const KEYWORDS = new Rows({
  ...KEYWORD,
  valid: count,
  invalid: count,
  status: count,
  value: optionalText,
});

export const SATISFIABILITIES: readonly Satisfiability[] = ["Normal", "Positive", "Negative"];

/** `value` is JSON. */
export const EXAMPLES = new Rows({ pointer: text, value: text, hits: count });

export const KEYWORD_TESTS = new Rows({ valid: testList, invalid: testList });

/** `keyword` is the number of a row of {@linkcode KEYWORDS}. */
export const ANSWERS = new Rows({ keyword: count, refused: count, accepted: count });

/** The hits of an alternative of a keyword, by its row as in {@linkcode ANSWERS}. */
export const CHOSEN = new Rows({ keyword: count, alternative: count, hits: count });

export const RESPONSE_KEYWORDS = new Rows({
  ...KEYWORD,
  seen: count,
  violated: count,
  value: optionalText,
});

/** Classes of values by the pointer of their schema; `value` is JSON. */
export const CLASSES = new Rows({
  schema: text,
  class: (number, tables) => text(number, tables) as ValueClassName,
  value: (number, { texts }): Json | undefined => {
    const json = texts[number];
    return json === undefined ? undefined : JSON.parse(json);
  },
  hits: count,
});

/** Schemas that hold a reference, with the schemas that these lead to. */
export const REFERENCES = new Rows({ from: text, to: text });

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
  /** The classes of values: how many were sent, of all, and rows of {@linkcode CLASSES}. Absent where they aren't counted. */
  readonly classes?: {
    readonly seen: number;
    readonly total: number;
    readonly rows: readonly number[];
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

export const CLOSED_KINDS = ["operation", "parameter", "keyword", "example"] as const;

/** `row` is the number of a row of the parameter; undefined for itself. */
export const CLOSED = new Rows({
  kind: (number) => CLOSED_KINDS[number] ?? "operation",
  parameter: count,
  row: (number) => number === NO_TEXT ? undefined : number,
});

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
  /** Rows of {@linkcode REFERENCES}: schemas that hold a reference, with the schemas that these lead to. */
  readonly references: readonly number[];
  readonly test_lists: readonly TestIndexes[];
  /** True if the page carries the description's text; null if the page was made from a report alone. */
  readonly has_source: boolean | null;
  /** Every pointer, keyword and value once. */
  readonly texts: readonly string[];
}

export const POSITIONS = new Rows({ file: count, line: count });

/** `list` is an index into {@linkcode PageSource.lists}. */
export const MISSED = new Rows({ operation: count, parameter: count, list: count });

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
  return {
    title: heading,
    tool,
    generated_at,
    ...(verdict !== undefined && { verdict }),
    summary,
    gaps,
    apis: apis.map(apiRow),
    strays,
  };
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
