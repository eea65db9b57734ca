import type { Dimension, Finding, GapKindName } from "../map/results.ts";
import type { Thresholds } from "../map/thresholds.ts";
import type { NextRequests } from "../suggest/suggestion.ts";
import type { Compressor } from "./html/data_block.ts";
import type { DescriptionView } from "./html/page_data.ts";
import type { Report } from "./report.ts";
import type { SourceCoverage } from "./source/source_coverage.ts";

/** Data that some reporters need besides the report. Each reporter reads only its own. */
export interface ReporterInput {
  /** Positions in the description, for reporters that show lines. They can't work without it. */
  readonly source: () => SourceCoverage;
  /** The hits that the report is made from, in UTF-8. Only the reporter `hits` calls it. */
  readonly hits: () => Uint8Array;
  /** An overlay with what traffic showed and the description lacks. Only the reporter `overlay` calls it. */
  readonly proposals?: (() => Iterable<string>) | undefined;
  /** Excerpts of the description. The reporters html, sarif and markdown show less without it. */
  readonly view?: (() => DescriptionView) | undefined;
  /** Requests that close gaps. The reporters html, text and markdown work without it. */
  readonly next?: (() => NextRequests) | undefined;
  /** The platform's compression, for the data of large pages (default: an implementation in JavaScript). */
  readonly compress?: Compressor | undefined;
  readonly thresholds?: Thresholds | undefined;
  /** The kinds of findings that fail the run. Formats that know failures show them as such. */
  readonly failOnFindings?: readonly Finding["kind"][] | undefined;
  readonly badge?: readonly Dimension[] | undefined;
  /** True to show the test coverage level in reports where it is optional. */
  readonly tcl?: boolean | undefined;
  /** Layout of text (default: 80 columns without colours). */
  readonly text?: TextReportOptions | undefined;
}

export interface ReportedApi<Needed extends keyof ReporterInput = keyof ReporterInput> {
  /** The unique name of the API. Undefined for an API that is measured alone. */
  readonly name: string | undefined;
  readonly report: Report;
  readonly input: Pick<ReporterInput, Needed>;
}

/** Options of `CoverageMap.generateTextReport()`. */
export interface MapTextReportOptions {
  /** Columns of the terminal (default: 80). */
  readonly width?: number | undefined;
  /** Wrap paths that don't fit the terminal; if false, each stays on one line (default: true). */
  readonly wrapPaths?: boolean | undefined;
  /** Uses colours (default: true). */
  readonly colored?: boolean | undefined;
  /** Hide fully covered operations; totals don't change (default: false). */
  readonly skipCovered?: boolean | undefined;
  /** Hide operations without traffic; totals don't change (default: false). */
  readonly skipEmpty?: boolean | undefined;
  /** Adds a column with gaps of these kinds. More than 500 entries are folded. */
  readonly showMissing?: readonly GapKindName[] | undefined;
  /** Adds test coverage levels (TCL 0 to 7): a line of the summary and a column of the table. */
  readonly tcl?: boolean | undefined;
  /** Groups operations by their first tag or the first segment of their path (default: not grouped). */
  readonly groupBy?: "tag" | "path" | undefined;
  /** Sorts operations by most gaps, most hits, lowest coverage or path (default: the description's order). */
  readonly sort?: "gaps" | "hits" | "coverage" | "path" | undefined;
  /** Lists only the first operations (of each group), or with `all` every operation and gap. Totals don't change. */
  readonly top?: number | "all" | undefined;
}

export interface TextReportOptions extends MapTextReportOptions {
  /** Columns of the terminal, at least 40. */
  readonly width: number;
  /** The ids of the gaps to list as missing (default: all). */
  readonly gaps?: ReadonlySet<string> | undefined;
  /** Requests that close gaps. The first ones are shown. */
  readonly next?: NextRequests | undefined;
  /** The value of a keyword in the description, by its schema path. With it, new gaps say which value to send. */
  readonly keywordValue?: ((schema_path: string) => unknown) | undefined;
}
