import { markdownDetails, markdownTable } from "../markdown/markdown_blocks.ts";
import { markdownCode, markdownText } from "../markdown/markdown_text.ts";
import { formatPercent } from "../percent.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import type { UsageItem, UsageReport } from "./usage_report.ts";
import {
  testedRequestsText,
  undocumentedText,
  unlistedText,
  unseenTexts,
  USAGE_SECTIONS,
  usageCounts,
  usageItemText,
  usageRows,
} from "./usage_wording.ts";

/** The number of rows in a list; the rest is counted. */
const MOST_ROWS = 20;

/**
 * Writes a comment for a pull request or a page of a wiki, in the Markdown of GitHub and GitLab: the totals, and the
 * three lists, of which the first is open. It stays short however large the description is, and nothing from the
 * description or the traffic becomes markup, a link or a mention. Its first line is the same in every comment, for a
 * bot to find its last one by.
 */
export function generateUsageMarkdownReport(report: UsageReport): string {
  const { tests, production } = report;
  const blocks = [
    `### ${markdownText(report.title)}: used in production, and tested\n`,
    markdownTable(
      ["", "Used and tested", "Count"],
      [1],
      usageRows(report).map(({ label, count }) => [
        label,
        formatPercent(count.percent),
        usageCounts(count),
      ]),
    ),
    `${testedRequestsText(report)} Tests sent ${formatAmount(tests.recorded, "request")}${
      unmatched(tests.unmatched)
    }; production's traffic has ${formatAmount(production.recorded, "request")}${
      unmatched(production.unmatched)
    }.\n`,
    ...unseenTexts(report).map((text) => `${text}\n`),
    untestedList(report),
    undocumentedList(report),
    unusedList(report),
    `<sub>${markdownText(report.schema.location)} · covtool ${report.tool.version}</sub>\n`,
  ];
  return "<!-- covtool compare -->\n" + blocks.filter((block) => block !== "").join("\n");
}

function unmatched(number: number): string {
  return number === 0 ? "" : `, ${formatNumber(number)} unmatched`;
}

function title(name: keyof typeof USAGE_SECTIONS, shown: number, total: number): string {
  const { title } = USAGE_SECTIONS[name];
  return shown < total
    ? `${title}: ${formatNumber(shown)} of ${formatNumber(total)}`
    : `${title}: ${formatNumber(total)}`;
}

function partOf(item: UsageItem): string {
  const part = usageItemText(item);
  return part === "" ? "" : markdownCode(part);
}

function untestedList({ untested }: UsageReport): string {
  if (untested.length === 0) return `**${USAGE_SECTIONS.untested.none}**\n`;
  const shown = untested.slice(0, MOST_ROWS);
  const rows = shown.map((item) => [
    markdownCode(`${item.method} ${item.path}`),
    partOf(item),
    formatNumber(item.production),
    formatPercent(item.share),
  ]);
  const table = markdownTable(["Operation", "Part", "Production", "Share"], [2, 3], rows);
  return `**${title("untested", shown.length, untested.length)}**\n\n${table}`;
}

function undocumentedList(report: UsageReport): string {
  const { undocumented, unlisted_requests } = report;
  if (undocumented.length === 0) return "";
  const shown = undocumented.slice(0, MOST_ROWS);
  const rows = shown.map((use) => [
    markdownCode(`${use.method} ${use.path}`),
    markdownText(undocumentedText(use)),
    formatNumber(use.production),
    formatNumber(use.tests),
  ]);
  const table = markdownTable(["Request", "What", "Production", "Tests"], [2, 3], rows);
  const rest = unlisted_requests === 0 ? "" : `\n${unlistedText(report)}\n`;
  return markdownDetails(title("undocumented", shown.length, undocumented.length), table + rest);
}

function unusedList({ unused }: UsageReport): string {
  if (unused.length === 0) return "";
  const shown = unused.slice(0, MOST_ROWS);
  const rows = shown.map((item) => [
    markdownCode(`${item.method} ${item.path}`),
    partOf(item),
    formatNumber(item.tests),
  ]);
  const table = markdownTable(["Operation", "Part", "Tests"], [2], rows);
  return markdownDetails(title("unused", shown.length, unused.length), table);
}
