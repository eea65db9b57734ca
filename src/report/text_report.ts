import { Ansis } from "ansis";
import type { Dimension } from "../map/results.ts";
import type { Report } from "./report.ts";
import { undeclaredLines } from "./text/undeclared_lines.ts";
import { exclusionLines } from "./text/exclusion_lines.ts";
import type { OperationGrouping, OperationSorting } from "./text/arrange_operations.ts";
import { changeLines, MOST_LISTED } from "./text/change_lines.ts";
import { findingLines } from "./text/finding_lines.ts";
import {
  credentialLines,
  enforcementLines,
  headingLines,
  responseKeywordLines,
  summaryLines,
  tclLines,
} from "./text/summary_lines.ts";
import type { NextRequests } from "../suggest/suggestion.ts";
import { nextLines } from "./text/next_lines.ts";
import { nothingMatched } from "./text/nothing_matched.ts";
import { wrapText } from "./text/text_width.ts";
import { operationLines } from "./text/operation_lines.ts";
import { diagnosticLines, trafficLines } from "./text/traffic_lines.ts";

/** The options of a text report. */
export interface TextReportOptions {
  /** Columns of the terminal; fewer than 40 count as 40. */
  readonly width: number;
  /**
   * Wrap paths that are longer than the terminal is wide (default: true). If false, as suits files and pipes, each path
   * stays on one line, which may be longer than `width`.
   */
  readonly wrapPaths?: boolean | undefined;
  /** Colours with ANSI escape sequences (default: true). */
  readonly colored?: boolean | undefined;
  /** Leaves out operations that lack nothing measured. Totals stay. */
  readonly skipCovered?: boolean | undefined;
  /** Leaves out operations without traffic. Totals stay. */
  readonly skipEmpty?: boolean | undefined;
  /** Adds a column that names what is missing of these dimensions; lists of more than 500 entries are folded. */
  readonly showMissing?: readonly Dimension[] | undefined;
  /** Adds test coverage levels (TCL 0 to 7): a line of the summary and a column of the table. */
  readonly tcl?: boolean | undefined;
  /** Groups operations by their first tag or by the first segment of their path, each group with its totals. */
  readonly groupBy?: OperationGrouping | undefined;
  /** Sorts operations and groups: most gaps, most hits or lowest coverage first, or by path (default: as described). */
  readonly sort?: OperationSorting | undefined;
  /** Lists only the first operations (of each group), or everything that is missing and found with `all`. Totals stay. */
  readonly top?: number | "all" | undefined;
  /** Requests that close gaps, of which the first are shown. */
  readonly next?: NextRequests | undefined;
  /** The value of a keyword in the description, by its schema path: new gaps then say which value to send. */
  readonly keywordValue?: ((schema_path: string) => unknown) | undefined;
}

const NARROWEST = 40;

/**
 * Writes a report for a terminal: where nothing matched that first, then the five dimensions, what changed since a baseline, a table of the operations, the findings, the traffic that
 * matched nothing, what covtool noticed in the description, and the requests to send next. No line is wider than `width` unless paths aren't wrapped,
 * and nothing from the description or the traffic reaches the terminal as a control character.
 *
 * @returns lines, each with its line break.
 *
 * @example
 * ```ts
 * import { generateTextReport } from "./text_report.ts";
 * import assert from "node:assert/strict";
 *
 * const nothing = { seen: 0, total: 0, percent: null };
 * const text = generateTextReport({
 *   format_version: 1, tool: { name: "covtool", version: "0.1.0" }, title: "Shop API",
 *   generated_at: "2026-01-31T12:00:00Z",
 *   schema: { location: "openapi.yaml", title: "Shop API", version: "1.2.0", specification: "OpenAPI 3.1.0", base_path: null },
 *   traffic: { recorded: 1, matched: 1, unmatched: 0, first_at: null, last_at: null },
 *   summary: {
 *     operations: { seen: 0, total: 0, percent: 100 }, parameters: nothing,
 *     keywords: { partial: 0, full: 0, total: 0, percent: null }, examples: nothing,
 *     responses: { ...nothing, measured: false },
 *   },
 *   operations: [], timeline: null, gaps: [], unmatched: [], unmatched_total: 0,
 *   suggested_base_path: null, diagnostics: [],
 * }, { width: 80, colored: false });
 * assert.ok(text.startsWith("Shop API\n"));
 * ```
 */
export function generateTextReport(report: Report, options: TextReportOptions): string {
  const width = Number.isFinite(options.width)
    ? Math.max(NARROWEST, Math.floor(options.width))
    : NARROWEST;
  const wraps = options.wrapPaths !== false;
  const colors = new Ansis(options.colored === false ? 0 : 1);
  const sections = [
    nothingMatched(report).flatMap((line) =>
      wrapText(line, width).map((part) => colors.yellow(part))
    ),
    headingLines(report, width, colors),
    [
      ...summaryLines(report.summary, width, colors, report.exclusions !== undefined),
      ...enforcementLines(report, width),
      ...responseKeywordLines(report, width),
      ...credentialLines(report, width),
      ...(options.tcl === true ? tclLines(report, width) : []),
    ],
    changeLines(report.comparison, width, colors, MOST_LISTED, options.keywordValue),
    operationLines(report, {
      width,
      wraps,
      tcl: options.tcl === true,
      groupBy: options.groupBy,
      sort: options.sort,
      top: options.top,
      skipCovered: options.skipCovered === true,
      skipEmpty: options.skipEmpty === true,
      showMissing: options.showMissing ?? [],
    }, colors),
    findingLines(report, width, colors, options.top === "all"),
    undeclaredLines(report, width, colors, options.top === "all"),
    exclusionLines(report, width, colors),
    ...trafficLines(report, width, wraps, colors),
    diagnosticLines(report, width, colors),
    nextLines(report, options.next, { width, wraps }, colors),
  ];
  return sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n") + "\n")
    .join("\n");
}
