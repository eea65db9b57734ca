import { apisOverview, areNamed } from "./apis/apis_overview.ts";
import { generateBadgeReport } from "./badge_report.ts";
import { generateCoberturaReport } from "./cobertura_report.ts";
import { generateHtmlReport } from "./html_report.ts";
import { generateJsonReport } from "./json_report.ts";
import { generateJunitReport } from "./junit_report.ts";
import { generateLcovReport } from "./lcov_report.ts";
import { generateMarkdownReport } from "./markdown_report.ts";
import type { Report } from "./report.ts";
import type { ReportedApi, ReporterInput } from "./reported_api.ts";
import { generateSarifReport } from "./sarif_report.ts";
import { joinSources } from "./source/line_counts.ts";
import type { SourceCoverage } from "./source/source_coverage.ts";
import { generateTextReports } from "./text_report.ts";
import { sentenceList } from "./wording/amounts.ts";
import { joinVerdicts } from "./wording/verdict_text.ts";

export interface Reporter {
  readonly name: ReportFormat;
  readonly file: string;
  /** True if the report goes to `file` unless a path is given. Other formats then go to standard output. */
  readonly isFile?: true;
  readonly extensions: readonly string[];
  readonly suggests?: true;
  /** True for a format that describes a single API. Runs over several APIs reject it. */
  readonly isOfOneApi?: true;
  /** Other names that users try; the error message then suggests the right one. */
  readonly aliases?: readonly string[];
  /** Options that only this reporter reads. Commands warn about them if the format isn't requested. */
  readonly options?: readonly ReporterOption[];
  /** How commands to build servers in standard output are escaped: per line, in JSON, or already by the reporter. */
  readonly log: "lines" | "json" | "escaped";
  /** Returns the report of all APIs in chunks, because it may exceed the maximum length of strings. */
  readonly write: (apis: readonly ReportedApi[], title?: string) => Iterable<string>;
}

/** An option of commands and test runners that only one reporter reads. */
export type ReporterOption =
  | "badgeDimensions"
  | "gap"
  | "showMissing"
  | "skipCovered"
  | "skipEmpty"
  | "groupBy"
  | "sort"
  | "tcl"
  | "top";

/** The names of report formats, as `--format` takes them. */
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
  | "overlay"
  | "hits";

/** All report formats, in the order of help and errors. Everything else about formats is derived from this list. */
export const REPORTERS: readonly Reporter[] = [
  {
    name: "html",
    suggests: true,
    file: "coverage.html",
    isFile: true,
    extensions: ["html", "htm"],
    aliases: ["coverage", "page"],
    log: "escaped",
    write: (apis, title) => [generateHtmlReport(apis, title)],
  },
  {
    name: "json",
    file: "coverage.json",
    extensions: ["json"],
    log: "json",
    write: function* (apis) {
      if (areNamed(apis)) {
        yield* generateJsonReport({
          verdict: joinVerdicts(apis),
          apis: apis.map(({ report }) => report),
        });
      } else for (const { report } of apis) yield* generateJsonReport(report);
    },
  },
  {
    name: "text",
    suggests: true,
    file: "coverage.txt",
    extensions: ["txt"],
    aliases: ["console", "stdout", "terminal"],
    options: ["showMissing", "gap", "skipCovered", "skipEmpty", "groupBy", "sort", "top", "tcl"],
    log: "lines",
    write: generateTextReports,
  },
  {
    name: "markdown",
    suggests: true,
    file: "coverage.md",
    extensions: ["md"],
    options: ["tcl"],
    log: "lines",
    write: (apis, title) => [generateMarkdownReport(apis, title)],
  },
  {
    name: "lcov",
    file: "coverage.info",
    extensions: ["info", "lcov"],
    log: "escaped",
    write: (apis) => generateLcovReport(sourceCoverage(apis)),
  },
  {
    name: "cobertura",
    file: "coverage.cobertura.xml",
    extensions: ["xml"],
    log: "escaped",
    write: (apis) => generateCoberturaReport(firstReport(apis), sourceCoverage(apis)),
  },
  {
    name: "sarif",
    file: "coverage.sarif",
    extensions: ["sarif"],
    log: "json",
    write: generateSarifReport,
  },
  {
    name: "junit",
    file: "coverage.junit.xml",
    extensions: ["xml"],
    log: "escaped",
    write: (apis) => [generateJunitReport(apis)],
  },
  {
    name: "badge",
    file: "coverage.svg",
    extensions: ["svg"],
    options: ["badgeDimensions"],
    log: "escaped",
    write: (apis, title) => [
      generateBadgeReport(
        areNamed(apis) ? apisOverview(apis, title) : firstReport(apis),
        apis[0]?.input.badge,
      ),
    ],
  },
  {
    name: "overlay",
    file: "coverage.overlay.yaml",
    extensions: ["yaml", "yml"],
    aliases: ["proposals", "proposal"],
    isOfOneApi: true,
    log: "lines",
    write: ([api]) => api?.input.proposals?.() ?? [],
  },
  {
    name: "hits",
    file: "coverage.hits",
    isFile: true,
    extensions: ["hits"],
    aliases: ["merge", "data", "shard"],
    log: "escaped",
    write: function* (apis) {
      for (const { input } of apis) yield new TextDecoder().decode(input.hits());
    },
  },
];

function firstReport([first]: readonly ReportedApi[]): Report {
  if (first === undefined) throw new TypeError("There are no APIs to report.");
  return first.report;
}

function sourceCoverage(apis: readonly ReportedApi[]): SourceCoverage {
  return joinSources(apis.map(({ input }) => input.source()));
}

/** The names of all report formats, in the order of the help. */
export const REPORT_FORMATS: readonly ReportFormat[] = REPORTERS.map(({ name }) => name);

export const DEFAULT_FORMAT: ReportFormat = "html";

export function findReporter(format: ReportFormat): Reporter {
  const reporter = REPORTERS.find(({ name }) => name === format);
  if (reporter !== undefined) return reporter;
  throw new TypeError(
    `Unknown format ${JSON.stringify(format)}. Choose ${formatList(REPORT_FORMATS)}.`,
  );
}

/** Joins names: `a`, `a or b`, `a, b or c`. */
export function formatList(names: readonly string[]): string {
  return sentenceList(names, "or");
}

export function formatsByExtension(extension: string): readonly ReportFormat[] {
  return REPORTERS.filter(({ extensions }) => extensions.includes(extension.toLowerCase()))
    .map(({ name }) => name);
}

export function defaultFileName(format: ReportFormat): string {
  return findReporter(format).file;
}

/** Returns the report in chunks. Throws a `TypeError` if it shows lines and the description has none. */
export function reportChunks(
  report: Report,
  format: ReportFormat,
  input: ReporterInput,
): Iterable<string> {
  return findReporter(format).write([{ name: undefined, report, input }]);
}
