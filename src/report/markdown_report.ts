import { dimensionRows } from "./dimension_rows.ts";
import { gapCounts } from "./gap_counts.ts";
import { markdownDetails, markdownTable } from "./markdown/markdown_blocks.ts";
import { changeSection } from "./markdown/markdown_change.ts";
import { exclusionSection } from "./markdown/markdown_exclusions.ts";
import { findingSection, undeclaredSection } from "./markdown/markdown_findings.ts";
import { markdownCode, markdownText } from "./markdown/markdown_text.ts";
import { nextSection } from "./markdown/markdown_next.ts";
import type { NextRequests } from "../suggest/suggestion.ts";
import { formatPercent } from "./percent.ts";
import type { Report, ReportOperation } from "./report.ts";
import { explainNothingMatched } from "./text/nothing_matched.ts";
import { capitalized, formatAmount, formatNumber } from "./wording/amounts.ts";
import { changeText } from "./wording/change_text.ts";
import { credentialsText } from "./wording/credentials_text.ts";
import { enforcementText } from "./wording/enforcement_text.ts";
import { notMeasuredText } from "./wording/not_measured_text.ts";
import { lackResponseBodies, responseKeywordsText } from "./wording/response_keywords_text.ts";
import { tclText } from "./wording/tcl_wording.ts";
import { UNMATCHED_REASONS } from "./wording/unmatched_reasons.ts";

/** Options of a Markdown report. */
export interface MarkdownReportOptions {
  /** The value of a keyword in the description, by its schema path; without it there is less advice. */
  readonly keywordValue?: ((schema_path: string) => unknown) | undefined;
  /** Requests that close gaps, of which the first are shown. */
  readonly next?: NextRequests | undefined;
  /** Shows the test coverage level (default: false). */
  readonly tcl?: boolean | undefined;
}

/** The number of rows in a list; the rest is counted. */
const MOST_ROWS = 10;
const PARTS = ["parameters", "keywords", "examples", "responses"] as const;

/**
 * Writes a comment for a pull request, in the Markdown of GitHub and GitLab: the five dimensions, their change since a
 * baseline, and closed until somebody opens them the findings, the gaps that are new, the operations that lack most, the requests to send next, and the traffic
 * that matched nothing. It stays short however large the description is, and nothing from the description or the traffic
 * becomes markup, a link or a mention. Its first line is the same in every comment, for a bot to find its last one by.
 *
 * @example
 * ```ts ignore
 * const text = generateMarkdownReport({ ...report, comparison: compareReports(report, earlier) });
 * assert.ok(text.startsWith("<!-- covtool report -->\n"));
 * ```
 */
export function generateMarkdownReport(
  report: Report,
  options: MarkdownReportOptions = {},
): string {
  const { comparison } = report;
  const blocks = [
    `### ${markdownText(report.title)}: API coverage\n`,
    nothingMatched(report),
    summaryTable(report),
    options.tcl === true ? tclSentence(report) : "",
    enforcementSentence(report),
    responseKeywordSentence(report),
    credentialsSentence(report),
    trafficSentence(report),
    notMeasuredSentence(report),
    findingSection(report),
    undeclaredSection(report),
    comparison === undefined ? "" : changeSection(comparison, options.keywordValue),
    worstOperations(report),
    nextSection(report, options.next),
    unmatchedRequests(report),
    exclusionSection(report),
    footer(report),
  ];
  return "<!-- covtool report -->\n" + blocks.filter((block) => block !== "").join("\n");
}

/** Above the numbers, which are of no use then. */
function nothingMatched(report: Report): string {
  const explained = explainNothingMatched(report, markdownCode);
  if (explained === undefined) return "";
  const { problem, basePath, causes } = explained;
  const advice = basePath === null
    ? ""
    : ` Most of the traffic would match with the base path ${markdownCode(basePath)}.`;
  const list = causes.length === 0
    ? ""
    : `\nLikely causes:\n\n${causes.map((cause) => `- ${cause}\n`).join("")}`;
  return `**${problem}**${advice}\n${list}`;
}

