import type { Summary } from "../../map/results.ts";
import { operationName } from "../../values/operation_name.ts";
import { COUNTED_PARTS, countText } from "../figures.ts";
import type { Report, ReportOperation } from "../report.ts";
import type { TextReportOptions } from "../reported_api.ts";
import { arrangeOperations } from "../text/arrange_operations.ts";
import { type MissingText, missingText } from "../text/missing_text.ts";
import { formatAmount, formatNumber, formatPercent } from "../wording/amounts.ts";
import { type Block, type BlockCell, type BlockColumn, percentTone } from "./block.ts";

const MOST_SHARED = 10;

export function operationBlocks(report: Report, options: TextReportOptions): Block[][] {
  const { skipEmpty, skipCovered, showMissing = [], tcl = false, top } = options;
  const counted = report.operations.filter(({ excluded }) => excluded === undefined);
  if (counted.length === 0) {
    const isEmpty = report.operations.length === 0;
    const text = isEmpty
      ? "The description documents no operations."
      : "All operations are excluded.";
    return [[{ type: "line", text }]];
  }
  const called = skipEmpty ? counted.filter(({ hits }) => hits > 0) : counted;
  const kept = skipCovered ? called.filter(lacksAnything(report, options)) : called;
  const groups = arrangeOperations(report, kept, options);
  const listed = new Set(groups.flatMap(({ operations }) => operations).map(operationName));
  const gaps = report.gaps.filter((gap) =>
    listed.has(operationName(gap)) && options.gaps?.has(gap.id ?? "") !== false
  );
  const missing = missingText(gaps, showMissing, top === "all");
  const rows = groups.flatMap(({ name, size, operations, ...sums }, index): BlockCell[][] => {
    const title = { text: `${name} (${formatNumber(size)})`, tone: "strong" } as const;
    const apart = index > 0 && operations.length > 0 ? [[]] : [];
    return [
      ...(name === undefined ? [] : [...apart, operationRow(title, sums, tcl)]),
      ...operations.map((operation) => [
        ...operationRow(operationCell(operation), operation, tcl),
        { text: missing.texts.get(operationName(operation)) ?? "", tone: "bad" } as const,
      ]),
    ];
  });
  const { summary } = report;
  const hits = counted.reduce((sum, operation) => sum + operation.hits, 0);
  const label = {
    text: `Total of ${formatAmount(summary.operations.total, "operation")}`,
    tone: "strong",
  } as const;
  const notes = [
    ...moreNotes(kept.length - listed.size),
    ...hiddenNotes(called.length - kept.length, counted.length - called.length),
    ...foldingNotes(missing),
  ];
  return [
    [{
      type: "table",
      columns: [
        ...operationColumns(tcl),
        ...(showMissing.length > 0 ? [{ header: "Missing", kind: "part" } as const] : []),
      ],
      rows,
      totals: operationRow(label, { hits, summary }, tcl),
      most: Infinity,
    }],
    notes.map((text) => ({ type: "line", text, tone: "quiet" })),
    sharedBlocks(missing),
  ];
}

export function operationColumns(tcl = false): BlockColumn[] {
  return [
    { header: "Operation", kind: "operation" },
    { header: "Hits", kind: "number" },
    ...COUNTED_PARTS.map((part) => ({ ...PART_HEADERS[part], kind: "number" }) as const),
    ...(tcl ? [{ header: "TCL", kind: "number" } as const] : []),
  ];
}

export function operationRow(
  name: BlockCell,
  { hits, summary }: { readonly hits: number; readonly summary: Summary },
  tcl = false,
): BlockCell[] {
  return [
    name,
    { text: formatNumber(hits), tone: hits === 0 ? "bad" : undefined },
    ...COUNTED_PARTS.map((part): BlockCell => {
      const { percent } = summary[part];
      const text = countText(summary, part);
      return text === "–"
        ? { text, tone: "quiet" }
        : { text, short: formatPercent(percent), tone: percentTone(percent) };
    }),
    ...(tcl ? [String(summary.tcl?.level ?? "")] : []),
  ];
}

const PART_HEADERS = {
  parameters: { header: "Params", short: "Para" },
  keywords: { header: "Keywords", short: "Keyw" },
  examples: { header: "Examples", short: "Exam" },
  responses: { header: "Responses", short: "Resp" },
};

function operationCell(operation: ReportOperation): BlockCell {
  return { text: operationName(operation), tone: operation.hits === 0 ? "quiet" : undefined };
}

function lacksAnything(
  { gaps }: Report,
  { showMissing = [] }: TextReportOptions,
): (operation: ReportOperation) => boolean {
  const { texts } = missingText(gaps, showMissing, true);
  return (operation) =>
    operation.hits === 0 || texts.has(operationName(operation)) ||
    COUNTED_PARTS.some((part) => (operation.summary[part].percent ?? 100) < 100);
}

function moreNotes(more: number): string[] {
  if (more === 0) return [];
  return [`… and ${formatAmount(more, "more operation")}. --top all lists every operation.`];
}

function hiddenNotes(covered: number, empty: number): string[] {
  if (covered + empty === 0) return [];
  const reasons = [
    ...(covered > 0 ? [`${formatNumber(covered)} fully covered`] : []),
    ...(empty > 0 ? [`${formatNumber(empty)} without traffic`] : []),
  ];
  return [`${formatAmount(covered + empty, "operation")} hidden: ${reasons.join(", ")}.`];
}

function foldingNotes({ total, hidden }: MissingText): string[] {
  if (hidden === 0) return [];
  return [
    `${formatNumber(total)} entries are missing, of which ${
      formatNumber(total - hidden)
    } are listed. --top all lists every entry, those of operations that were never called included.`,
  ];
}

/** Gaps that several operations share, which a single fixture or helper may close. */
function sharedBlocks({ shared }: MissingText): Block[] {
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
