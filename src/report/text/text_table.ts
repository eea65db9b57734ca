import type { Ansis } from "ansis";
import type { BlockCell, BlockColumn, TableBlock, Tone } from "../blocks/block.ts";
import { formatNumber } from "../wording/amounts.ts";
import { plainText } from "./plain_text.ts";
import { padText, textWidth, wrapPath, wrapText } from "./text_width.ts";

export interface TextLayout {
  readonly width: number;
  /** True to wrap long paths. If false, lines become as long as needed. */
  readonly wraps: boolean;
  readonly colors: Ansis;
}

/** The terminal width from which cells are written in full. */
const WIDE = 120;
/** Minimum width for names, before other columns are narrowed. */
const NARROWEST_NAME = 20;
/** Minimum width for the last column. If there is less room, its text goes below the row. */
const NARROWEST_LAST = 20;
/** Minimum width for the last column in tables with names, where text below the row takes fewer lines. */
const NARROWEST_BEHIND_NAMES = 36;
const WIDEST_PERCENT = 6;
const GAP = "  ";
const INDENT = "    ";
/** Matches the method at the start of a name, if it is short enough for paths to be aligned after it. */
const METHOD = /^\S{1,9} +(?=\/)/;

/** The styles of cells, widest first. */
const STYLES = ["wide", "usual", "short headers", "short"] as const;
type Style = typeof STYLES[number];

export function tonePaint(tone: Tone | undefined, colors: Ansis): (text: string) => string {
  if (tone === undefined) return String;
  const { green: good, red: bad, yellow: warning, dim: quiet, bold: strong } = colors;
  return { good, bad, warning, quiet, strong }[tone];
}

export function moreLine(rest: number, indent: string, colors: Ansis): string {
  return colors.dim(`${indent}… and ${formatNumber(rest)} more`);
}

type Cell = Exclude<BlockCell, string>;

interface Row {
  /** The label of the row. Undefined in tables without totals. */
  readonly name: Cell | undefined;
  /** The cells that are never wrapped. */
  readonly cells: readonly Cell[];
  /** The wrappable cells, joined into one. */
  readonly last: Cell & { readonly isPath: boolean };
  readonly isHeader: boolean;
}

/**
 * Lays out a table: header, rule, rows, then a rule and totals. A table with totals has names in its first column. Then
 * come numbers and texts, and last operations and parts.
 */
export function tableLines(block: TableBlock, layout: TextLayout): string[] {
  const { width, wraps, colors } = layout;
  const { totals } = block;
  const { rows, fixed, broken } = readRows(block);
  const names = alignMethods(rows.map(({ name }) => name?.text ?? ""));
  const wanted = widest(names);
  const least = Math.min(
    wanted,
    Math.max(NARROWEST_NAME, totals ? textWidth(names.at(-1) ?? "") : 0),
  );
  const gap = totals === undefined ? 0 : GAP.length;
  const { style, widths, left } = chooseWidths(rows, fixed.length, least, layout);
  if (left < 0 && fixed.some(({ kind }) => kind === "text")) {
    const columns = block.columns.map((column) =>
      column.kind === "text" ? { ...column, kind: "part" } as const : column
    );
    return tableLines({ ...block, columns }, layout);
  }

  // Names may shrink to half of the room that they share with the last column.
  const shared = wraps ? Math.min(wanted, Math.max(least, Math.floor(left / 2))) : wanted;
  const beside = left - shared - gap;
  const isUnbroken = !wraps && totals === undefined;
  const isBeside = broken.length > 0 && (isUnbroken ||
    beside >= (totals === undefined ? NARROWEST_LAST : NARROWEST_BEHIND_NAMES));
  const most = !wraps || isBeside ? shared : left;
  const room = widest(names.filter((name) => textWidth(name) <= most));
  const lastRoom = isUnbroken ? Infinity : isBeside ? beside : width - INDENT.length;
  const lines = rows.map(({ last: { text, isPath } }) =>
    text === "" ? [] : (isPath ? wrapPath : wrapText)(text, lastRoom)
  );
  const before = [...(totals === undefined ? [] : [room]), ...widths];
  const all = isBeside ? [...before, widest(lines.flat())] : before;

  const laidOut = rows.map((row, index): string[] => {
    const name = names[index] ?? "";
    const isWhole = textWidth(name) <= room;
    const cells = [
      ...(row.name === undefined ? [] : [
        padText(isWhole ? name : "", room, "left", tonePaint(row.name.tone, colors)),
      ]),
      ...fixed.map(({ kind }, at) => {
        const align = kind === "number" ? "right" : "left";
        const paint = tonePaint(row.cells[at]?.tone, colors);
        return padText(cellText(row, at, style), widths[at] ?? 0, align, paint);
      }),
    ];
    const last = lines[index]?.map(tonePaint(row.last.tone, colors)) ?? [];
    const [first = "", ...rest] = isBeside ? last : [];
    return [
      ...(isWhole ? [] : linesAbove(name, width).map(tonePaint(row.name?.tone, colors))),
      [...cells, first].join(GAP).trimEnd(),
      ...rest.map((line) => " ".repeat(tableWidth(before)) + GAP + line),
      ...(isBeside ? [] : last.map((line) => INDENT + line)),
    ];
  });
  const rule = colors.dim("─".repeat(tableWidth(all)));
  const [header = [], ...bodies] = laidOut;
  const sums = totals === undefined ? [] : [rule, ...bodies.pop() ?? []];
  const more = block.rows.length - block.most;
  return [
    ...header,
    rule,
    ...bodies.flat(),
    ...sums,
    ...(more > 0 ? [moreLine(more, "", colors)] : []),
  ];
}

