import type { Satisfiability } from "../../map/results.ts";
import type { Report, ReportOperation, ReportParameter } from "../report.ts";

/**
 * Numbers per keyword in {@linkcode PageParameter.keywords}: place (text), keyword (text), valid,
 * invalid, satisfiability (index into {@linkcode SATISFIABILITIES}).
 */
export const KEYWORD_FIELDS = 5;

/** Numbers per example in {@linkcode PageParameter.examples}: pointer (text), value as JSON (text), hits. */
export const EXAMPLE_FIELDS = 3;

/** What the last number of a keyword stands for. */
export const SATISFIABILITIES: readonly Satisfiability[] = ["Normal", "Positive", "Negative"];

/** A parameter as the page reads it: rows of numbers, because a report may hold 53,000 keywords. */
export interface PageParameter
  extends Omit<ReportParameter, "keywords" | "examples" | "schema_path"> {
  /** Index into {@linkcode PageData.texts}. */
  readonly schema_path: number;
  /** {@linkcode KEYWORD_FIELDS} numbers each. */
  readonly keywords: readonly number[];
  /** {@linkcode EXAMPLE_FIELDS} numbers each. */
  readonly examples: readonly number[];
}

/** An operation as the page reads it. */
export interface PageOperation extends Omit<ReportOperation, "parameters"> {
  readonly parameters: readonly PageParameter[];
}

/** The report without its gaps, which are what the page finds missing in the operations. */
export interface PageData extends Omit<Report, "operations" | "gaps"> {
  readonly operations: readonly PageOperation[];
  /** Every pointer, keyword and example value once. */
  readonly texts: readonly string[];
}
