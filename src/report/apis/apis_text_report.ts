import { Ansis } from "ansis";
import { DIMENSIONS } from "../../map/results.ts";
import { gapCounts } from "../gap_counts.ts";
import { formatPercent } from "../percent.ts";
import { plainText } from "../text/plain_text.ts";
import { percentPaint, summaryLines } from "../text/summary_lines.ts";
import {
  type Cell,
  columnWidths,
  type TableColumn,
  tableWidth,
  textTable,
} from "../text/text_table.ts";
import { findingCounts, findingGroups } from "../wording/finding_groups.ts";
import { cutText, wrapText } from "../text/text_width.ts";
import { shortenPath } from "../text/shorten_path.ts";
import { generateTextReport, type TextReportOptions } from "../text_report.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import { type ApisOverview, apisOverview, type NamedReport } from "./apis_overview.ts";

/** The number of listed requests that belong to no API. */
const MOST_STRAYS = 10;
/** Columns that a name has at least. */
const NARROWEST_NAME = 12;

/**
 * Writes the reports of several APIs for a terminal: an overview of all, then the report of each.
 *
 * @param title Heads the overview; undefined for one that says how many APIs there are.
 * @returns lines, each with its line break.
 */
export function generateApisTextReport(
  apis: readonly NamedReport[],
  title: string | undefined,
  options: TextReportOptions,
): string {
  const colors = new Ansis(options.colored === false ? 0 : 1);
  const rule = colors.dim("═".repeat(Math.min(options.width, 80)));
  return [
    overviewLines(apis, title, options.width, colors).join("\n") + "\n",
    ...apis.map(({ report }) => `${rule}\n${generateTextReport(report, options)}`),
  ].join("\n");
}

/** The overview: the dimensions of all APIs together, a table with a row for each, and requests that belong to none. */
export function overviewLines(
  apis: readonly NamedReport[],
  title: string | undefined,
  width: number,
  colors: Ansis,
): string[] {
  const overview = apisOverview(apis, title);
  return [
    colors.bold(cutText(plainText(overview.title), width)),
    "",
    ...summaryLines(overview.summary, width, colors, isScoped(apis)),
    "",
    ...apiTable(apis, overview, width, colors),
    ...foundLines(apis, width, colors),
    ...strayLines(overview, width, colors),
  ];
}

function isScoped(apis: readonly NamedReport[]): boolean {
  return apis.some(({ report }) => report.exclusions !== undefined);
}

function apiTable(
  apis: readonly NamedReport[],
  overview: ApisOverview,
  width: number,
  colors: Ansis,
): string[] {
  const cellsOf = (summary: ApisOverview["summary"]): Cell[] =>
    DIMENSIONS.map((dimension) => {
      const { percent } = summary[dimension];
      return { text: formatPercent(percent), paint: percentPaint(percent, colors) };
    });
  const rowOf = ({ name, report }: NamedReport, length: number): Cell[] => [
    { text: cutText(plainText(name), length) },
    ...cellsOf(report.summary),
    { text: formatNumber(gapCounts(report.summary, report.traffic).total) },
    { text: formatNumber(report.traffic.matched) },
    { text: formatNumber(report.traffic.unmatched) },
  ];
  const totals: Cell[] = [
    { text: "All" },
    ...cellsOf(overview.summary),
    { text: formatNumber(overview.gaps) },
    { text: formatNumber(overview.matched) },
    { text: "" },
  ];
  const full = apis.map((api) => rowOf(api, Infinity));
  const columns = COLUMNS.map(([header, , align]) => ({ header, align }));
  const excess = tableWidth(columnWidths(columns, [...full, totals])) - width;
  if (excess <= 0) return table(columns, full, totals, colors);
  const short = COLUMNS.map(([header, narrow, align]) => ({ header: narrow ?? header, align }));
  const widths = columnWidths(short, [...full, totals]);
  const name = Math.max(NARROWEST_NAME, (widths[0] ?? 0) - Math.max(0, tableWidth(widths) - width));
  return table(short, apis.map((api) => rowOf(api, name)), totals, colors);
}

function table(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  totals: readonly Cell[],
  colors: Ansis,
): string[] {
  return textTable(columns, rows, totals, { header: colors.bold, rule: colors.dim });
}

/** Header, header where there is little room, alignment. */
const COLUMNS: readonly (readonly [string, string | undefined, "left" | "right"])[] = [
  ["API", undefined, "left"],
  ["Operations", "Ops", "right"],
  ["Parameters", "Params", "right"],
  ["Keywords", "Keyw", "right"],
  ["Examples", "Exmpl", "right"],
  ["Responses", "Resp", "right"],
  ["Gaps", undefined, "right"],
  ["Matched", "Match", "right"],
  ["Unmatched", "Unm", "right"],
];

/** The number of findings of each kind, by API; none if no API has any. */
function foundLines(apis: readonly NamedReport[], width: number, colors: Ansis): string[] {
  const lines = apis.flatMap(({ name, report }) => {
    const groups = findingGroups(report.findings);
    return groups.length === 0
      ? []
      : wrapText(plainText(`${name}: ${findingCounts(groups)}`), width - 4)
        .map((line, index) => `${index === 0 ? "  " : "    "}${line}`);
  });
  return lines.length === 0 ? [] : ["", colors.bold("Findings"), ...lines];
}

function strayLines({ strays }: ApisOverview, width: number, colors: Ansis): string[] {
  if (strays.length === 0) return [];
  const requests = strays.reduce((sum, { count }) => sum + count, 0);
  const shown = strays.toSorted((a, b) => b.count - a.count).slice(0, MOST_STRAYS);
  const more = strays.length - shown.length;
  return [
    "",
    colors.bold(`${formatAmount(requests, "request")} matched none of the APIs`),
    ...shown.map(({ count, method, host, path }) =>
      plainText(`  ${formatNumber(count)}  ${method} ${host}${shortenPath(path, width)}`)
    ),
    ...(more > 0 ? [colors.dim(`  and ${formatNumber(more)} more`)] : []),
  ];
}
