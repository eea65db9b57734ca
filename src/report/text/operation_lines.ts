import type { Ansis } from "ansis";
import { coveredCount, type Summary } from "../../map/results.ts";
import { formatAmount, formatNumber, formatPercent } from "../wording/amounts.ts";
import { COUNTED_PARTS } from "../figures.ts";
import type { Report, ReportOperation } from "../report.ts";
import { arrangeOperations, type OperationGroup } from "./arrange_operations.ts";
import { type MissingText, missingText } from "./missing_text.ts";
import { plainText } from "./plain_text.ts";
import type { Block, TableBlock } from "../blocks/block.ts";
import { percentPaint, type TextLayout, textLines } from "../blocks/text_blocks.ts";
import type { TextReportOptions } from "../reported_api.ts";
import {
  type Cell,
  columnWidths,
  type Paint,
  type TableColumn,
  tableWidth,
  textTable,
} from "./text_table.ts";
import { cutText, padText, textWidth, wrapPath, wrapText } from "./text_width.ts";
import { operationName } from "../../values/operation_name.ts";

type OperationLinesOptions = TextReportOptions & TextLayout;

const WIDE = 120;
/** The least that is left for an operation's path before columns get narrower. */
const NARROWEST_PATH = 12;
/** If fewer columns than this are left for what is missing, it goes below the operation instead of next to it. */
const NARROWEST_MISSING = 36;
const MOST_SHARED = 10;
type CountStyle = "both" | "counts" | "percent";

interface ShownCounts {
  readonly style: CountStyle;
  readonly tcl: boolean;
}

const LONGEST_METHOD = 9;
const MISSING_INDENT = "    ";

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
export function operationLines(report: Report, options: OperationLinesOptions): string[] {
  if (report.operations.length === 0) {
    return wrapText("The description documents no operations.", options.width);
  }
  if (report.operations.every(({ excluded }) => excluded !== undefined)) {
    return wrapText("All operations are excluded.", options.width);
  }
  const hidden = { covered: 0, empty: 0 };
  const kept = keptOperations(report, options, hidden);
  const groups = arrangeOperations(report, kept, options);
  const listed = new Set(groups.flatMap(({ operations }) => operations).map(operationName));
  const gaps = report.gaps.filter((gap) =>
    listed.has(operationName(gap)) && options.gaps?.has(gap.id ?? "") !== false
  );
  const missing = missingText(gaps, options.showMissing ?? [], options.top === "all");
  const lines = table(report, groups, missing, options);
  const { covered, empty } = hidden;
  const reasons = [
    ...(covered > 0 ? [`${formatNumber(covered)} fully covered`] : []),
    ...(empty > 0 ? [`${formatNumber(empty)} without traffic`] : []),
  ];
  const more = kept.length - listed.size;
  const notes = [
    ...(more > 0
      ? [`… and ${formatAmount(more, "more operation")}. --top all lists every operation.`]
      : []),
    ...(reasons.length > 0
      ? [`${formatAmount(covered + empty, "operation")} hidden: ${reasons.join(", ")}.`]
      : []),
    ...foldingNotes(missing),
  ];
  const below: readonly Block[][] = [
    notes.map((text) => ({ type: "line", text, tone: "quiet" })),
    sharedBlocks(missing),
  ];
  return [
    ...lines,
    ...below.filter(({ length }) => length > 0)
      .flatMap((blocks) => ["", ...textLines(blocks, options)]),
  ];
}

function keptOperations(
  report: Report,
  { skipEmpty, skipCovered, showMissing = [] }: OperationLinesOptions,
  hidden: { covered: number; empty: number },
): readonly ReportOperation[] {
  const { texts } = missingText(report.gaps, skipCovered ? showMissing : [], true);
  return report.operations.filter((operation) => {
    if (operation.excluded !== undefined) return false;
    if (skipEmpty && operation.hits === 0) {
      hidden.empty++;
      return false;
    }
    const skip = skipCovered && isCovered(operation) && !texts.has(operationName(operation));
    if (skip) hidden.covered++;
    return !skip;
  });
}