function summaryTable(report: Report): string {
  const { comparison } = report;
  const rows = dimensionRows(report.summary, report.exclusions !== undefined).map((
    { dimension, label, percent, counts },
  ) => [
    label,
    formatPercent(percent),
    ...(comparison === undefined
      ? []
      : [changeText(percent, comparison.summary[dimension].percent)]),
    counts,
  ]);
  return comparison === undefined
    ? markdownTable(["", "Covered", "Count"], [1], rows)
    : markdownTable(["", "Covered", "Change (points)", "Count"], [1, 2], rows);
}

function tclSentence({ summary: { tcl }, tcl_criteria }: Report): string {
  return tcl === undefined ? "" : `Test coverage level: ${tclText(tcl, tcl_criteria)}.\n`;
}

function enforcementSentence({ summary }: Report): string {
  const text = enforcementText(summary.enforcement);
  return text === undefined ? "" : `Enforcement: ${text}.\n`;
}

function responseKeywordSentence({ summary }: Report): string {
  const text = responseKeywordsText(summary);
  if (text === undefined) return "";
  return lackResponseBodies(summary) ? `${capitalized(text)}.\n` : `Responses: ${text}.\n`;
}

function credentialsSentence({ operations }: Report): string {
  const text = credentialsText(operations);
  return text === undefined ? "" : `Credentials: ${text}.\n`;
}

function trafficSentence({ traffic, suggested_base_path }: Report): string {
  const sentence = `${formatAmount(traffic.recorded, "request")}: ${
    formatNumber(traffic.matched)
  } matched, ${formatNumber(traffic.unmatched)} unmatched.`;
  if (suggested_base_path === null || traffic.matched === 0) return `${sentence}\n`;
  return `${sentence} Most of them would match with the base path ${
    markdownCode(suggested_base_path)
  }.\n`;
}

function notMeasuredSentence(report: Report): string {
  const text = notMeasuredText(report);
  return text === undefined ? "" : `${text}.\n`;
}

function worstOperations(report: Report): string {
  const lacking = report.operations.map((operation) => ({
    operation,
    missing: gapCounts(operation.summary, report.traffic).total,
  }))
    .filter(({ missing }) => missing > 0)
    .sort((left, right) => right.missing - left.missing);
  if (lacking.length === 0) return "";
  const shown = lacking.slice(0, MOST_ROWS);
  const rows = shown.map(({ operation }) => [
    markdownCode(`${operation.method} ${operation.path}`),
    formatNumber(operation.hits),
    ...PARTS.map((part) => cell(operation, part)),
  ]);
  return markdownDetails(
    `Operations with the most gaps: ${formatNumber(shown.length)} of ${
      formatNumber(lacking.length)
    }`,
    markdownTable(
      ["Operation", "Hits", "Parameters", "Keywords", "Examples", "Responses"],
      [1, 2, 3, 4, 5],
      rows,
    ),
  );
}

function cell({ summary }: ReportOperation, part: typeof PARTS[number]): string {
  const count = summary[part];
  if (count.total === 0 || (part === "responses" && !summary.responses.measured)) return "–";
  const seen = "seen" in count ? count.seen : count.partial + count.full;
  return `${formatNumber(seen)}/${formatNumber(count.total)}`;
}

function unmatchedRequests({ unmatched, unmatched_total }: Report): string {
  if (unmatched_total === 0) return "";
  const rows = unmatched.toSorted((left, right) => right.count - left.count).slice(0, MOST_ROWS)
    .map(({ method, host, path, reason, count }) => [
      formatNumber(count),
      UNMATCHED_REASONS[reason],
      markdownCode(`${method} ${host}${path}`),
    ]);
  return markdownDetails(
    `Unmatched requests: ${formatNumber(unmatched_total)}`,
    markdownTable(["Count", "Why", "Request"], [0], rows) + more(unmatched.length),
  );
}

function more(length: number): string {
  return length > MOST_ROWS ? `\nAnd ${formatNumber(length - MOST_ROWS)} more.\n` : "";
}

function footer({ tool, schema, generated_at, diagnostics }: Report): string {
  const grave = diagnostics.filter(({ severity }) => severity !== "info").length;
  const facts = [
    markdownText(schema.specification),
    markdownText(schema.location),
    ...(grave > 0 ? [`${formatAmount(grave, "problem")} in the description`] : []),
    `${tool.name} ${tool.version}`,
    generated_at,
  ];
  return `<sub>${facts.join(" · ")}</sub>\n`;
}
