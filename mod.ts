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
export type { PluginSet } from "./src/record/plugins/plugin_set.ts";
export { REPORT_FORMATS, type ReportFormat } from "./src/report/formats.ts";
export type {
  Report,
  ReportExample,
  ReportKeyword,
  ReportOperation,
  ReportParameter,
  ReportResponse,
} from "./src/report/report.ts";
export type {
  SourceCoverage,
  SourceFile,
  SourceMark,
  SourceMarkKind,
  SourceOperation,
  SourcePosition,
} from "./src/report/source/source_coverage.ts";
