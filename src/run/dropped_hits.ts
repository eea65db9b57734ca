import type { DroppedHits } from "../map/results.ts";
import { addCounts } from "../values/errors.ts";
import type { Report } from "../report/report.ts";
import { formatAmount, formatNumber, sentenceList } from "../report/wording/amounts.ts";

/** The most dropped things named by default. Many, since hits are carried over once and the list is the record. */
const MAX_NAMES = 100;

const NOUNS: Readonly<Record<DroppedHits["kind"], string>> = {
  operation: "operation",
  parameter: "parameter",
  keyword: "keyword",
  example: "example",
  value: "value",
  response: "response",
  unmatched: "unmatched request",
};

/** Returns sentences about hits that could not be carried over; each thing once, even if several files had it. */
export function droppedSentences(
  dropped: readonly DroppedHits[],
  limit: number = MAX_NAMES,
): string[] {
  if (dropped.length === 0) return [];
  const kinds = new Map(dropped.map((hits) => [droppedName(hits), hits.kind] as const));
  const amounts = Object.entries(NOUNS).flatMap(([kind, noun]) => {
    const count = [...kinds.values()].filter((other) => other === kind).length;
    return count === 0 ? [] : [formatAmount(count, noun)];
  });
  const names = [...kinds.keys()].slice(0, limit);
  const rest = kinds.size - names.length;
  const more = rest > 0 ? `\n- and ${formatNumber(rest)} more` : "";
  return [
    `The description no longer has what was counted of ${
      sentenceList(amounts)
    }, or has changed it, so these counts are dropped:${
      names.map((name) => `\n- ${name}`).join("")
    }${more}`,
  ];
}

function droppedName(dropped: DroppedHits): string {
  const { operation, parameter, schema_path, status_code, value } = dropped;
  const valueText = value === undefined ? undefined : JSON.stringify(value);
  const texts = [operation, parameter, schema_path, status_code, valueText];
  return texts.filter((text) => text !== undefined).join(", ");
}

/** Adds a list of the hits that could not be carried over; each thing once, with the counts of all files. */
export function addDropped(report: Report, dropped: readonly DroppedHits[] = []): Report {
  if (dropped.length === 0) return report;
  const sums = new Map<string, DroppedHits>();
  for (const { api: _, ...one } of dropped) {
    const key = `${droppedName(one)}, ${one.kind}`;
    const hits = addCounts(sums.get(key)?.hits ?? 0, one.hits);
    sums.set(key, { ...one, hits });
  }
  const sorted = [...sums].sort(([a], [b]) => a < b ? -1 : 1).map(([, one]) => one);
  return { ...report, dropped: sorted };
}
