import type { Ansis } from "ansis";
import type { Dimension, Summary } from "../../map/results.ts";
import { formatPercent } from "../percent.ts";
import type { Report, ReportOperation } from "../report.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import { missingText, operationKey } from "./missing_text.ts";
import { plainText } from "./plain_text.ts";
import { shortenPath } from "./shorten_path.ts";
import { percentPaint } from "./summary_lines.ts";
import { type Cell, columnWidths, type TableColumn, tableWidth, textTable } from "./text_table.ts";
import { cutText, padText, textWidth, wrapText } from "./text_width.ts";

/** Which operations are shown, and how. */
export interface OperationLinesOptions {
  readonly width: number;
  readonly skipCovered: boolean;
  readonly skipEmpty: boolean;
  readonly showMissing: readonly Dimension[];
}

/** From here on, percentages stand beside the counts. */
const WIDE = 120;
/** The least that is left for an operation's path before columns get narrower. */
const NARROWEST_PATH = 12;
/** Where less than this is left for what is missing, it stands below the operation instead of beside it. */
const NARROWEST_MISSING = 36;
/** What the cells of a dimension show. */
type CountStyle = "both" | "counts" | "percent";

const LONGEST_METHOD = 9;
const MISSING_INDENT = "    ";

const DIMENSIONS = ["parameters", "keywords", "examples", "responses"] as const;
const HEADERS = {
  long: {
    parameters: "Params",
    keywords: "Keywords",
    examples: "Examples",
    responses: "Responses",
  },
  short: { parameters: "Para", keywords: "Keyw", examples: "Exam", responses: "Resp" },
} as const;

/** The table of operations with its totals, and how many of them are left out. */
export function operationLines(
  report: Report,
  options: OperationLinesOptions,
  colors: Ansis,
): string[] {
  if (report.operations.length === 0) {
    return wrapText("The description documents no operations.", options.width);
  }
  const missing = missingText(report.gaps, options.showMissing);
  let covered = 0;
  let empty = 0;
  const shown = report.operations.filter((operation) => {
    if (options.skipEmpty && operation.hits === 0) {
      empty++;
      return false;
    }
    const skip = options.skipCovered && isCovered(operation) &&
      !missing.has(operationKey(operation));
    if (skip) covered++;
    return !skip;
  });
  const lines = table(report, shown, missing, options, colors);
  const hidden = [
    ...(covered > 0 ? [`${formatNumber(covered)} fully covered`] : []),
    ...(empty > 0 ? [`${formatNumber(empty)} without traffic`] : []),
  ];
  if (hidden.length > 0) {
    const text = `${formatAmount(covered + empty, "operation")} hidden: ${hidden.join(", ")}.`;
    lines.push("", ...wrapText(text, options.width).map((line) => colors.dim(line)));
  }
  return lines;
}

function isCovered(operation: ReportOperation): boolean {
  return operation.hits > 0 &&
    DIMENSIONS.every((dimension) => (operation.summary[dimension].percent ?? 100) >= 100);
}

