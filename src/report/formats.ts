import type { Dimension } from "../map/results.ts";
import type { Thresholds } from "../map/thresholds.ts";
import { generateBadgeReport } from "./badge_report.ts";
import type { BaseReport } from "./base_report.ts";
import { generateCoberturaReport } from "./cobertura_report.ts";
import type { DescriptionView } from "./html/description_view.ts";
import { generateHtmlReport } from "./html_report.ts";
import { generateJsonReport } from "./json_report.ts";
import { generateJunitReport } from "./junit_report.ts";
import { generateLcovReport } from "./lcov_report.ts";
import { generateMarkdownReport } from "./markdown_report.ts";
import type { Report } from "./report.ts";
import { generateSarifReport } from "./sarif_report.ts";
import type { SourceCoverage } from "./source/source_coverage.ts";
import { generateTextReport } from "./text_report.ts";

/** The formats that a report can have. */
export const REPORT_FORMATS = [
  "html",
  "json",
  "text",
  "markdown",
  "lcov",
  "cobertura",
  "sarif",
  "junit",
  "badge",
] as const;

/** A format that a report can have. */
export type ReportFormat = typeof REPORT_FORMATS[number];

/** What some formats need beside the report; each takes its own and passes over the rest. */
export interface FormatOptions {
  /** Where things stand in the description; called by lcov, cobertura and sarif, which cannot do without. */
  readonly source: () => SourceCoverage;
  /**
   * What html shows of the description, and where sarif and markdown look up what keywords say; without it they do
   * without.
   */
  readonly view?: (() => DescriptionView) | undefined;
  /** What markdown compares with. */
  readonly base?: BaseReport | undefined;
  /** What junit judges by. */
  readonly thresholds?: Thresholds | undefined;
  /** What a badge shows. */
  readonly badge?: readonly Dimension[] | undefined;
}

/** Where a report of a format goes unless a file is named. */
const FILE_NAMES: Readonly<Record<ReportFormat, string>> = {
  html: "coverage.html",
  json: "coverage.json",
  text: "coverage.txt",
  markdown: "coverage.md",
  lcov: "coverage.info",
  cobertura: "coverage.cobertura.xml",
  sarif: "coverage.sarif",
  junit: "coverage.junit.xml",
  badge: "coverage.svg",
};

/** The name of the file that a report of this format has by default: `coverage.` and what tools go by. */
export function defaultFileName(format: ReportFormat): string {
  return FILE_NAMES[format];
}

/**
 * A report in chunks, since it may be longer than the longest string.
 *
 * @throws {TypeError} where there is no such format, or it shows lines and the description has none.
 * @throws {RangeError} where a threshold is not from 0 to 100.
 */
export function reportChunks(
  report: Report,
  format: ReportFormat,
  options: FormatOptions,
): Iterable<string> {
  switch (format) {
    case "html":
      return [generateHtmlReport(report, options.view?.())];
    case "json":
      return generateJsonReport(report);
    case "text":
      return [generateTextReport(report, { width: 80, colored: false })];
    case "markdown":
      return [generateMarkdownReport(report, {
        base: options.base,
        keywordValue: options.base && options.view?.().valueOf,
      })];
    case "lcov":
      return generateLcovReport(options.source());
    case "cobertura":
      return generateCoberturaReport(report, options.source());
    case "sarif":
      return generateSarifReport(report, options.source(), options.view?.().valueOf);
    case "junit":
      return [generateJunitReport(report, { thresholds: options.thresholds })];
    case "badge":
      return [generateBadgeReport(report, { dimensions: options.badge })];
    default:
      throw new TypeError(
        `Unknown format ${JSON.stringify(format)}. Choose ${
          REPORT_FORMATS.slice(0, -1).join(", ")
        } or ${REPORT_FORMATS.at(-1)}.`,
      );
  }
}
