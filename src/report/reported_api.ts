import type { Dimension, Finding, GapKindName } from "../map/results.ts";
import type { Thresholds } from "../map/thresholds.ts";
import type { NextRequests } from "../suggest/suggestion.ts";
import type { Compressor } from "./html/data_block.ts";
import type { DescriptionView } from "./html/page_data.ts";
import type { Report } from "./report.ts";
import type { SourceCoverage } from "./source/source_coverage.ts";

/** Data that some reporters need besides the report. Each reads its own and ignores the rest. */
export interface ReporterInput {
  /** Positions in the description; called only by reporters that show lines, which cannot do without. */
  readonly source: () => SourceCoverage;
  /** The hits that the report is made from, as UTF-8; called only by the reporter that writes them. */
  readonly hits: () => Uint8Array;
  /** What traffic showed and the description lacks; as an overlay; called only by the reporter that writes it. */
  readonly proposals?: (() => Iterable<string>) | undefined;
  /** Excerpts of the description. Reporters that use it (html, sarif, markdown) show less without it. */
  readonly view?: (() => DescriptionView) | undefined;
  /** Requests that close gaps. Reporters that show them (html, text, markdown) do without them where it is absent. */
  readonly next?: (() => NextRequests) | undefined;
  /** The platform's compressor, for the data of large pages (default: one in JavaScript). */
  readonly compress?: Compressor | undefined;
  readonly thresholds?: Thresholds | undefined;
  /** The kinds of findings that fail the run, and so are failures where a format has such. */
  readonly failOnFindings?: readonly Finding["kind"][] | undefined;
  readonly badge?: readonly Dimension[] | undefined;
  /** Shows the test coverage level, in reports that don't always do. */
  readonly tcl?: boolean | undefined;
  /** Layout of text (default: 80 columns without colors). */
  readonly text?: TextReportOptions | undefined;
}

/** The report of an API, with what a reporter takes of the rest. */
export interface ReportedApi<Needed extends keyof ReporterInput = keyof ReporterInput> {
  /** Its name, which no other has; undefined for an API that is measured alone. */
  readonly name: string | undefined;
  readonly report: Report;
  readonly input: Pick<ReporterInput, Needed>;
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
  readonly showMissing?: readonly GapKindName[] | undefined;
  /** Adds test coverage levels (TCL 0 to 7): a line of the summary and a column of the table. */
  readonly tcl?: boolean | undefined;
  /** Groups operations by their first tag or the first segment of their path; not grouped by default. */
  readonly groupBy?: "tag" | "path" | undefined;
  /** Sorts operations by most gaps, most hits, lowest coverage or path; in the description's order by default. */
  readonly sort?: "gaps" | "hits" | "coverage" | "path" | undefined;
  /** Lists only the first operations (of each group), or everything that is missing with `all`. Totals don't change. */
  readonly top?: number | "all" | undefined;
}

export interface TextReportOptions extends MapTextReportOptions {
  /** Columns of the terminal; fewer than 40 count as 40. */
  readonly width: number;
  /** The ids of the gaps to name where what is missing is shown; all by default. */
  readonly gaps?: ReadonlySet<string> | undefined;
  /** Requests that close gaps, of which the first are shown. */
  readonly next?: NextRequests | undefined;
  /** The value of a keyword in the description, by its schema path: new gaps then say which value to send. */
  readonly keywordValue?: ((schema_path: string) => unknown) | undefined;
}
