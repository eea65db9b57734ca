import { buildDescriptionView } from "../report/build/build_description_view.ts";
import { buildSourceCoverage } from "../report/build/build_source_coverage.ts";
import { buildUsageReport } from "../report/build/build_usage_report.ts";
import { generatedAt } from "../report/generated_at.ts";
import type { DescriptionView } from "../report/html/page_data.ts";
import type { Report } from "../report/report.ts";
import type { SourceCoverage } from "../report/source/source_coverage.ts";
import { workingDirectory } from "../report/source/source_path.ts";
import type { UsageReport } from "../report/usage/usage_report.ts";
import type { MeasuredApi, ReportHead } from "./measured_api.ts";

/** @throws {TypeError} as `CoverageMap.sourceCoverage()` does. */
export function sourcesFor(
  { plan, exclusions }: MeasuredApi,
  report: Report,
  copiesIn?: string,
  copies?: Map<string, string>,
): SourceCoverage {
  return buildSourceCoverage(plan, report, workingDirectory(), copiesIn, exclusions, copies);
}

export function viewFor({ plan, exclusions }: MeasuredApi, report: Report): DescriptionView {
  return buildDescriptionView(plan, report, workingDirectory(), exclusions);
}

/** @throws {TypeError} as `CoverageMap.compareUsage()` does. */
export function compareUsage(
  tests: MeasuredApi,
  production: MeasuredApi,
  head: ReportHead,
): UsageReport {
  if (production.plan.fingerprint !== tests.plan.fingerprint) {
    throw new TypeError("The maps to compare are of different descriptions. Load both from one.");
  }
  const sides = { tests: tests.hits, production: production.hits };
  return buildUsageReport(tests.plan, production.plan, sides, {
    title: head.title,
    generatedAt: head.generatedAt ?? generatedAt(),
    exclusions: tests.exclusions,
  });
}
