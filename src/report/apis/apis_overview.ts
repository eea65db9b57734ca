import type { Summary, UnmatchedRequest } from "../../map/results.ts";
import { addStatistics, summarize } from "../../map/statistic.ts";
import { gapCounts } from "../gap_counts.ts";
import type { Report } from "../report.ts";

/** The report of one of several APIs. */
export interface NamedReport {
  /** Its name, which no other has. */
  readonly name: string;
  readonly report: Report;
}

/** The totals of several APIs. */
export interface ApisOverview {
  /** The title given, else one that says how many there are. */
  readonly title: string;
  /** The five dimensions of all APIs added up. */
  readonly summary: Summary;
  /** The number of parts that are not fully covered, as {@linkcode gapCounts} counts them. */
  readonly gaps: number;
  /** The number of requests that matched an operation of an API. */
  readonly matched: number;
  /** Requests that each API lists as unmatched, so that they belong to none. */
  readonly strays: readonly UnmatchedRequest[];
}

/**
 * Adds the reports of several APIs up.
 *
 * @param title The title of all together; undefined for one that says how many APIs there are.
 */
export function apisOverview(
  apis: readonly NamedReport[],
  title: string | undefined,
): ApisOverview {
  const reports = apis.map(({ report }) => report);
  const summaries = reports.map(({ summary }) => summary);
  const measured = summaries.some(({ responses }) => responses.measured);
  const succeeded = summaries.reduce((sum, { operations }) => sum + (operations.succeeded ?? 0), 0);
  return {
    title: title ?? `${apis.length} ${apis.length === 1 ? "API" : "APIs"}`,
    summary: summarize(addStatistics(summaries.map(countsOf)), measured, succeeded),
    gaps: reports.reduce((sum, { summary, traffic }) => sum + gapCounts(summary, traffic).total, 0),
    matched: reports.reduce((sum, { traffic }) => sum + traffic.matched, 0),
    strays: straysOf(reports),
  };
}

/** Only the counts, without percentages. */
function countsOf({ operations, parameters, keywords, examples, responses }: Summary) {
  return { operations, parameters, keywords, examples, responses };
}

function straysOf([first, ...others]: readonly Report[]): UnmatchedRequest[] {
  if (first === undefined || others.length === 0) return [];
  const keys = others.map(({ unmatched }) => new Set(unmatched.map(keyOf)));
  return first.unmatched.filter((request) => keys.every((known) => known.has(keyOf(request))));
}

/** The reason why it does not match differs between APIs. */
function keyOf({ method, host, path }: UnmatchedRequest): string {
  return `${method} ${host} ${path}`;
}
