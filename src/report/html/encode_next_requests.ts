import type { Gap } from "../../map/results.ts";
import { expectedAnswers } from "../../suggest/formats/expected_answers.ts";
import type { NextRequests, Suggestion } from "../../suggest/suggestion.ts";
import { closedGapsIn } from "../closed_gaps.ts";
import type { Report, ReportOperation } from "../report.ts";
import {
  CLOSED,
  CLOSED_KINDS,
  NO_TEXT,
  type PageNextRequests,
  type PageRequest,
} from "./page_data.ts";

/** The length of all requests in a page, in characters, after which only those that close most are kept. */
const MOST_TEXT = 300_000;

/** Requests as the page reads them, with the places of what they close. */
export function encodeNextRequests(report: Report, next: NextRequests): PageNextRequests {
  const indexes = new Map(
    report.operations.map(({ method, path }, index) => [`${method} ${path}`, index]),
  );
  const closedGaps = closedGapsIn(report);
  const rows = new Map<number, ReadonlyMap<string, number>>();
  const requests: PageRequest[] = [];
  let length = 0;
  for (const suggestion of next.requests) {
    const { request, path, placeholders, expects, breaks, closes } = suggestion;
    const index = indexes.get(`${request.method} ${path}`);
    const operation = index === undefined ? undefined : report.operations[index];
    if (index === undefined || operation === undefined) continue;
    length += lengthOf(suggestion);
    if (length > MOST_TEXT) return { requests, complete: false };
    let known = rows.get(index);
    if (known === undefined) rows.set(index, known = rowsOf(operation));
    requests.push({
      operation: index,
      request,
      placeholders,
      expects: expectedAnswers(expects, breaks === null),
      ...closedGaps(closes),
      breaks: breaks?.schema_path ?? null,
      closes: closedRows(closes, operation, known),
    });
  }
  return { requests, complete: next.complete };
}

function lengthOf({ request: { url, body = "" } }: Suggestion): number {
  return url.length + body.length;
}

/** The rows of keywords and examples of an operation, by parameter, kind and pointer. */
function rowsOf({ parameters }: ReportOperation): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  parameters.forEach(({ keywords, examples }, index) => {
    keywords.forEach(({ schema_path }, row) => rows.set(keyOf(index, "k", schema_path), row));
    examples.forEach(({ schema_path }, row) => rows.set(keyOf(index, "e", schema_path), row));
  });
  return rows;
}

function keyOf(parameter: number, kind: "k" | "e", pointer: string): string {
  return `${parameter} ${kind} ${pointer}`;
}

function closedRows(
  closes: readonly Gap[],
  { parameters }: ReportOperation,
  rows: ReadonlyMap<string, number>,
): readonly number[] {
  const list: number[] = [];
  const known = new Set<string>();
  const add = (kind: typeof CLOSED_KINDS[number], parameter: number, row: number) => {
    const key = `${kind} ${parameter} ${row}`;
    if (known.has(key)) return;
    known.add(key);
    CLOSED.add(list, { kind: CLOSED_KINDS.indexOf(kind), parameter, row });
  };
  for (const gap of closes) {
    if (gap.kind === "operation_uncovered") add("operation", 0, NO_TEXT);
    if (!("parameter" in gap)) continue;
    const index = parameters.findIndex(({ location, parameter }) =>
      location === gap.location && parameter === gap.parameter
    );
    if (index < 0) continue;
    if (gap.kind === "keyword_uncovered" || gap.kind === "example_uncovered") {
      const isKeyword = gap.kind === "keyword_uncovered";
      const row = rows.get(keyOf(index, isKeyword ? "k" : "e", gap.schema_path));
      // A parameter that was never sent has no rows yet.
      if (row !== undefined) add(isKeyword ? "keyword" : "example", index, row);
    } else add("parameter", index, NO_TEXT);
  }
  return list;
}
