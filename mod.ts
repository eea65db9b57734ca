/**
 * covtool tells how much of an API its tests really exercise: it loads an OpenAPI description, records HTTP traffic
 * and reports coverage in five dimensions: operations, parameters, JSON Schema keywords, examples and responses.
 *
 * @module
 */
export { CoverageMap } from "./src/coverage_map.ts";
export type {
  FromDictOptions,
  LoadMapOptions,
  MapTextReportOptions,
  ReportOptions,
  SaveReportOptions,
} from "./src/coverage_map.ts";
export type { Diagnostic } from "./src/diagnostic.ts";
export { DescriptionError, type ErrorDetails, RecordingError } from "./src/errors.ts";
export type {
  HeadersLike,
  HttpRequest,
  HttpResponse,
  Interaction,
} from "./src/http/interaction.ts";
export type {
  Dimension,
  Gap,
  JsonValue,
  KeywordCount,
  ParameterLocation,
  Satisfiability,
  SeenCount,
  Statistic,
  Summary,
  UncoveredKeyword,
  UnmatchedReason,
  UnmatchedRequest,
} from "./src/map/results.ts";
export type { Shortfall, Thresholds } from "./src/map/thresholds.ts";
export { type ImportResult, RecordingImporter } from "./src/record/recording_importer.ts";
export type { BaseReport } from "./src/report/base_report.ts";
export type {
  AxiosLike,
  AxiosPlugin,
  AxiosResponseHook,
  InterceptorsLike,
} from "./src/record/plugins/axios_plugin.ts";
export type { AxiosConfigLike, AxiosResponseLike } from "./src/record/plugins/axios_request.ts";
export type { RequestLike } from "./src/record/plugins/call_tracked.ts";
export type {
  FastifyLike,
  FastifyPlugin,
  InjectedLike,
} from "./src/record/plugins/fastify_plugin.ts";
export type {
  FetchHook,
  FetchPlugin,
  ResponseLike,
  TrackedGlobal,
} from "./src/record/plugins/fetch_plugin.ts";
export type { GotLike, GotOptionsLike, GotPlugin } from "./src/record/plugins/got_plugin.ts";
export type { HandlerPlugin } from "./src/record/plugins/handler_plugin.ts";
export type { KyLike, KyPlugin } from "./src/record/plugins/ky_plugin.ts";
export type { OfetchLike, OfetchPlugin } from "./src/record/plugins/ofetch_plugin.ts";
export type {
  ApiContextLike,
  PageLike,
  PlaywrightPlugin,
} from "./src/record/plugins/playwright_plugin.ts";
export type { ApiOptionsLike, PageRequestLike } from "./src/record/plugins/playwright_request.ts";
export type { PluginSet } from "./src/record/plugins/plugin_set.ts";
export type { RecordInteraction, SinkOptions, TestName } from "./src/record/plugins/plugin_sink.ts";
export type {
  SupertestPlugin,
  SupertestRequestLike,
} from "./src/record/plugins/supertest_plugin.ts";
export type {
  DispatcherLike,
  DispatchLike,
  DispatchOptionsLike,
  UndiciPlugin,
} from "./src/record/plugins/undici_plugin.ts";
export { REPORT_FORMATS, type ReportFormat } from "./src/report/formats.ts";
export type {
  Report,
  ReportExample,
  ReportKeyword,
  ReportOperation,
  ReportParameter,
  ReportResponse,
  TestIndexes,
} from "./src/report/report.ts";
export type {
  AnnotatedSource,
  DescriptionView,
  LinePosition,
  SourceFileName,
  SourceRegion,
} from "./src/report/html/description_view.ts";
export type {
  SourceCoverage,
  SourceFile,
  SourceMark,
  SourceMarkKind,
  SourceOperation,
  SourcePosition,
} from "./src/report/source/source_coverage.ts";
