import type { CoveredOperation } from "./coverage.ts";
import type { Hits } from "./hits.ts";
import { type CoveredResponse, coveredResponse } from "./response_coverage.ts";
import type { ResponseKeywordCount, ResponseKeywordSummary } from "./results.ts";
import { percentOf } from "./statistic.ts";

/** True if a body of some response is in the recording. */
export function hasResponseBodies(hits: Hits): boolean {
  return hits.operations.some((operation) =>
    operation !== undefined && operation.answeredBodies > 0
  );
}

/** The documented responses of an operation, with what their bodies and headers have shown. */
export function coveredResponses(operation: CoveredOperation): readonly CoveredResponse[] {
  return operation.plan.model.responses.map((_, index) => coveredResponse(operation, index));
}

/** The counts of the keywords of some responses. */
export function countResponseKeywords(responses: Iterable<CoveredResponse>): ResponseKeywordCount {
  const sum = { seen: 0, violated: 0, total: 0 };
  for (const { mediaTypes, headers } of responses) {
    for (const { keywords, total } of [...mediaTypes, ...headers]) {
      sum.total += total;
      sum.seen += keywords.length;
      for (const { violated } of keywords) if (violated > 0) sum.violated++;
    }
  }
  return sum;
}

/** The counts with their percentage; undefined for a recording without bodies of responses. */
export function summarizeResponseKeywords(
  counts: Iterable<ResponseKeywordCount> | undefined,
): ResponseKeywordSummary {
  if (counts === undefined) return NOT_MEASURED;
  const sum = { seen: 0, violated: 0, total: 0 };
  for (const { seen, violated, total } of counts) {
    sum.seen += seen;
    sum.violated += violated;
    sum.total += total;
  }
  return { ...sum, percent: percentOf(sum.seen, sum.total), measured: true };
}

const NOT_MEASURED: ResponseKeywordSummary = {
  seen: 0,
  violated: 0,
  total: null,
  percent: null,
  measured: false,
};
