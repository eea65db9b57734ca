import { DIMENSIONS } from "../../map/results.ts";
import { gapCounts } from "../gap_counts.ts";
import { markdownDetails, markdownTable } from "../markdown/markdown_blocks.ts";
import { markdownCode, markdownText } from "../markdown/markdown_text.ts";
import { generateMarkdownReport, type MarkdownReportOptions } from "../markdown_report.ts";
import { formatPercent } from "../percent.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import { changeText } from "../wording/change_text.ts";
import { type ApisOverview, apisOverview, type NamedReport } from "./apis_overview.ts";

const MARK = "<!-- covtool report -->\n";
/** The number of listed requests that belong to no API. */
const MOST_STRAYS = 10;

/** One of several APIs, with what its own Markdown needs. */
export interface MarkdownApi extends NamedReport {
  readonly options: MarkdownReportOptions;
}

/**
 * Writes a comment for a pull request about several APIs: an overview with a row for each, then the report of each.
 *
 * @param title Heads the overview; undefined for one that says how many APIs there are.
 */
export function generateApisMarkdownReport(
  apis: readonly MarkdownApi[],
  title: string | undefined,
): string {
  const overview = apisOverview(apis, title);
  return MARK + [
    `### ${markdownText(overview.title)}: API coverage\n`,
    overviewTable(apis, overview),
    strayRequests(overview),
    ...apis.map(({ report, options }) =>
      generateMarkdownReport(report, options).replace(MARK, "").replace(/^###/, "####")
    ),
  ].filter((block) => block !== "").join("\n");
}

function overviewTable(apis: readonly MarkdownApi[], overview: ApisOverview): string {
  const rows = apis.map(({ name, report }) => [
    markdownText(name),
    ...DIMENSIONS.map((dimension) => {
      const { percent } = report.summary[dimension];
      const before = report.comparison?.summary[dimension].percent;
      const change = before === undefined ? "" : changeText(percent, before);
      return formatPercent(percent) + (/[1-9]/.test(change) ? ` (${change})` : "");
    }),
    formatNumber(gapCounts(report.summary, report.traffic).total),
    formatNumber(report.traffic.unmatched),
  ]);
  const total = [
    "**All**",
    ...DIMENSIONS.map((dimension) => formatPercent(overview.summary[dimension].percent)),
    formatNumber(overview.gaps),
    "",
  ];
  return markdownTable(
    ["API", "Operations", "Parameters", "Keywords", "Examples", "Responses", "Gaps", "Unmatched"],
    [1, 2, 3, 4, 5, 6, 7],
    [...rows, total],
  );
}

function strayRequests({ strays }: ApisOverview): string {
  if (strays.length === 0) return "";
  const requests = strays.reduce((sum, { count }) => sum + count, 0);
  const rows = strays.toSorted((a, b) => b.count - a.count).slice(0, MOST_STRAYS)
    .map(({ method, host, path, count }) => [
      formatNumber(count),
      markdownCode(`${method} ${host}${path}`),
    ]);
  return markdownDetails(
    `Matched none of the APIs: ${formatAmount(requests, "request")}`,
    markdownTable(["Count", "Request"], [0], rows),
  );
}
