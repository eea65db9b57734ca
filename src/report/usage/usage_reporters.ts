import { generateJsonReport } from "../json_report.ts";
import { generateUsageHtmlReport } from "./usage_html_report.ts";
import { generateUsageMarkdownReport } from "./usage_markdown_report.ts";
import type { UsageReport } from "./usage_report.ts";
import { generateUsageTextReport, type UsageTextOptions } from "./usage_text_report.ts";
import type { Reporter } from "../reporters.ts";

/** A format that a usage report can have. */
export type UsageFormat = "html" | "json" | "text" | "markdown";

/** One format of usage reports. */
export interface UsageReporter
  extends Pick<Reporter, "file" | "isFile" | "extensions" | "aliases" | "log"> {
  /** Value of `--format`. */
  readonly name: UsageFormat;
  /** Returns the report in chunks. */
  readonly write: (report: UsageReport, text: UsageTextOptions) => Iterable<string>;
}

/** Every format of usage reports, in the order in which help and errors list them. */
export const USAGE_REPORTERS: readonly UsageReporter[] = [
  {
    name: "html",
    file: "compare.html",
    isFile: true,
    extensions: ["html", "htm"],
    aliases: ["page"],
    log: "escaped",
    write: (report) => [generateUsageHtmlReport(report)],
  },
  {
    name: "json",
    file: "compare.json",
    extensions: ["json"],
    aliases: [],
    log: "json",
    write: (report) => generateJsonReport(report),
  },
  {
    name: "text",
    file: "compare.txt",
    extensions: ["txt"],
    aliases: ["console", "stdout", "terminal"],
    log: "lines",
    write: (report, options) => [generateUsageTextReport(report, options)],
  },
  {
    name: "markdown",
    file: "compare.md",
    extensions: ["md"],
    aliases: [],
    log: "lines",
    write: (report) => [generateUsageMarkdownReport(report)],
  },
];
