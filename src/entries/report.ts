/**
 * The types of everything that a `CoverageMap` returns: statistics, the JSON report, the comparison of tests with
 * production, source lines and suggested requests.
 *
 * @example
 * ```ts
 * import { CoverageMap } from "@covtool/covtool";
 * import type { ReportOperation } from "@covtool/covtool/report";
 * import assert from "node:assert/strict";
 *
 * const name = ({ method, path }: ReportOperation): string => `${method} ${path}`;
 * const map = CoverageMap.fromDict({
 *   openapi: "3.1.0",
 *   info: { title: "Coffee bar", version: "1" },
 *   paths: { "/menu": { get: { responses: { 200: { description: "The menu" } } } } },
 * });
 *
 * assert.deepEqual(map.report().operations.map(name), ["GET /menu"]);
 * ```
 *
 * @module
 */
export type { Json } from "../values/json.ts";
export type { ParameterLocation, Satisfiability } from "../values/position.ts";
export type { ErrorDetails } from "../values/errors.ts";
export type {
  AccessCell,
  AccessSummary,
  CredentialCounts,
  Dimension,
  EnforcementCount,
  EnforcementSummary,
  FindingBase,
  FindingExample,
  FindingRequest,
  GapKindName,
  KeywordCount,
  NoticedSummary,
  ResponseKeywordCount,
  ResponseKeywordSummary,
  SeenCount,
  Summary,
  TclCount,
  TclCriterion,
  TestCoverageLevel,
  Timeline,
  UnmatchedReason,
  Unmeasured,
  ValuesSummary,
} from "../map/results.ts";
export type {
  ClosestTest,
  CopiedTests,
  NextRequests,
  SuggestedBreach,
  SuggestedHttpRequest,
  SuggestionBase,
  UnreachableGap,
} from "../suggest/suggestion.ts";
export type { ValueClassName } from "../values/value_class_name.ts";
export type { Measure } from "../map/thresholds.ts";
export type { SecretNames } from "../redact/redactor.ts";
export type { BaseReport } from "../report/base_report.ts";
export type {
  ComparedDimension,
  ComparedPart,
  Comparison,
} from "../report/comparison/comparison.ts";
export type {
  ReportAccess,
  ReportAccessOperation,
  ReportExample,
  ReportExclusion,
  ReportGate,
  ReportKeyword,
  ReportLink,
  ReportNoticed,
  ReportNoticedChange,
  ReportOperation,
  ReportParameter,
  ReportResponse,
  ReportResponseHeader,
  ReportResponseKeyword,
  ReportResponseMediaType,
  ReportResponsePart,
  ReportUndocumentedProperty,
  ReportValue,
  ReportVerdict,
  TestIndexes,
} from "../report/report.ts";
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
} from "../report/usage/usage_report.ts";
export type {
  AnnotatedSource,
  DescriptionView,
  LinePosition,
  SourceFileName,
  SourceRegion,
} from "../report/html/page_data.ts";
export type {
  CrowdedFile,
  FormattedCopy,
  SourceCoverage,
  SourceFile,
  SourceMark,
  SourceMarkKind,
  SourceOperation,
  SourcePosition,
} from "../report/source/source_coverage.ts";
export type { ReportHead } from "../coverage_map/measured_api.ts";
