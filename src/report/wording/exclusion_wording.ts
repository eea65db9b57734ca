import type { Statistic } from "../../map/results.ts";
import type { ReportExclusion } from "../report.ts";
import { formatAmount, formatNumber, sentenceList } from "./amounts.ts";

/** The amounts that an exclusion leaves out: `2 operations and 31 keywords, 4 of them covered`. */
export function excludedAmounts({ excluded }: ReportExclusion): string {
  const { keywords } = excluded;
  const counts: [string, number][] = [
    ["operation", excluded.operations.total],
    ["parameter", excluded.parameters.total],
    ["keyword", keywords.total],
    ["example", excluded.examples.total],
    ["response", excluded.responses.total],
  ];
  const amounts = counts.filter(([, total]) => total > 0)
    .map(([noun, total]) => formatAmount(total, noun));
  if (amounts.length === 0) return "nothing";
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return `${sentenceList(amounts)}, ${coveredAmount(seenOf(excluded), total)}`;
}

/** The origin of an exclusion: its source and its end. */
export function exclusionOrigin({ source, until }: ReportExclusion): string {
  return until === null ? source : `${source}, until ${until}`;
}

function seenOf({ operations, parameters, keywords, examples, responses }: Statistic): number {
  return operations.seen + parameters.seen + keywords.partial + keywords.full + examples.seen +
    responses.seen;
}

function coveredAmount(seen: number, total: number): string {
  if (seen === 0) return "not covered";
  if (seen === total) return total === 1 ? "covered" : "all of them covered";
  return `${formatNumber(seen)} of them covered`;
}
