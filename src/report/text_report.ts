import { Ansis } from "ansis";
import { apisBlocks } from "./apis/apis_blocks.ts";
import { areNamed } from "./apis/apis_overview.ts";
import type { Block } from "./blocks/block.ts";
import {
  accessBlocks,
  answerFacts,
  changeBlocks,
  credentialFact,
  diagnosticBlocks,
  dimensionBlock,
  exclusionBlocks,
  findingBlocks,
  headingBlocks,
  MAX_GAPS,
  noteBlocks,
  noticedBlocks,
  tclFact,
  undeclaredBlocks,
  unmatchedBlocks,
  valueBlocks,
  verdictBlocks,
} from "./blocks/coverage_blocks.ts";
import { operationBlocks } from "./blocks/operation_blocks.ts";
import { joinSections, textLines, usableWidth } from "./blocks/text_blocks.ts";
import type { Report } from "./report.ts";
import type { ReportedApi, TextReportOptions } from "./reported_api.ts";
import { nothingMatched } from "./text/nothing_matched.ts";
import { nextBlocks } from "./wording/shown_requests.ts";

const MAX_FINDINGS = 10;
/** A few to begin with: nearly every run has more of them than anybody reads in a terminal. */
const MAX_VALUES = 5;

/** Writes a report for a terminal, in which nothing from the description or the traffic is a control character. */
export function generateTextReport(report: Report, options: TextReportOptions): string {
  const width = usableWidth(options.width);
  const wraps = options.wrapPaths !== false;
  const colors = new Ansis(options.colored === false ? 0 : 1);
  const layout = { width, wraps, colors };
  const most = options.top === "all" ? Infinity : undefined;
  return joinSections(
    [
      nothingMatched(report).map((text): Block => ({ type: "line", text, tone: "warning" })),
      headingBlocks(report),
      verdictBlocks(report.verdict),
      [
        dimensionBlock(report.summary, report.exclusions !== undefined),
        ...answerFacts(report),
        ...credentialFact(report),
        ...(options.tcl === true ? tclFact(report) : []),
      ],
      changeBlocks(report.comparison, MAX_GAPS, options.keywordValue),
      ...operationBlocks(report, options),
      noticedBlocks(report, most),
      accessBlocks(report, most),
      findingBlocks(report, most ?? MAX_FINDINGS),
      undeclaredBlocks(report, most),
      valueBlocks(report, most ?? MAX_VALUES),
      exclusionBlocks(report),
      [...unmatchedBlocks(report), ...basePathHint(report)],
      noteBlocks(report),
      diagnosticBlocks(report),
      nextBlocks(report, options.next),
    ].map((blocks) => textLines(blocks, layout)),
  );
}

function basePathHint(
  { suggested_base_path: basePath, traffic, unmatched_total }: Report,
): Block[] {
  // Where nothing matched at all, the report begins with it.
  if (basePath === null || traffic.matched === 0 || unmatched_total === 0) return [];
  const text = `Most of the traffic would match with --base-path ${basePath}`;
  return [{ type: "line", text, tone: "warning" }];
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
      keywordValue: report.comparison && view?.().valueOf,
    });
  }
}
