import type { Dimension, Finding } from "../map/results.ts";
import type { Thresholds } from "../map/thresholds.ts";
import { generateBadgeReport } from "./badge_report.ts";
import { generateCoberturaReport } from "./cobertura_report.ts";
import type { Compressor } from "./html/data_block.ts";
import type { DescriptionView } from "./html/description_view.ts";
import { generateHtmlReport } from "./html_report.ts";
import { generateJsonReport } from "./json_report.ts";
import { generateJunitReport } from "./junit_report.ts";
import { generateLcovReport } from "./lcov_report.ts";
import { generateMarkdownReport } from "./markdown_report.ts";
import type { Report } from "./report.ts";
import { generateSarifReport } from "./sarif_report.ts";
import type { SourceCoverage } from "./source/source_coverage.ts";
import { generateTextReport, type TextReportOptions } from "./text_report.ts";

/** Data that some reporters need besides the report. Each reads its own and ignores the rest. */
export interface ReporterInput {
  /** Positions in the description; called only by reporters that show lines, which cannot do without. */
  readonly source: () => SourceCoverage;
  /** The hits that the report is made from, as UTF-8; called only by the reporter that writes them. */
  readonly hits: () => Uint8Array;
  /** Excerpts of the description. Reporters that use it (html, sarif, markdown) show less without it. */
  readonly view?: (() => DescriptionView) | undefined;
  /** The platform's compressor, for the data of large pages (default: one in JavaScript). */
  readonly compress?: Compressor | undefined;
  /** Percentages to reach. */
  readonly thresholds?: Thresholds | undefined;
  /** The kinds of findings that fail the run, and so are failures where a format has such. */
  readonly failOnFindings?: readonly Finding["kind"][] | undefined;
  /** Dimensions of a badge. */
  readonly badge?: readonly Dimension[] | undefined;
  /** Shows the test coverage level, in reports that don't always do. */
  readonly tcl?: boolean | undefined;
  /** Layout of text (default: 80 columns without colors). */
  readonly text?: TextReportOptions | undefined;
}

/** One report format. To add a reporter, write its file and add its entry to {@linkcode REPORTERS}. */
export interface Reporter {
  /** Value of `--format`. */
  readonly name: string;
  /** Default file. */
  readonly file: string;
  /** True if it is written to that file unless a path is given; other formats go to standard output then. */
  readonly isFile?: true;
  /** File name extensions that suggest this format. */
  readonly extensions: readonly string[];
  /** Other words that people try for it; `--format` names the right one in its error. */
  readonly aliases: readonly string[];
  /** Options that only this reporter reads; commands warn where it isn't asked for. */
  readonly options: readonly ReporterOption[];
  /**
   * The way its output is made harmless to build servers on standard output: as lines, as JSON, or not at all because
   * the reporter escapes everything itself.
   */
  readonly log: "lines" | "json" | "escaped";
  /** Returns the report in chunks, since it may be longer than the longest string. */
  readonly write: (report: Report, input: ReporterInput) => Iterable<string>;
}

/** An option of commands and test runners that only one reporter reads. */
export type ReporterOption =
  | "badgeDimensions"
  | "showMissing"
  | "skipCovered"
  | "skipEmpty"
  | "groupBy"
  | "sort"
  | "tcl"
  | "top";

/** A format that a report can have. */
export type ReportFormat =
  | "html"
  | "json"
  | "text"
  | "markdown"
  | "lcov"
  | "cobertura"
  | "sarif"
  | "junit"
  | "badge"
  | "hits";

