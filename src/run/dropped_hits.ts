import type { DroppedHits } from "../map/results.ts";
import { formatAmount, formatNumber, sentenceList } from "../report/wording/amounts.ts";

/** Most dropped things that are named. */
const MOST_NAMED = 10;

const NOUNS: Readonly<Record<DroppedHits["kind"], string>> = {
  operation: "operation",
  parameter: "parameter",
  keyword: "keyword",
  example: "example",
  value: "value",
  response: "response",
  unmatched: "unmatched request",
};

/**
 * Sentences about hits that could not be carried over to a changed description, each thing once however many files had
 * it.
 *
 * @example
 * ```ts
 * import { droppedSentences } from "./dropped_hits.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(
 *   droppedSentences([
 *     { kind: "operation", operation: "GET /old", hits: 2 },
 *     { kind: "parameter", operation: "GET /books", parameter: "query page", hits: 1 },
 *   ]),
 *   [
 *     "The description no longer has what was counted of 1 operation and 1 parameter, or has changed it, so these counts are dropped: GET /old; GET /books, query page.",
 *   ],
 * );
 * ```
 */
export function droppedSentences(dropped: readonly DroppedHits[]): string[] {
  if (dropped.length === 0) return [];
  const kinds = new Map(dropped.map((hits) => [nameOf(hits), hits.kind] as const));
  const amounts = Object.entries(NOUNS).flatMap(([kind, noun]) => {
    const count = [...kinds.values()].filter((other) => other === kind).length;
    return count === 0 ? [] : [formatAmount(count, noun)];
  });
  const named = [...kinds.keys()].slice(0, MOST_NAMED);
  const rest = kinds.size - named.length;
  const more = rest > 0 ? `; and ${formatNumber(rest)} more` : "";
  return [
    `The description no longer has what was counted of ${
      sentenceList(amounts)
    }, or has changed it, so these counts are dropped: ${named.join("; ")}${more}.`,
  ];
}

function nameOf(dropped: DroppedHits): string {
  const { operation, parameter, schema_path, status_code, value } = dropped;
  const shown = value === undefined ? undefined : JSON.stringify(value);
  return [operation, parameter, schema_path, status_code, shown].filter((part) =>
    part !== undefined
  )
    .join(", ");
}
