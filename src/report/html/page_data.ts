import type { Satisfiability } from "../../values/satisfiability.ts";
import type { Report, ReportOperation, ReportParameter, TestIndexes } from "../report.ts";

/**
 * Numbers per keyword in {@linkcode PageParameter.keywords}: place (text), keyword (text), valid,
 * invalid, satisfiability (index into {@linkcode SATISFIABILITIES}), what it says as JSON (text, or
 * {@linkcode NO_TEXT}).
 */
export const KEYWORD_FIELDS = 6;

/** Stands where there is no text. */
export const NO_TEXT = -1;

/** Numbers per example in {@linkcode PageParameter.examples}: pointer (text), value as JSON (text), hits. */
export const EXAMPLE_FIELDS = 3;

/** What the last number of a keyword stands for. */
export const SATISFIABILITIES: readonly Satisfiability[] = ["Normal", "Positive", "Negative"];

/** A parameter as the page reads it: rows of numbers, because a report may hold 53,000 keywords. */
export interface PageParameter
  extends Omit<ReportParameter, "keywords" | "examples" | "schema_path"> {
  /** Index into {@linkcode PageData.texts}. */
  readonly schema_path: number;
  /** Pointer of its schema, as an index into {@linkcode PageData.texts}, or {@linkcode NO_TEXT}. */
  readonly schema: number;
  /** {@linkcode KEYWORD_FIELDS} numbers each. */
  readonly keywords: readonly number[];
  /** {@linkcode EXAMPLE_FIELDS} numbers each. */
  readonly examples: readonly number[];
  /**
   * Of each keyword the tests whose values passed, and those whose values failed: indexes into
   * {@linkcode PageData.test_lists}. Absent where no test is known.
   */
  readonly keyword_tests?: readonly number[];
  /** Likewise, of each example the tests that sent it. */
  readonly example_tests?: readonly number[];
}

/** An operation as the page reads it. */
export interface PageOperation extends Omit<ReportOperation, "parameters"> {
  readonly parameters: readonly PageParameter[];
}

/** The report without its gaps, which are what the page finds missing in the operations. */
export interface PageData extends Omit<Report, "operations" | "gaps"> {
  readonly operations: readonly PageOperation[];
  /** Pointers of schemas that hold a reference, each followed by that of what it leads to (texts). */
  readonly references: readonly number[];
  /** Which tests: what keywords and examples share. */
  readonly test_lists: readonly TestIndexes[];
  /** Whether the page carries the description's text; null where nothing of the description was at hand. */
  readonly has_source: boolean | null;
  /** Every pointer, keyword and value once. */
  readonly texts: readonly string[];
}
