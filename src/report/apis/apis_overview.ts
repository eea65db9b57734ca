import type { Summary, UnmatchedRequest } from "../../map/results.ts";
import { addStatistics, summarize } from "../../map/statistic.ts";
import { gapCounts } from "../gap_counts.ts";
import type { Report } from "../report.ts";

export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** True for several APIs, which have names; an API that is measured alone has none. */
export function areNamed<Api extends { readonly name: string | undefined }>(
  apis: readonly Api[],
): apis is readonly (Api & { readonly name: string })[] {
  return apis.every(({ name }) => name !== undefined);
}

export interface ApisOverview {
  readonly title: string;
  readonly summary: Summary;
  readonly gaps: number;
  readonly findings: number;
  readonly matched: number;
  /** Requests that each API lists as unmatched, so that they belong to none. */
  readonly strays: readonly UnmatchedRequest[];
}

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
    summary: summarize(
      addStatistics(summaries),
      measured,
      succeeded,
      summaries.some(({ operations }) => operations.percent === null),
    ),
    gaps: reports.reduce((sum, { summary, traffic }) => sum + gapCounts(summary, traffic).total, 0),
    findings: reports.reduce((sum, { findings = [] }) => sum + findings.length, 0),
    matched: reports.reduce((sum, { traffic }) => sum + traffic.matched, 0),
    strays: findStrays(reports),
  };
}

function findStrays([first, ...others]: readonly Report[]): UnmatchedRequest[] {
  if (first === undefined || others.length === 0) return [];
  const keys = others.map(({ unmatched }) => new Set(unmatched.map(requestKey)));
  return first.unmatched.filter((request) => keys.every((known) => known.has(requestKey(request))));
}

/** The reason why it does not match differs between APIs. */
function requestKey({ method, host, path }: UnmatchedRequest): string {
  return `${method} ${host} ${path}`;
}
