import type { Satisfiability } from "../../values/satisfiability.ts";
import type { Suggestion } from "../../suggest/suggestion.ts";
import type { ClosedGaps } from "../closed_gaps.ts";
import { Rows } from "./rows.ts";
import type {
  Report,
  ReportOperation,
  ReportParameter,
  ReportResponse,
  ReportResponsePart,
  TestIndexes,
} from "../report.ts";

/**
 * The rows of {@linkcode PageParameter.keywords}. `schema` (the pointer of the schema around it), `name` and `value` (what
 * it says as JSON) are indexes into {@linkcode PageData.texts}, `value` may be {@linkcode NO_TEXT}; `satisfiability` is an
 * index into {@linkcode SATISFIABILITIES}, or where the keyword is excluded the length of these and the number of the
 * exclusion.
 */
export const KEYWORDS: Rows<
  "schema" | "name" | "valid" | "invalid" | "satisfiability" | "value"
> = new Rows(["schema", "name", "valid", "invalid", "satisfiability", "value"]);

/** Marks the absence of a text. */
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

/** The values that the satisfiability of a keyword is an index into. */
export const SATISFIABILITIES: readonly Satisfiability[] = ["Normal", "Positive", "Negative"];

/** A parameter as the page reads it: rows of numbers, because a report may hold 53,000 keywords. */
export interface PageParameter
  extends Omit<ReportParameter, "keywords" | "examples" | "schema_path"> {
  /** Index into {@linkcode PageData.texts}. */
  readonly schema_path: number;
  /** Pointer of its schema, as an index into {@linkcode PageData.texts}, or {@linkcode NO_TEXT}. */
  readonly schema: number;
  /** Rows of {@linkcode KEYWORDS}. */
  readonly keywords: readonly number[];
  /** Rows of {@linkcode EXAMPLES}. */
  readonly examples: readonly number[];
  /** The number of the exclusion of each example, {@linkcode NO_TEXT} for examples that count. Absent if all count. */
  readonly example_exclusions?: readonly number[];
  /** Rows of {@linkcode KEYWORD_TESTS}, one for each keyword. Absent where no test is known. */
  readonly keyword_tests?: readonly number[];
  /** Rows of {@linkcode ANSWERS}, for keywords that answers prove or contradict. Absent where there are none. */
  readonly answers?: readonly number[];
  /** The tests that sent each example: indexes into {@linkcode PageData.test_lists}. Absent where no test is known. */
  readonly example_tests?: readonly number[];
}

/** A media type or header of a response as the page reads it. */
export interface PageResponsePart extends Omit<ReportResponsePart, "keywords" | "schema_path"> {
  /** The name of a media type; absent for headers. */
  readonly media_type?: string;
  /** The name of a header; absent for media types. */
  readonly header?: string;
  /** Index into {@linkcode PageData.texts}. */
  readonly schema_path: number;
  /** Rows of {@linkcode RESPONSE_KEYWORDS}. */
  readonly keywords: readonly number[];
}

/** A response as the page reads it. */
export interface PageResponse extends Omit<ReportResponse, "media_types" | "headers"> {
  readonly media_types?: readonly PageResponsePart[];
  readonly headers?: readonly PageResponsePart[];
}

/** An operation as the page reads it. */
export interface PageOperation extends Omit<ReportOperation, "parameters" | "responses"> {
  readonly parameters: readonly PageParameter[];
  readonly responses: readonly PageResponse[];
}

/** The rows of {@linkcode PageRequest.closes}; `row` is the number of a row of the parameter, {@linkcode NO_TEXT} for itself. */
export const CLOSED: Rows<"kind" | "parameter" | "row"> = new Rows(["kind", "parameter", "row"]);

/** The values that the kind of something closed is an index into. */
export const CLOSED_KINDS = ["operation", "parameter", "keyword", "example"] as const;

/** A request that closes gaps, as the page reads it. */
export interface PageRequest extends Pick<Suggestion, "request" | "placeholders">, ClosedGaps {
  /** The answers that it expects, in words. */
  readonly expects: readonly string[];
  /** The index of its operation. */
  readonly operation: number;
  /** The pointer of the only rule that it breaks; null for a valid request. */
  readonly breaks: string | null;
  /** Rows of {@linkcode CLOSED}: what of it has a place in the page. */
  readonly closes: readonly number[];
}

/** Requests that close gaps. */
export interface PageNextRequests {
  /** Those that close most first. */
  readonly requests: readonly PageRequest[];
  /** True if all gaps were searched. */
  readonly complete: boolean;
}

/** The report without its gaps, which are what the page finds missing in the operations. */
export interface PageData extends Omit<Report, "operations" | "gaps"> {
  readonly operations: readonly PageOperation[];
  /** Absent where none were asked for. */
  readonly next?: PageNextRequests;
  /** Rows of {@linkcode REFERENCES}: schemas that hold a reference, with the schemas that these lead to. */
  readonly references: readonly number[];
  /** The lists of tests that keywords and examples share. */
  readonly test_lists: readonly TestIndexes[];
  /** True if the page carries the description's text; null if the page was made from a report alone. */
  readonly has_source: boolean | null;
  /** Every pointer, keyword and value once. */
  readonly texts: readonly string[];
}