/** Chooses the widest style that leaves enough room for names. `left` is the width for names and the last column. */
function chooseWidths(
  rows: readonly Row[],
  columns: number,
  least: number,
  { width, wraps }: TextLayout,
) {
  const inStyle = (style: Style) => {
    const widths = Array.from(
      { length: columns },
      (_, at) => widest(rows.map((row) => cellText(row, at, style))),
    );
    return { style, widths, left: width - tableWidth(widths) - GAP.length };
  };
  const all = STYLES.slice(width < WIDE ? 1 : 0).map(inStyle);
  // If no style leaves enough room, long names go on their own lines, which leaves more room for numbers.
  const fitting = wraps
    ? all.find(({ left }) => left >= least) ?? all.find(({ left }) => left >= 0)
    : all[0];
  return fitting ?? inStyle("short");
}

/** Returns header, listed rows and totals as rows, and the columns, split into never wrapped and wrappable ones. */
function readRows({ columns, rows, totals, most }: TableBlock) {
  const pickColumns = (...kinds: BlockColumn["kind"][]) =>
    columns.flatMap((column, place) =>
      kinds.includes(column.kind) && (totals === undefined || place > 0)
        ? [{ ...column, place }]
        : []
    );
  const fixed = [...pickColumns("number"), ...pickColumns("text")];
  const broken = pickColumns("operation", "part");
  const read = (cells: readonly BlockCell[], isHeader = false): Row => {
    const parts = broken.map(({ kind, place }) => ({ kind, ...safeCell(cells[place]) }))
      .filter(({ text }) => text !== "");
    return {
      name: totals && safeCell(cells[0]),
      cells: fixed.map(({ place }) => safeCell(cells[place])),
      last: {
        text: parts.map(({ text }) => text).join(": "),
        tone: parts[0]?.tone,
        isPath: parts.every(({ kind }) => kind === "operation"),
      },
      isHeader,
    };
  };
  const header = columns.map((
    column,
  ) => ({ ...column, text: column.header, tone: "strong" } as const));
  const listed = [...rows.slice(0, most), ...(totals === undefined ? [] : [totals])];
  return { rows: [read(header, true), ...listed.map((row) => read(row))], fixed, broken };
}

function safeCell(cell: BlockCell = ""): Cell {
  if (typeof cell === "string") return { text: plainText(cell), tone: undefined };
  return { ...cell, text: plainText(cell.text) };
}

function cellText({ cells, isHeader }: Row, at: number, style: Style): string {
  const { text = "", short } = cells[at] ?? {};
  if (short === undefined || style === "usual") return text;
  if (isHeader) return style === "wide" ? text : short;
  if (style === "wide") return `${text} ${padText(short, WIDEST_PERCENT, "right")}`;
  return style === "short" ? short : text;
}

function alignMethods(names: readonly string[]): string[] {
  const width = widest(names.map((name) => METHOD.exec(name)?.[0] ?? ""));
  return names.map((name) => name.replace(METHOD, (method) => padText(method, width)));
}

/** Wraps a name that is too long for its column. */
function linesAbove(name: string, width: number): string[] {
  const method = METHOD.exec(name)?.[0] ?? "";
  const indent = textWidth(method);
  return wrapPath(name.slice(method.length), width - indent)
    .map((line, index) => (index === 0 ? method : " ".repeat(indent)) + line);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text)), 0);
}

function tableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) +
    GAP.length * Math.max(0, widths.length - 1);
}
