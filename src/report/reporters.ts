import type { Dimension, Finding } from "../map/results.ts";
import type { Thresholds } from "../map/thresholds.ts";
import { generateApisMarkdownReport } from "./apis/apis_markdown_report.ts";
import { apisOverview, type NamedReport } from "./apis/apis_overview.ts";
import { joinSources } from "./apis/join_sources.ts";
import { generateApisTextReport } from "./apis/apis_text_report.ts";
import { generateBadgeReport } from "./badge_report.ts";
import { generateCoberturaReport } from "./cobertura_report.ts";
import type { Compressor } from "./html/data_block.ts";
import type { DescriptionView } from "./html/description_view.ts";
import { generateApisHtmlReport, generateHtmlReport } from "./html_report.ts";
import { generateApisJsonReport, generateJsonReport } from "./json_report.ts";
import { generateApisJunitReport, generateJunitReport } from "./junit_report.ts";
import { generateLcovReport } from "./lcov_report.ts";
import { generateMarkdownReport } from "./markdown_report.ts";
import type { Report } from "./report.ts";
import { generateApisSarifReport, generateSarifReport } from "./sarif_report.ts";
import type { SourceCoverage } from "./source/source_coverage.ts";
import type { NextRequests } from "../suggest/suggestion.ts";
import { sentenceList } from "./wording/amounts.ts";
import { generateTextReport, type TextReportOptions } from "./text_report.ts";

/** Data that some reporters need besides the report. Each reads its own and ignores the rest. */
export interface ReporterInput {
  /** Positions in the description; called only by reporters that show lines, which cannot do without. */
  readonly source: () => SourceCoverage;
  /** The hits that the report is made from, as UTF-8; called only by the reporter that writes them. */
  readonly hits: () => Uint8Array;
  /** Excerpts of the description. Reporters that use it (html, sarif, markdown) show less without it. */
  readonly view?: (() => DescriptionView) | undefined;
  /** Requests that close gaps. Reporters that show them (html, text, markdown) do without them where it is absent. */
  readonly next?: (() => NextRequests) | undefined;
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

/** The report of one of several APIs, with what some reporters need beside it. */
export interface ReportedApi extends NamedReport {
  readonly input: ReporterInput;
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
  /**
   * Returns the report of several APIs, at least one, in chunks.
   *
   * @param title The title of all together; undefined if none is given.
   */
  readonly writeAll: (apis: readonly ReportedApi[], title: string | undefined) => Iterable<string>;
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

const PLAIN_TEXT: TextReportOptions = { width: 80, wrapPaths: false, colored: false };

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
    write: (report: Report, { view, next, compress }: ReporterInput): Iterable<string> => [
      generateHtmlReport(report, view?.(), compress, next?.()),
    ],
    writeAll: (apis: readonly ReportedApi[], title: string | undefined): Iterable<string> => [
      generateApisHtmlReport(
        apis.map(({ name, report, input }) => ({
          name,
          report,
          view: input.view?.(),
          next: input.next?.(),
        })),
        title,
        apis[0]?.input.compress,
      ),
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
    writeAll: (apis: readonly ReportedApi[]): Iterable<string> =>
      generateApisJsonReport(apis.map(({ report }) => report)),
  },
  {
    name: "text",
    file: "coverage.txt",
    extensions: ["txt"],
    aliases: ["console", "stdout", "terminal"],
    options: ["showMissing", "skipCovered", "skipEmpty", "groupBy", "sort", "top", "tcl"],
    log: "lines",
    write: (report: Report, { text, view, next }: ReporterInput): Iterable<string> => [
      generateTextReport(report, {
        ...text ?? PLAIN_TEXT,
        next: next?.(),
        keywordValue: report.comparison && view?.().valueOf,
      }),
    ],
    writeAll: (apis: readonly ReportedApi[], title: string | undefined): Iterable<string> => [
      generateApisTextReport(apis, title, apis[0]?.input.text ?? PLAIN_TEXT),
    ],
  },
  {
    name: "markdown",
    file: "coverage.md",
    extensions: ["md"],
    aliases: [],
    options: ["tcl"],
    log: "lines",
    write: (report: Report, { view, next, tcl }: ReporterInput): Iterable<string> => [
      generateMarkdownReport(report, {
        next: next?.(),
        keywordValue: report.comparison && view?.().valueOf,
        tcl,
      }),
    ],
    writeAll: (apis: readonly ReportedApi[], title: string | undefined): Iterable<string> => [
      generateApisMarkdownReport(
        apis.map(({ name, report, input: { view, tcl } }) => ({
          name,
          report,
          options: { keywordValue: report.comparison && view?.().valueOf, tcl },
        })),
        title,
      ),
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
    writeAll: (apis: readonly ReportedApi[]): Iterable<string> =>
      generateLcovReport(sourcesOf(apis)),
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
    writeAll: (apis: readonly ReportedApi[]): Iterable<string> =>
      generateCoberturaReport(firstOf(apis), sourcesOf(apis)),
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
    writeAll: (apis: readonly ReportedApi[]): Iterable<string> =>
      generateApisSarifReport(
        apis.map(({ name, report, input: { source, view, failOnFindings } }) => ({
          name,
          report,
          source: source(),
          options: { keywordValue: view?.().valueOf, failOnFindings },
        })),
      ),
  },
  {
    name: "junit",
    file: "coverage.junit.xml",
    extensions: ["xml"],
    aliases: [],
    options: [],
    log: "escaped",
    write: (
      report: Report,
      { view, thresholds, failOnFindings }: ReporterInput,
    ): Iterable<string> => [
      generateJunitReport(report, {
        thresholds,
        failOnFindings,
        keywordValue: report.comparison && view?.().valueOf,
      }),
    ],
    writeAll: (apis: readonly ReportedApi[]): Iterable<string> => [
      generateApisJunitReport(
        apis.map(({ name, report, input: { thresholds, failOnFindings } }) => ({
          report: { ...report, title: name },
          thresholds,
          failOnFindings,
        })),
      ),
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
    writeAll: (apis: readonly ReportedApi[], title: string | undefined): Iterable<string> => [
      generateBadgeReport(apisOverview(apis, title), { dimensions: apis[0]?.input.badge }),
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
    writeAll: function* (apis: readonly ReportedApi[]): Iterable<string> {
      for (const { input } of apis) yield new TextDecoder().decode(input.hits());
    },
  },
] as const satisfies readonly (Reporter & { readonly name: ReportFormat })[];

/** The report of the first API, for what is the same in all. */
function firstOf([first]: readonly ReportedApi[]): Report {
  if (first === undefined) throw new TypeError("There are no APIs to report.");
  return first.report;
}

function sourcesOf(apis: readonly ReportedApi[]): SourceCoverage {
  return joinSources(apis.map(({ input }) => input.source()));
}

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
  return sentenceList(names, "or");
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
