import type { CoverageMap } from "../coverage_map/coverage_map.ts";
import { gzipBytes } from "../files/gzip_bytes.ts";
import { checkThresholds, type Shortfall, type Thresholds } from "../map/thresholds.ts";
import { compareReports } from "../report/comparison/compare_reports.ts";
import type { DescriptionView } from "../report/html/description_view.ts";
import type { Report } from "../report/report.ts";
import type { ReporterInput } from "../report/reporters.ts";
import type { NextRequests } from "../suggest/suggestion.ts";
import { staleExclusions } from "../report/wording/stale_exclusions.ts";
import {
  checkAdditions,
  checkConditions,
  checkFailOn,
  type FailedCondition,
  failingFindings,
} from "./fail_on.ts";
import type { Host } from "./host.ts";
import { LineSources } from "./line_sources.ts";
import type { ApiDescription } from "./load_apis.ts";
import { loadMap } from "./load_map.ts";
import type { Output } from "./outputs.ts";
import { type ReportOptions, thresholdsOf } from "./publish_options.ts";
import { reportTime } from "./report_time.ts";
import { foreignBaseline, readBaseline } from "./read_baseline.ts";

/** The report of one API, with what reporters and messages need beside it. */
export interface MadeReport {
  readonly report: Report;
  /** The source lines that reports show. */
  readonly lines: LineSources;
  /** The input of a reporter for an output. */
  readonly inputFor: (output: Output) => ReporterInput;
  /** The value of a keyword in the description, by its schema path. */
  readonly valueOf: (schema_path: string) => unknown;
  /** Judges the report, after its outputs are written. */
  readonly judge: () => Judgement;
}

/** The requirements that the report of an API does not meet, with warnings. */
export interface Judgement {
  /** The thresholds that are not met. */
  readonly shortfalls: readonly Shortfall[];
  /** The conditions that fail the run. */
  readonly failed: readonly FailedCondition[];
  /** Sentences. */
  readonly warnings: readonly string[];
}

/** Makes the report of a map; `adjust` may change it before anything reads it. */
export type MakeReport = (map: CoverageMap, adjust?: (report: Report) => Report) => MadeReport;

/**
 * Reads the baseline of an API and checks its conditions, before there is traffic.
 *
 * @throws {CommandError} if the baseline cannot be read, or a condition needs one.
 */
export async function prepareReport(
  options: ReportOptions & Partial<ApiDescription>,
  host: Host,
): Promise<MakeReport> {
  reportTime(host); // a wrong SOURCE_DATE_EPOCH is an error before tests run
  checkConditions(options.failOn.flat(), options);
  const { baseline } = options;
  const base = await readBaseline(baseline, options, () => loadMap(options));
  if (base?.tellsAdditions === false) checkAdditions(options.failOn.flat(), baseline ?? "");
  const thresholds = thresholdsOf(options);
  const failOnFindings = failingFindings(options.failOn.flat());
  return (map, adjust = (report) => report) => {
    const measured = adjust(
      map.report({ title: options.title, generatedAt: reportTime(host) }),
    );
    const report = base === undefined
      ? measured
      : { ...measured, comparison: compareReports(measured, base.report) };
    const foreign = baseline === undefined ? undefined : foreignBaseline(report, baseline);
    const lines = new LineSources(map, report);
    let shown: DescriptionView | undefined;
    let next: NextRequests | undefined;
    const valueOf = (path: string): unknown =>
      (shown ??= map.descriptionView(report)).valueOf(path);
    return {
      report,
      lines,
      valueOf,
      inputFor: (output) => ({
        thresholds,
        failOnFindings,
        source: () => lines.of(output),
        view: () => map.descriptionView(report),
        next: options.suggestions === false ? undefined : () => next ??= map.nextRequests(report),
        hits: () => map.exportHits(),
        compress: gzipBytes,
      }),
      judge: () => {
        const failed = [
          ...checkScope(report, thresholds),
          ...checkFailOn(options.failOn.flat(), { report, base: base?.report, valueOf }),
        ];
        const foreignWarnings = foreign === undefined ? [] : [foreign];
        return {
          shortfalls: checkThresholds(report.summary, thresholds),
          failed,
          warnings: [
            ...base?.warnings ?? [],
            ...foreignWarnings,
            ...staleWarnings(report, failed),
          ],
        };
      },
    };
  };
}

const NOTHING_LEFT =
  "Every operation is excluded, so nothing is measured. Look through include and exclude.";

function isScopeEmpty({ operations, summary }: Report): boolean {
  return operations.length > 0 && summary.operations.total === 0;
}

/** Fails a run with thresholds that have nothing to check: a mistake in a pattern must not let a build pass. */
function checkScope(report: Report, thresholds: Thresholds): FailedCondition[] {
  const isAsked = Object.values(thresholds).some((threshold) => threshold !== undefined);
  if (!isAsked || !isScopeEmpty(report)) return [];
  return [{ condition: EMPTY_SCOPE, reasons: [NOTHING_LEFT] }];
}

const EMPTY_SCOPE = "empty scope";

/** Warnings about exclusions, unless the run fails for the same reason, which says so. */
function staleWarnings(report: Report, failed: readonly FailedCondition[]): readonly string[] {
  const isSaid = (name: string) => failed.some(({ condition }) => condition === name);
  return [
    ...(isScopeEmpty(report) && !isSaid(EMPTY_SCOPE) ? [NOTHING_LEFT] : []),
    ...(isSaid("stale-exclusions") ? [] : staleExclusions(report)),
  ];
}
