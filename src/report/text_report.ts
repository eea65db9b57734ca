import { Ansis } from "ansis";
import { apisBlocks } from "./apis/apis_blocks.ts";
import { areNamed } from "./apis/apis_overview.ts";
import { reportBlocks } from "./blocks/coverage_blocks.ts";
import { operationBlocks } from "./blocks/operation_blocks.ts";
import { joinSections, textLines, usableWidth } from "./blocks/text_blocks.ts";
import type { Report } from "./report.ts";
import type { ReportedApi, TextReportOptions } from "./reported_api.ts";

const MAX_FINDINGS = 10;
/** A low limit, because nearly every run has more of them than anybody reads in a terminal. */
const MAX_VALUES = 5;

/** Writes a report for a terminal. Control characters from the description or the traffic are escaped. */
export function generateTextReport(report: Report, options: TextReportOptions): string {
  const layout = {
    width: usableWidth(options.width),
    wraps: options.wrapPaths !== false,
    colors: new Ansis(options.colored === false ? 0 : 1),
  };
  const most = options.top === "all"
    ? { findings: Infinity, values: Infinity, others: Infinity }
    : { findings: MAX_FINDINGS, values: MAX_VALUES };
  const { next, tcl, keywordValue } = options;
  const operations = operationBlocks(report, options);
  const blocks = reportBlocks(report, { operations, next, tcl, keywordValue, most });
  const { warnings, heading, verdict, figures, changes, details, notes, diagnostics } = blocks;
  const groups = [warnings, heading, verdict, figures, changes, ...details, notes, diagnostics];
  return joinSections([...groups, blocks.next].map((group) => textLines(group, layout)));
}

const PLAIN_TEXT: TextReportOptions = { width: 80, wrapPaths: false, colored: false };

export function* generateTextReports(
  apis: readonly ReportedApi<"text" | "view" | "next">[],
  title?: string,
): Generator<string> {
  const options = apis[0]?.input.text ?? PLAIN_TEXT;
  const { width, colored } = options;
  const colors = new Ansis(colored === false ? 0 : 1);
  if (areNamed(apis)) {
    const groups = apisBlocks(apis, title);
    yield joinSections(groups.map((blocks) => textLines(blocks, { width, wraps: true, colors })));
  }
  const rule = colors.dim("═".repeat(Math.min(width, 80)));
  for (const { name, report, input: { view, next } } of apis) {
    if (name !== undefined) yield `\n${rule}\n`;
    yield generateTextReport(report, {
      ...options,
      next: name === undefined ? next?.() : undefined,
      keywordValue: report.comparison && view?.().keywordValue,
    });
  }
}