function table(
  report: Report,
  operations: readonly ReportOperation[],
  missing: ReadonlyMap<string, string>,
  options: OperationLinesOptions,
  colors: Ansis,
): string[] {
  const { width, showMissing } = options;
  const totalLabel = `Total of ${formatAmount(report.operations.length, "operation")}`;
  const methodWidth = Math.min(
    LONGEST_METHOD,
    operations.reduce((most, { method }) => Math.max(most, textWidth(plainText(method))), 0),
  );

  const names = operations.map(({ path }) => plainText(path));
  const longest = names.reduce((most, path) => Math.max(most, textWidth(path)), 0);
  const least = Math.max(methodWidth + 1 + NARROWEST_PATH, textWidth(totalLabel));
  const wanted = Math.max(methodWidth + 1 + longest, textWidth(totalLabel));
  const layouts: readonly (readonly [keyof typeof HEADERS, CountStyle])[] = [
    ["long", width >= WIDE ? "both" : "counts"],
    ["short", "counts"],
    ["short", "percent"],
  ];
  let columns: TableColumn[] = [];
  let counts: Cell[][] = [];
  let totals: Cell[] = [];
  let left = 0;
  for (const [headers, style] of layouts) {
    columns = countColumns(HEADERS[headers]);
    counts = operations.map(({ hits, summary }) => countCells(hits, summary, style, colors));
    totals = countCells(report.traffic.matched, report.summary, style, colors);
    left = width - tableWidth(columnWidths(columns, [...counts, totals])) - 2;
    if (left >= least) break;
  }
  // Beside a column of what is missing, paths give way down to half of the room.
  const shared = Math.min(wanted, Math.max(least, Math.floor(left / 2)));
  const missingWidth = left - shared - 2;
  const beside = showMissing.length > 0 && missingWidth >= NARROWEST_MISSING;
  const operationWidth = beside ? shared : Math.min(wanted, Math.max(methodWidth + 2, left));
  const pathWidth = operationWidth - methodWidth - 1;

  const rows = operations.map((operation, index): Cell[] => {
    const method = padText(cutText(plainText(operation.method), methodWidth), methodWidth);
    const name = `${method} ${shortenPath(names[index] ?? "", pathWidth)}`;
    const text = missing.get(operationKey(operation)) ?? "";
    return [
      { text: name, paint: operation.hits === 0 ? colors.dim : undefined },
      ...(counts[index] ?? []),
      ...(beside ? [{ text: wrapText(text, missingWidth).join("\n"), paint: colors.red }] : []),
    ];
  });
  const allColumns: TableColumn[] = [{ header: "Operation", align: "left" }, ...columns];
  if (beside) allColumns.push({ header: "Missing", align: "left" });
  const totalRow: Cell[] = [
    { text: cutText(totalLabel, operationWidth), paint: colors.bold },
    ...totals,
  ];
  const lines = textTable(allColumns, rows, totalRow, { header: colors.bold, rule: colors.dim });
  if (showMissing.length === 0 || beside) return lines;
  return withMissingBelow(lines, operations, missing, width, colors);
}

/** On a narrow terminal the column is laid under its row: the header names it, each row is followed by it. */
function withMissingBelow(
  lines: readonly string[],
  operations: readonly ReportOperation[],
  missing: ReadonlyMap<string, string>,
  width: number,
  colors: Ansis,
): string[] {
  const [header = "", rule = ""] = lines;
  const result = [header, colors.bold(`${MISSING_INDENT}Missing`), rule];
  operations.forEach((operation, index) => {
    result.push(lines[index + 2] ?? "");
    const text = missing.get(operationKey(operation));
    if (text === undefined) return;
    for (const line of wrapText(text, width - MISSING_INDENT.length)) {
      result.push(MISSING_INDENT + colors.red(line));
    }
  });
  result.push(...lines.slice(operations.length + 2));
  return result;
}

function countColumns(headers: Readonly<Record<typeof DIMENSIONS[number], string>>): TableColumn[] {
  return [
    { header: "Hits", align: "right" },
    ...DIMENSIONS.map((name) => ({ header: headers[name], align: "right" }) as const),
  ];
}

function countCells(hits: number, summary: Summary, style: CountStyle, colors: Ansis): Cell[] {
  const { keywords, responses } = summary;
  const cells: Cell[] = [{
    text: formatNumber(hits),
    paint: hits === 0 ? colors.red : undefined,
  }];
  for (const dimension of DIMENSIONS) {
    const { percent, total } = summary[dimension];
    const seen = dimension === "keywords"
      ? keywords.partial + keywords.full
      : summary[dimension].seen;
    const known = total > 0 && (dimension !== "responses" || responses.measured);
    const share = `${seen}/${total}`;
    const shown = formatPercent(percent);
    const text = {
      both: `${share} ${padText(shown, 6, "right")}`,
      counts: share,
      percent: shown,
    }[style];
    cells.push({ text: known ? text : "–", paint: percentPaint(known ? percent : null, colors) });
  }
  return cells;
}
