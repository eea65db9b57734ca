import { groupItems } from "../../values/collections.ts";
import { addStatistics, summarize } from "../../map/statistic.ts";
import { coveredCount, type Summary } from "../../map/results.ts";
import { gapCounts } from "../gap_counts.ts";
import type { Report, ReportOperation } from "../report.ts";
import type { TextReportOptions } from "../reported_api.ts";
import { pathSegments, sharedSegments } from "../wording/place_name.ts";

type Arrangement = Pick<TextReportOptions, "groupBy" | "sort" | "top">;
export type OperationGrouping = NonNullable<Arrangement["groupBy"]>;
export type OperationSorting = NonNullable<Arrangement["sort"]>;

/** The criteria by which a text report can group operations: the first tag, or the first segment of the path. */
export const GROUPINGS: readonly OperationGrouping[] = ["tag", "path"];

export const SORTINGS: readonly OperationSorting[] = ["gaps", "hits", "coverage", "path"];

export interface OperationGroup {
  /** The tag, or the first segments of the paths; undefined if operations are not grouped. */
  readonly name: string | undefined;
  readonly size: number;
  /** Requests that matched one of them. */
  readonly hits: number;
  readonly summary: Summary;
  readonly operations: readonly ReportOperation[];
}

interface Ranked {
  readonly name: string;
  readonly gaps: number;
  readonly hits: number;
  readonly summary: Summary;
}

/** Groups and orders operations; those of the same rank keep the order of the description. */
export function arrangeOperations(
  report: Report,
  operations: readonly ReportOperation[],
  { groupBy, sort, top }: Arrangement,
): readonly OperationGroup[] {
  const nameOf = groupBy && groupNames(report, groupBy);
  const members = groupItems(operations, (operation) => nameOf?.(operation));
  const most = top === undefined || top === "all" ? Infinity : top;
  const groups = [...members].map(([name, all]) => {
    const hits = all.reduce((sum, operation) => sum + operation.hits, 0);
    const gaps = all.reduce((sum, operation) => sum + countGaps(report, operation), 0);
    const summary = summarize(
      addStatistics(all.map((operation) => operation.summary)),
      report.summary.responses.measured,
    );
    const ranked = sorted(all, sort, (operation) => ({
      name: operation.path,
      gaps: countGaps(report, operation),
      hits: operation.hits,
      summary: operation.summary,
    }));
    return { name, gaps, size: all.length, hits, summary, operations: ranked.slice(0, most) };
  });
  return sorted(groups, sort, (group) => ({ ...group, name: group.name ?? "" }));
}

function countGaps({ traffic }: Report, { summary }: ReportOperation): number {
  return gapCounts(summary, traffic).total;
}

function groupNames(
  report: Report,
  groupBy: OperationGrouping,
): (operation: ReportOperation) => string {
  if (groupBy === "tag") return ({ tags }) => tags[0] ?? "(no tag)";
  const shared = sharedSegments(report.operations.map(({ path }) => path));
  return ({ path }) => `/${pathSegments(path).slice(0, shared + 1).join("/")}`;
}

function sorted<T>(
  list: readonly T[],
  sort: OperationSorting | undefined,
  rankOf: (item: T) => Ranked,
): readonly T[] {
  if (sort === undefined) return list;
  return list.map((item) => ({ item, rank: rankOf(item) }))
    .sort((left, right) => COMPARE[sort](left.rank, right.rank))
    .map(({ item }) => item);
}

const COMPARE: Readonly<Record<OperationSorting, (left: Ranked, right: Ranked) => number>> = {
  gaps: (left, right) => right.gaps - left.gaps,
  hits: (left, right) => right.hits - left.hits,
  coverage: (left, right) => covered(left.summary) - covered(right.summary),
  path: (left, right) => left.name < right.name ? -1 : left.name > right.name ? 1 : 0,
};

function covered({ operations, parameters, keywords, examples, responses }: Summary): number {
  const answers = responses.measured ? [responses] : [];
  const counts = [operations, parameters, keywords, examples, ...answers];
  const seen = counts.reduce((sum, count) => sum + coveredCount(count), 0);
  const total = counts.reduce((sum, count) => sum + count.total, 0);
  return total === 0 ? 1 : seen / total;
}
