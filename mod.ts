/**
 * covtool tells how much of an API its tests really exercise: it loads an OpenAPI description (2.0 to 3.2), records HTTP
 * traffic and reports coverage in five dimensions: operations, parameters, JSON Schema keywords, examples and responses.
 *
 * Everything begins with a {@linkcode CoverageMap}, made of a description that is a file (`fromPath`), at a URL
 * (`fromUrl`) or an object (`fromDict`). What tests send gets into it in one of three ways:
 *
 * - **By hand**: `map.record(request, response)` takes an {@linkcode HttpRequest} and an {@linkcode HttpResponse}.
 * - **By plugins** ({@linkcode PluginSet}): `map.fetch`, `map.axios`, `map.supertest` and others track a client with one
 *   line. `await map.settled()` waits for bodies that are still on their way.
 * - **From recordings**: `map.archive`, `map.collection` and `map.cassette` ({@linkcode RecordingImporter}) read HTTP
 *   Archives, Postman collections and cassettes.
 *
 * And it gives out what they came to:
 *
 * - **Numbers**: `statistic()` ({@linkcode Statistic}), `checkThresholds()` ({@linkcode Thresholds}).
 * - **What is missing**: `gaps()` ({@linkcode Gap}), `uncoveredKeywords()`, `unmatched()`, `diagnostics()`.
 * - **Reports**: `saveReport()`, `generateReport()` and `generateTextReport()`, in any {@linkcode ReportFormat}; the one
 *   called `json` is a {@linkcode Report}.
 * - **Hits** for other processes: `exportHits()`, and `mergeHits()` on the other side.
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
export type { Json } from "./src/values/json.ts";
export type { ParameterLocation } from "./src/values/parameter_location.ts";
export type { Satisfiability } from "./src/values/satisfiability.ts";
export { CoverageMap } from "./src/coverage_map/coverage_map.ts";
export type { FromDictOptions, LoadMapOptions } from "./src/coverage_map/load_map_options.ts";
export type {
  MapTextReportOptions,
  ReportOptions,
  SaveReportOptions,
} from "./src/coverage_map/report_options.ts";
export type { Diagnostic } from "./src/values/diagnostic.ts";
export { DescriptionError, type ErrorDetails, RecordingError } from "./src/values/errors.ts";
export type {
  HeadersLike,
  HttpRequest,
  HttpResponse,
  Interaction,
  InteractionDetails,
} from "./src/http/interaction.ts";
export type { Visibility } from "./src/http/visibility.ts";
export type { HeadersBut, VisibleHeaders } from "./src/http/visible_headers.ts";
export type {
  CredentialCounts,
  Dimension,
  DroppedHits,
  EnforcementCount,
  EnforcementSummary,
  Finding,
  FindingBase,
  FindingExample,
  Gap,
  KeywordCount,
  ResponseKeywordCount,
  ResponseKeywordSummary,
  SeenCount,
  Statistic,
  Summary,
  TclCount,
  TclCriterion,
  TestCoverageLevel,
  Timeline,
  UncoveredKeyword,
  UnmatchedReason,
  UnmatchedRequest,
  Unmeasured,
} from "./src/map/results.ts";
export { SuggestError } from "./src/suggest/suggestion.ts";
export type {
  NextRequests,
  SuggestedBreach,
  SuggestedHttpRequest,
  Suggestion,
  SuggestionBase,
  Suggestions,
  SuggestOptions,
  UnreachableGap,
} from "./src/suggest/suggestion.ts";
export type { MergeHitsOptions } from "./src/map/hits_file/merge_hits.ts";
export type { ScopeEntry } from "./src/map/scope_entry.ts";
export type { Measure, Shortfall, Thresholds } from "./src/map/thresholds.ts";
export {
  CollectionImporter,
  type CollectionOptions,
} from "./src/coverage_map/collection_importer.ts";
export type { PostmanEnvironment } from "./src/traffic/formats/postman/read_environments.ts";
export { type ImportResult, RecordingImporter } from "./src/coverage_map/recording_importer.ts";
export type { SecretNames } from "./src/redact/redactor.ts";
export type { BaseReport } from "./src/report/base_report.ts";
export type {
  ComparedDimension,
  ComparedPart,
  Comparison,
} from "./src/report/comparison/comparison.ts";
export type {
  AxiosLike,
  AxiosPlugin,
  AxiosResponseHook,
  InterceptorsLike,
} from "./src/plugins/axios_plugin.ts";
export type { AxiosConfigLike, AxiosResponseLike } from "./src/plugins/axios_request.ts";
export type { RequestLike } from "./src/plugins/call_tracked.ts";
export type { FastifyLike, FastifyPlugin, InjectedLike } from "./src/plugins/fastify_plugin.ts";
export type {
  FetchHook,
  FetchPlugin,
  ResponseLike,
  TrackedGlobal,
} from "./src/plugins/fetch_plugin.ts";
export type { GotLike, GotOptionsLike, GotPlugin } from "./src/plugins/got_plugin.ts";
export type { HandlerPlugin } from "./src/plugins/handler_plugin.ts";
export type { KyLike, KyPlugin } from "./src/plugins/ky_plugin.ts";
export type { OfetchLike, OfetchPlugin } from "./src/plugins/ofetch_plugin.ts";
export type {
  ApiContextLike,
  PageLike,
  PlaywrightPlugin,
} from "./src/plugins/playwright_plugin.ts";
export type { ApiOptionsLike, PageRequestLike } from "./src/plugins/playwright_request.ts";
export type { PluginSet } from "./src/plugins/plugin_set.ts";
export type { RecordInteraction, SinkOptions, TestName } from "./src/plugins/plugin_sink.ts";
export type { SupertestPlugin, SupertestRequestLike } from "./src/plugins/supertest_plugin.ts";
export type {
  DispatcherLike,
  DispatchLike,
  DispatchOptionsLike,
  UndiciPlugin,
} from "./src/plugins/undici_plugin.ts";
export { REPORT_FORMATS, type ReportFormat } from "./src/report/reporters.ts";
export type {
  Report,
  ReportExample,
  ReportExclusion,
  ReportKeyword,
  ReportOperation,
  ReportParameter,
  ReportResponse,
  ReportResponseHeader,
  ReportResponseKeyword,
  ReportResponseMediaType,
  ReportResponsePart,
  ReportUndocumentedProperty,
  TestIndexes,
} from "./src/report/report.ts";
export type {
  ShadowEndpoint,
  UndocumentedPart,
  UndocumentedUse,
  UnseenPart,
  UsageCount,
  UsageItem,
  UsageKind,
  UsageOperation,
  UsageReport,
  UsageTraffic,
} from "./src/report/usage/usage_report.ts";
export type {
  AnnotatedSource,
  DescriptionView,
  LinePosition,
  SourceFileName,
  SourceRegion,
} from "./src/report/html/description_view.ts";
export type {
  CrowdedFile,
  FormattedCopy,
  SourceCoverage,
  SourceFile,
  SourceMark,
  SourceMarkKind,
  SourceOperation,
  SourcePosition,
} from "./src/report/source/source_coverage.ts";
