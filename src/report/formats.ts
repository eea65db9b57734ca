import { generateHtmlReport } from "./html_report.ts";
import { generateJsonReport } from "./json_report.ts";
import type { Report } from "./report.ts";
import { generateTextReport } from "./text_report.ts";

/** The formats that a report can have. */
export const REPORT_FORMATS = ["html", "json", "text"] as const;

/** A format that a report can have. */
export type ReportFormat = typeof REPORT_FORMATS[number];

/** A report in chunks, since it may be longer than the longest string. */
export function reportChunks(report: Report, format: ReportFormat): Iterable<string> {
  switch (format) {
    case "html":
      return [generateHtmlReport(report)];
    case "json":
      return generateJsonReport(report);
    case "text":
      return [generateTextReport(report, { width: 80, colored: false })];
    default:
      throw new TypeError(
        `There is no report format ${JSON.stringify(format)}. The formats are ${
          REPORT_FORMATS.join(", ")
        }.`,
      );
  }
}
