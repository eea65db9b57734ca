import type { Ansis } from "ansis";
import type { Shortfall } from "../map/thresholds.ts";
import type { Report } from "../report/report.ts";
import { headingLines, summaryLines } from "../report/text/summary_lines.ts";
import { nothingMatched } from "../report/text/nothing_matched.ts";
import { saidText } from "./said_text.ts";
import { diagnosticLines } from "../report/text/traffic_lines.ts";
import { wrapText } from "../report/text/text_width.ts";
import { thresholdLines } from "../report/threshold_lines.ts";

/** What is said beside the report. */
export interface SummaryOptions {
  readonly width: number;
  readonly colors: Ansis;
  /** The files that were written. */
  readonly written: readonly string[];
  /** Whether a report went to standard output, so that its numbers need no repeating. */
  readonly isShown: boolean;
  /** What was noticed while reading the traffic: sentences. */
  readonly warnings: readonly string[];
  readonly shortfalls: readonly Shortfall[];
  /** What is said where nothing was recorded: a sentence. */
  readonly nothingRecorded?: string | undefined;
}

/** How many diagnostics a summary shows; the report has all of them. */
const MOST_DIAGNOSTICS = 3;

/**
 * What covtool says when reports are written: on one screen that nothing matched, where that is so, the numbers (unless they stand on standard output
 * already), what needs attention, the files, and the thresholds that are not met.
 */
export function summaryText(report: Report, options: SummaryOptions): string {
  const { width, colors } = options;
  const wrapped = (text: string) => wrapText(saidText(text), width);
  const attention = [
    ...options.warnings.map((warning) => `Warning: ${warning}`),
    ...trafficWarnings(report, options.nothingRecorded),
  ].flatMap((text) => wrapped(text).map((line) => colors.yellow(line)));
  const missed = thresholdLines(options.shortfalls);
  const sections = [
    nothingMatched(report).flatMap((text) =>
      wrapText(text, width).map((line) => colors.yellow(line))
    ),
    options.isShown ? [] : headingLines(report, width, colors),
    options.isShown ? [] : summaryLines(report.summary, width, colors),
    options.isShown ? [] : diagnosticLines(report, width, colors, MOST_DIAGNOSTICS),
    attention,
    options.written.flatMap((path) => wrapped(`Report: ${path}`)),
    missed.length === 0 ? [] : [
      colors.red.bold(missed.length === 1 ? "Threshold not met:" : "Thresholds not met:"),
      ...missed.map((line) => colors.red(`  ${line}`)),
    ],
  ];
  return sections.filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n") + "\n").join("\n");
}

/** Traffic that mostly misses the description says more about the call of covtool than about the tests. */
function trafficWarnings(
  report: Report,
  nothingRecorded = "The traffic contains no requests.",
): string[] {
  const { traffic, suggested_base_path: basePath } = report;
  if (traffic.recorded === 0) return [`Warning: ${nothingRecorded}`];
  if (traffic.matched === 0 || basePath === null) return [];
  return [
    `Warning: Much of the traffic matches no operation. Most of it would with --base-path ${basePath}`,
  ];
}
