import { groupItems } from "../../values/collections.ts";
import { addStatistics, summarize } from "../../map/statistic.ts";
import { coveredCount, DIMENSIONS, type Summary } from "../../map/results.ts";
import { gapCounts } from "../gap_counts.ts";
import type { Report, ReportOperation } from "../report.ts";
import type { TextReportOptions } from "../reported_api.ts";
import { pathSegments, sharedSegments } from "../wording/place_name.ts";

type Arrangement = Pick<TextReportOptions, "groupBy" | "sort" | "top">;
export type OperationGrouping = NonNullable<Arrangement["groupBy"]>;
export type OperationSorting = NonNullable<Arrangement["sort"]>;

export const GROUPINGS: readonly OperationGrouping[] = ["tag", "path"];

export const SORTINGS: readonly OperationSorting[] = ["gaps", "hits", "coverage", "path"];

interface OperationGroup {
  /** The tag or the first path segments. Undefined if operations aren't grouped. */
  readonly name: string | undefined;
  readonly size: number;
  readonly hits: number;
  readonly summary: Summary;
  readonly operations: readonly ReportOperation[];
}

/** An operation, which has a path, or a group of operations, which may have a name. */
type Ranked = Pick<ReportOperation, "hits" | "summary"> & Partial<Pick<ReportOperation, "path">> & {
  readonly name?: string | undefined;
};

/** Groups and sorts operations. Operations of equal rank keep the description's order. */
export function arrangeOperations(
  report: Report,
  operations: readonly ReportOperation[],
  { groupBy, sort, top }: Arrangement,
): readonly OperationGroup[] {
  const groupName = groupBy && groupNames(report, groupBy);
  const members = groupItems(operations, (operation) => groupName?.(operation));
  const most = top === undefined || top === "all" ? Infinity : top;
  const rank = sort === undefined ? () => 0 : RANKS[sort];
  const order = (left: Ranked, right: Ranked): number => {
    const [one, other] = [rank(left, report), rank(right, report)];
    return one < other ? -1 : one > other ? 1 : 0;
  };
  return Array.from(members, ([name, all]): OperationGroup => ({
    name,
    size: all.length,
    hits: all.reduce((sum, { hits }) => sum + hits, 0),
    summary: summarize(
      addStatistics(all.map(({ summary }) => summary)),
      report.summary.responses.measured,
    ),
    operations: all.toSorted(order).slice(0, most),
  })).sort(order);
}

function groupNames(
  report: Report,
  groupBy: OperationGrouping,
): (operation: ReportOperation) => string {
  if (groupBy === "tag") return ({ tags }) => tags[0] ?? "(no tag)";
  const shared = sharedSegments(report.operations.map(({ path }) => path));
  return ({ path }) => `/${pathSegments(path).slice(0, shared + 1).join("/")}`;
}

const RANKS: Readonly<
  Record<OperationSorting, (item: Ranked, report: Report) => number | string>
> = {
  gaps: ({ summary }, { traffic }) => -gapCounts(summary, traffic).total,
  hits: ({ hits }) => -hits,
  coverage: ({ summary }) => coveredShare(summary),
  path: ({ path, name = "" }) => path ?? name,
};

function coveredShare(summary: Summary): number {
  let [covered, total] = [0, 0];
  for (const dimension of DIMENSIONS) {
    if (dimension === "responses" && !summary.responses.measured) continue;
    covered += coveredCount(summary[dimension]);
    total += summary[dimension].total;
  }
  return total === 0 ? 1 : covered / total;
}