function isCovered(operation: ReportOperation): boolean {
  return operation.hits > 0 &&
    COUNTED_PARTS.every((dimension) => (operation.summary[dimension].percent ?? 100) >= 100);
}

function foldingNotes({ total, hidden }: MissingText): string[] {
  if (hidden === 0) return [];
  return [
    `${formatNumber(total)} entries are missing, of which ${
      formatNumber(total - hidden)
    } are listed. --top all lists every entry, those of operations that were never called included.`,
  ];
}

/** The entries that many operations lack, so that one fixture or helper may cover them. */
function sharedBlocks({ shared }: MissingText): TableBlock[] {
  if (shared.length === 0) return [];
  return [{
    type: "table",
    columns: [
      { header: "Operations", kind: "number" },
      { header: "Missing in several", kind: "part" },
    ],
    rows: shared.map(({ text, operations }) => [formatNumber(operations), text]),
    most: MOST_SHARED,
  }];
}

interface TableEntry {
  /** Of an operation, padded; empty for groups and the total. */
  readonly method: string;
  readonly name: string;
  readonly paint: Paint | undefined;
  readonly counts: readonly Cell[];
  readonly missing: string;
  readonly isApart: boolean;
}

/** The number of requests to operations that count: all that matched, less those to excluded operations. */
function countedHits({ operations }: Report): number {
  return operations.reduce(
    (sum, { hits, excluded }) => excluded === undefined ? sum + hits : sum,
    0,
  );
}

function table(
  report: Report,
  groups: readonly OperationGroup[],
  missing: MissingText,
  { width, showMissing = [], wraps, tcl = false, colors }: OperationLinesOptions,
): string[] {
  const operations = groups.flatMap((group) => group.operations);
  const totalLabel = `Total of ${formatAmount(report.summary.operations.total, "operation")}`;
  const methodWidth = Math.min(
    LONGEST_METHOD,
    operations.reduce((most, { method }) => Math.max(most, textWidth(plainText(method))), 0),
  );
  const entriesIn = (style: CountStyle) =>
    tableEntries(groups, missing, { style, tcl }, methodWidth, colors);
  const totalsIn = (style: CountStyle) =>
    countCells(countedHits(report), report.summary, { style, tcl }, colors);
  const layouts: readonly (readonly [keyof typeof HEADERS, CountStyle])[] = [
    ["long", width >= WIDE ? "both" : "counts"],
    ["short", "counts"],
    ["short", "percent"],
  ];
  const laidOut = layouts.map(([headers, style]) => {
    const [columns, totals] = [countColumns(HEADERS[headers], tcl), totalsIn(style)];
    const entries = entriesIn(style);
    const counts = entries.map((entry) => entry.counts);
    const left = width - tableWidth(columnWidths(columns, [...counts, totals])) - 2;
    return { columns, entries, totals, left };
  });
  const least = Math.max(methodWidth + 1 + NARROWEST_PATH, textWidth(totalLabel));
  const [widest] = laidOut;
  // If no layout leaves room for paths, they go on lines of their own, which leaves room for more numbers.
  const chosen = (wraps ? undefined : widest) ??
    laidOut.find(({ left }) => left >= least) ??
    laidOut.find(({ left }) => left >= 0) ?? laidOut.at(-1);
  if (chosen === undefined) return [];
  const { columns, entries, totals, left } = chosen;
  const isStacked = wraps && left < least;
  const wanted = entries.reduce(
    (most, { method, name }) => Math.max(most, textWidth(method + name)),
    textWidth(totalLabel),
  );
  // Beside a column of what is missing, paths give way down to half of the room.
  const shared = wraps ? Math.min(wanted, Math.max(least, Math.floor(left / 2))) : wanted;
  const missingWidth = left - shared - 2;
  const beside = showMissing.length > 0 && missingWidth >= NARROWEST_MISSING;
  const room = isStacked ? 0 : !wraps ? Infinity : beside ? shared : Math.min(wanted, left);
  const below = showMissing.length > 0 && !beside;

  const rows = entries.map((entry): Cell[] => {
    const first = nameCell(entry, room, width);
    const text = entry.missing;
    return [
      {
        ...first,
        below: below && text !== ""
          ? wrapText(text, width - MISSING_INDENT.length).map((line) =>
            MISSING_INDENT + colors.red(line)
          )
          : undefined,
      },
      ...entry.counts,
      ...(beside ? [{ text: wrapText(text, missingWidth).join("\n"), paint: colors.red }] : []),
    ];
  });
  const allColumns: TableColumn[] = [
    {
      header: isStacked ? "" : "Operation",
      align: "left",
      above: isStacked ? ["Operation"] : undefined,
      below: below ? [colors.bold(`${MISSING_INDENT}Missing`)] : undefined,
    },
    ...columns,
  ];
  if (beside) allColumns.push({ header: "Missing", align: "left" });
  const total = { method: "", name: totalLabel, paint: colors.bold, isApart: false };
  const totalRow = [nameCell(total, room, width), ...totals];
  return textTable(allColumns, rows, totalRow, { header: colors.bold, rule: colors.dim });
}

