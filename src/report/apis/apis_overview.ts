import type { Summary, UnmatchedRequest } from "../../map/results.ts";
import { addStatistics, summarize } from "../../map/statistic.ts";
import { countsResponses, gapCounts } from "../gap_counts.ts";
import type { Report, ReportVerdict } from "../report.ts";
import { joinVerdicts } from "../wording/verdict_text.ts";

export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** True if the APIs have names: an API that is measured alone has none. */
export function areNamed<Api extends { readonly name: string | undefined }>(
  apis: readonly Api[],
): apis is readonly (Api & { readonly name: string })[] {
  return apis.every(({ name }) => name !== undefined);
}

export interface ApiRow {
  readonly name: string;
  readonly location: string;
  readonly summary: Summary;
  readonly gaps: number;
  readonly matched: number;
  readonly unmatched: number;
  /** True if parts of the description are excluded. */
  readonly isScoped: boolean;
  /** Gaps that are new since the baseline. Null without a baseline. */
  readonly new_gaps: number | null;
  readonly findings: number;
  readonly failed_gates: number;
  readonly gates: number;
}

export interface ApisOverview extends Pick<ApiRow, "summary" | "gaps" | "findings" | "matched"> {
  readonly title: string;
  readonly apis: readonly ApiRow[];
  /** The verdict on all APIs. Absent if none has requirements. */
  readonly verdict?: ReportVerdict;
  /** Requests that every API lists as unmatched. */
  readonly strays: readonly UnmatchedRequest[];
}

export function apisOverview(
  reports: readonly NamedReport[],
  title: string | undefined,
): ApisOverview {
  const apis = reports.map(apiRow);
  const summaries = apis.map(({ summary }) => summary);
  const measured = summaries.some(({ responses }) => responses.measured);
  // Of an API whose traffic has no responses, nobody knows what came back.
  const isKnown = reports.map(({ report }) => countsResponses(report.summary, report.traffic));
  const statistics = summaries.map((summary, index) =>
    measured && isKnown[index] === false
      ? { ...summary, responses: { seen: 0, total: 0 } }
      : summary
  );
  const succeeded = isKnown.includes(false)
    ? undefined
    : summaries.reduce((sum, { operations }) => sum + (operations.succeeded ?? 0), 0);
  const hasPaths = summaries.some(({ operations }) => operations.percent === null);
  const verdict = joinVerdicts(reports);
  const total = (name: "gaps" | "findings" | "matched") =>
    apis.reduce((sum, api) => sum + api[name], 0);
  return {
    title: title ?? `${apis.length} ${apis.length === 1 ? "API" : "APIs"}`,
    summary: summarize(addStatistics(statistics), measured, succeeded, hasPaths),
    gaps: total("gaps"),
    findings: total("findings"),
    matched: total("matched"),
    ...(verdict !== undefined && { verdict }),
    strays: findStrays(reports.map(({ report }) => report)),
    apis,
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

function findStrays([first, ...others]: readonly Report[]): UnmatchedRequest[] {
  if (first === undefined || others.length === 0) return [];
  const keys = others.map(({ unmatched }) => new Set(unmatched.map(requestKey)));
  return first.unmatched.filter((request) => keys.every((known) => known.has(requestKey(request))));
}

/** Leaves out the reason for the mismatch, which differs between APIs. */
function requestKey({ method, host, path }: UnmatchedRequest): string {
  return `${method} ${host} ${path}`;
}
