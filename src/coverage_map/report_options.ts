import type { Dimension, Finding } from "../map/results.ts";
import type { Thresholds } from "../map/thresholds.ts";
import type { BaseReport } from "../report/base_report.ts";
import type { ReportFormat } from "../report/reporters.ts";

/** Options of a report. Other formats ignore options for a single format. */
export interface ReportOptions {
  /** `html` by default. */
  readonly format?: ReportFormat | undefined;
  /** Heads the report; the description's title by default. */
  readonly title?: string | undefined;
  /** An earlier JSON report, parsed: the report shows what changed since. */
  readonly base?: BaseReport | undefined;
  /** JUnit: the percentages that have to be reached; without any every test passes. */
  readonly thresholds?: Thresholds | undefined;
  /** JUnit and SARIF: the kinds of findings that are failures or errors; without any none is. */
  readonly failOnFindings?: readonly Finding["kind"][] | undefined;
  /** Badge: what it shows; operations and keywords by default. */
  readonly badge?: readonly Dimension[] | undefined;
  /** Markdown: whether to show the test coverage level; false by default. */
  readonly tcl?: boolean | undefined;
}

/** Options of `CoverageMap.saveReport()`. */
export interface SaveReportOptions extends ReportOptions {
  /** `coverage.html`, `coverage.json`, `coverage.md`, `coverage.info`, … by default. */
  readonly outputFile?: string | undefined;
}

/** Options of `CoverageMap.generateTextReport()`. */
export interface MapTextReportOptions {
  /** Columns of the terminal; 80 by default. */
  readonly width?: number | undefined;
  /** Wrap paths that are longer than the terminal is wide; if false, each stays on one line. True by default. */
  readonly wrapPaths?: boolean | undefined;
  /** Uses colours (default: true). */
  readonly colored?: boolean | undefined;
  /** Hide fully covered operations; totals don't change. False by default. */
  readonly skipCovered?: boolean | undefined;
  /** Hide operations without traffic; totals don't change. False by default. */
  readonly skipEmpty?: boolean | undefined;
  /** Adds a column that names what is missing of these; lists of more than 500 entries are folded. */
  readonly showMissing?: readonly Dimension[] | undefined;
  /** Adds test coverage levels (TCL 0 to 7): a line of the summary and a column of the table. */
  readonly tcl?: boolean | undefined;
  /** Groups operations by their first tag or the first segment of their path; not grouped by default. */
  readonly groupBy?: "tag" | "path" | undefined;
  /** Sorts operations by most gaps, most hits, lowest coverage or path; in the description's order by default. */
  readonly sort?: "gaps" | "hits" | "coverage" | "path" | undefined;
  /** Lists only the first operations (of each group), or everything that is missing with `all`. Totals don't change. */
  readonly top?: number | "all" | undefined;
}
