/**
 * covtool tells how much of an API its tests really exercise: it loads an OpenAPI description (2.0 to 3.2), records HTTP
 * traffic and reports coverage in five dimensions: operations, parameters, JSON Schema keywords, examples and responses.
 *
 * Everything begins with a {@linkcode CoverageMap}, made of a description that is a file (`fromPath`), at a URL
 * (`fromUrl`) or an object (`fromDict`). What tests send gets into it in one of three ways:
 *
 * - **By hand**: `map.record(request, response)` takes an {@linkcode HttpRequest} and an {@linkcode HttpResponse}.
 * - **By plugins**: `map.fetch`, `map.axios`, `map.supertest` and others track a client with one line.
 *   `await map.settled()` waits for bodies that are still on their way.
 * - **From recordings**: `map.archive`, `map.collection` and `map.cassette` read HTTP Archives, Postman collections and
 *   cassettes.
 *
 * And it gives out what they came to:
 *
 * - **Numbers**: `statistic()` ({@linkcode Statistic}), `checkThresholds()` ({@linkcode Thresholds}).
 * - **What is missing**: `gaps()` ({@linkcode Gap}), `uncoveredKeywords()`, `unmatched()`, `diagnostics()`.
 * - **Reports**: `saveReport()`, `generateReport()` and `generateTextReport()`, in any {@linkcode ReportFormat}; the one
 *   called `json` is a {@linkcode Report}.
 * - **Hits** for other processes: `exportHits()`, and `mergeHits()` on the other side.
 *
 * The types of plugins and importers are in `@covtool/covtool/plugins`, those of all parts of numbers and reports in
 * `@covtool/covtool/report`.
 *
 * A description that cannot be used throws a {@linkcode DescriptionError}, a recording that cannot be read a
 * {@linkcode RecordingError}. Nothing that is recorded throws: what is wrong with traffic is counted.
 *
 * @example Which promises of an API did this request test?
 * ```ts
 * import { CoverageMap } from "@covtool/covtool";
 * import assert from "node:assert/strict";
 *
 * const map = CoverageMap.fromDict({
 *   openapi: "3.1.0",
 *   info: { title: "Coffee bar", version: "1" },
 *   paths: {
 *     "/orders": {
 *       get: {
 *         parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 100 } }],
 *         responses: { 200: { description: "Orders" }, 422: { description: "Too many" } },
 *       },
 *     },
 *   },
 * });
 * map.record({ method: "GET", url: "http://localhost/orders?limit=500" }, { status_code: 422 });
 *
 * const { operations, keywords, responses } = map.statistic();
 * assert.deepEqual(operations, { seen: 1, total: 1 });
 * assert.deepEqual(responses, { seen: 1, total: 2 }); // nobody has seen a 200
 * assert.deepEqual(keywords, { partial: 2, full: 0, total: 2 }); // nobody kept to the maximum
 * assert.deepEqual(map.checkThresholds({ responses: 80 }), [
 *   { dimension: "responses", actual: 50, minimum: 80 },
 * ]);
 * ```
 *
 * @module
 */
export { CoverageMap } from "./src/coverage_map/coverage_map.ts";
export type { FromDictOptions, LoadMapOptions } from "./src/coverage_map/measured_api.ts";
export type { ReportOptions, SaveReportOptions } from "./src/coverage_map/measured_api.ts";
export type { Diagnostic } from "./src/values/diagnostic.ts";
export { DescriptionError, RecordingError } from "./src/values/errors.ts";
export type {
  HttpRequest,
  HttpResponse,
  Interaction,
  InteractionDetails,
} from "./src/http/interaction.ts";
export type { Visibility } from "./src/http/visibility.ts";
export type {
  DroppedHits,
  Finding,
  Gap,
  Statistic,
  UncoveredKeyword,
  UnmatchedRequest,
} from "./src/map/results.ts";
export {
  SuggestError,
  type Suggestion,
  type Suggestions,
  type SuggestOptions,
} from "./src/suggest/suggestion.ts";
export type { MergeHitsOptions } from "./src/map/hits_file/merge_hits.ts";
export type { ScopeEntry } from "./src/map/scope_pattern.ts";
export type { AccessEntry } from "./src/map/access.ts";
export type { Identity } from "./src/redact/identities.ts";
export type { Shortfall, Thresholds } from "./src/map/thresholds.ts";
export type { CollectionOptions } from "./src/coverage_map/recording_importer.ts";
export type { ImportResult } from "./src/coverage_map/recording_importer.ts";
export { REPORT_FORMATS, type ReportFormat } from "./src/report/reporters.ts";
export type { Report } from "./src/report/report.ts";
export type { MapTextReportOptions } from "./src/report/reported_api.ts";
