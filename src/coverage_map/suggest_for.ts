import { Hits } from "../map/hits.ts";
import { gapCounts } from "../report/gap_counts.ts";
import type { Report } from "../report/report.ts";
import { nextRequests } from "../suggest/next_requests.ts";
import { RecordedRequests } from "../suggest/recorded_requests.ts";
import { suggestRequests } from "../suggest/suggest_requests.ts";
import type { NextRequests, Suggestions, SuggestOptions } from "../suggest/suggestion.ts";
import { withClosestTests } from "./closest_tests.ts";
import type { MeasuredApi } from "./measured_api.ts";

/** Has an API keep requests from now on, to make others of. */
export function keepRequests(api: MeasuredApi, kept: true | "newest"): void {
  api.keepRequests(new RecordedRequests(api.plan, kept === true ? "smallest" : kept));
}

/** @throws {SuggestError} as `CoverageMap.suggestRequests()` does. */
export function suggestFor(api: MeasuredApi, options: SuggestOptions): Suggestions {
  const hits = options.repeat === true ? new Hits() : api.hits;
  const found = suggestRequests(api.plan, hits, api.exclusions, options, api.requests);
  return { ...found, requests: withClosestTests(api, found.requests) };
}

/** Requests that close gaps, as many as a report has time for. */
export function nextFor(api: MeasuredApi, report: Report): NextRequests {
  const gapsByOperation = report.operations.map(({ summary }) => {
    const { total, response } = gapCounts(summary, report.traffic);
    return total - response;
  });
  const found = nextRequests(api.plan, api.hits, api.exclusions, gapsByOperation, api.requests);
  return { ...found, requests: withClosestTests(api, found.requests) };
}