/** Every report format, in the order in which help and errors list them. Everything else about formats follows from it. */
export const REPORTERS = [
  {
    name: "html",
    file: "coverage.html",
    isFile: true,
    extensions: ["html", "htm"],
    aliases: ["coverage", "page"],
    options: [],
    log: "escaped",
    write: (report: Report, { view, compress }: ReporterInput): Iterable<string> => [
      generateHtmlReport(report, view?.(), compress),
    ],
  },
  {
    name: "json",
    file: "coverage.json",
    extensions: ["json"],
    aliases: [],
    options: [],
    log: "json",
    write: (report: Report): Iterable<string> => generateJsonReport(report),
  },
  {
    name: "text",
    file: "coverage.txt",
    extensions: ["txt"],
    aliases: ["console", "stdout", "terminal"],
    options: ["showMissing", "skipCovered", "skipEmpty", "groupBy", "sort", "top", "tcl"],
    log: "lines",
    write: (report: Report, { text }: ReporterInput): Iterable<string> => [
      generateTextReport(report, text ?? { width: 80, wrapPaths: false, colored: false }),
    ],
  },
  {
    name: "markdown",
    file: "coverage.md",
    extensions: ["md"],
    aliases: [],
    options: ["tcl"],
    log: "lines",
    write: (report: Report, { view, tcl }: ReporterInput): Iterable<string> => [
      generateMarkdownReport(report, {
        keywordValue: report.comparison && view?.().valueOf,
        tcl,
      }),
    ],
  },
  {
    name: "lcov",
    file: "coverage.info",
    extensions: ["info", "lcov"],
    aliases: [],
    options: [],
    log: "escaped",
    write: (_report: Report, { source }: ReporterInput): Iterable<string> =>
      generateLcovReport(source()),
  },
  {
    name: "cobertura",
    file: "coverage.cobertura.xml",
    extensions: ["xml"],
    aliases: [],
    options: [],
    log: "escaped",
    write: (report: Report, { source }: ReporterInput): Iterable<string> =>
      generateCoberturaReport(report, source()),
  },
  {
    name: "sarif",
    file: "coverage.sarif",
    extensions: ["sarif"],
    aliases: [],
    options: [],
    log: "json",
    write: (report: Report, { source, view, failOnFindings }: ReporterInput): Iterable<string> =>
      generateSarifReport(report, source(), { keywordValue: view?.().valueOf, failOnFindings }),
  },
  {
    name: "junit",
    file: "coverage.junit.xml",
    extensions: ["xml"],
    aliases: [],
    options: [],
    log: "escaped",
    write: (report: Report, { thresholds, failOnFindings }: ReporterInput): Iterable<string> => [
      generateJunitReport(report, { thresholds, failOnFindings }),
    ],
  },
  {
    name: "badge",
    file: "coverage.svg",
    extensions: ["svg"],
    aliases: [],
    options: ["badgeDimensions"],
    log: "escaped",
    write: (report: Report, { badge }: ReporterInput): Iterable<string> => [
      generateBadgeReport(report, { dimensions: badge }),
    ],
  },
  {
    name: "hits",
    file: "coverage.hits",
    isFile: true,
    extensions: ["hits"],
    aliases: ["merge", "data", "shard"],
    options: [],
    log: "escaped",
    write: (_report: Report, { hits }: ReporterInput): Iterable<string> => [
      new TextDecoder().decode(hits()),
    ],
  },
] as const satisfies readonly (Reporter & { readonly name: ReportFormat })[];

/** The formats that a report can have. */
export const REPORT_FORMATS: readonly ReportFormat[] = REPORTERS.map(({ name }) => name);

/** The format where none is named. */
export const DEFAULT_FORMAT: ReportFormat = REPORTERS[0].name;

/**
 * The reporter of a format.
 *
 * @throws {TypeError} if the format is unknown.
 */
export function reporterOf(format: ReportFormat): Reporter {
  const reporter = (REPORTERS as readonly Reporter[]).find(({ name }) => name === format);
  if (reporter !== undefined) return reporter;
  throw new TypeError(
    `Unknown format ${JSON.stringify(format)}. Choose ${formatList(REPORT_FORMATS)}.`,
  );
}

/** `a`, `a or b`, `a, b or c`. */
export function formatList(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** The formats that a file name extension suggests; none if it suggests none. */
export function formatsOfExtension(extension: string): readonly ReportFormat[] {
  return REPORTERS.filter(({ extensions }) =>
    (extensions as readonly string[]).includes(extension.toLowerCase())
  ).map(({ name }) => name);
}

/** The default file of a format. */
export function defaultFileName(format: ReportFormat): string {
  return reporterOf(format).file;
}

/**
 * Writes a report in chunks, since it may be longer than the longest string.
 *
 * @throws {TypeError} if the format is unknown, or it shows lines and the description has none.
 * @throws {RangeError} if a threshold is not from 0 to 100.
 */
export function reportChunks(
  report: Report,
  format: ReportFormat,
  input: ReporterInput,
): Iterable<string> {
  return reporterOf(format).write(report, input);
}