function tableEntries(
  groups: readonly OperationGroup[],
  { texts }: MissingText,
  shown: ShownCounts,
  methodWidth: number,
  colors: Ansis,
): TableEntry[] {
  return groups.flatMap(({ name, size, hits, summary, operations }, index) => [
    ...(name === undefined ? [] : [{
      method: "",
      name: `${plainText(name)} (${formatNumber(size)})`,
      paint: colors.bold,
      counts: countCells(hits, summary, shown, colors),
      missing: "",
      isApart: index > 0 && operations.length > 0,
    }]),
    ...operations.map((operation) => ({
      method: padText(cutText(plainText(operation.method), methodWidth), methodWidth) + " ",
      name: plainText(operation.path),
      paint: operation.hits === 0 ? colors.dim : undefined,
      counts: countCells(operation.hits, operation.summary, shown, colors),
      missing: texts.get(operationName(operation)) ?? "",
      isApart: false,
    })),
  ]);
}

/** The first cell of a row: a name that is longer than the column goes above, on lines of its own. */
function nameCell(
  { method, name, paint, isApart }: Omit<TableEntry, "counts" | "missing">,
  room: number,
  width: number,
): Cell {
  const apart = isApart ? [""] : [];
  const text = method + name;
  if (textWidth(text) <= room) return { text, paint, above: apart };
  const indent = textWidth(method);
  const above = wrapPath(name, width - indent).map((line, index) =>
    (index === 0 ? method : padText("", indent)) + line
  );
  return { text: "", paint, above: [...apart, ...above] };
}

function countColumns(
  headers: Readonly<Record<typeof COUNTED_PARTS[number], string>>,
  tcl: boolean,
): TableColumn[] {
  return [
    { header: "Hits", align: "right" },
    ...COUNTED_PARTS.map((name) => ({ header: headers[name], align: "right" }) as const),
    ...(tcl ? [{ header: "TCL", align: "right" } as const] : []),
  ];
}

function countCells(
  hits: number,
  summary: Summary,
  { style, tcl }: ShownCounts,
  colors: Ansis,
): Cell[] {
  const cells: Cell[] = [{ text: formatNumber(hits), paint: hits === 0 ? colors.red : undefined }];
  for (const dimension of COUNTED_PARTS) {
    const { percent, total } = summary[dimension];
    const known = total > 0 && (dimension !== "responses" || summary.responses.measured);
    const share = `${coveredCount(summary[dimension])}/${total}`;
    const shown = formatPercent(percent);
    const text = {
      both: `${share} ${padText(shown, 6, "right")}`,
      counts: share,
      percent: shown,
    }[style];
    cells.push({ text: known ? text : "–", paint: percentPaint(known ? percent : null, colors) });
  }
  if (tcl) cells.push({ text: String(summary.tcl?.level ?? "") });
  return cells;
}
