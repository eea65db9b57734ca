import type { Summary, UnmatchedRequest } from "../../map/results.ts";
import { apisOverview, type NamedReport } from "../apis/apis_overview.ts";
import { gapCounts } from "../gap_counts.ts";
import type { Report } from "../report.ts";

/** The row of one API in the overview of several; its own data is in the block with its number. */
export interface ApiRow {
  readonly name: string;
  /** The description. */
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
}

/** The overview of several APIs. */
export interface ApisPageData {
  readonly title: string;
  readonly tool: Report["tool"];
  readonly generated_at: string;
  readonly summary: Summary;
  readonly gaps: number;
  readonly apis: readonly ApiRow[];
  /** Requests that match none of the APIs. */
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
  return { title: heading, tool, generated_at, summary, gaps, apis: apis.map(rowOf), strays };
}

function rowOf({ name, report }: NamedReport): ApiRow {
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
  };
}
