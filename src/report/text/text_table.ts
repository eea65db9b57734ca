import type { Ansis } from "ansis";
import type { BlockCell, BlockColumn, TableBlock, Tone } from "../blocks/block.ts";
import { formatNumber } from "../wording/amounts.ts";
import { plainText } from "./plain_text.ts";
import { padText, textWidth, wrapPath, wrapText } from "./text_width.ts";

export interface TextLayout {
  readonly width: number;
  /** Wraps paths that are too long; otherwise lines get as long as they need. */
  readonly wraps: boolean;
  readonly colors: Ansis;
}

/** The columns of a terminal from which on cells are written with all that they have. */
const WIDE = 120;
/** The least that is left for names before other columns get narrower. */
const NARROWEST_NAME = 20;
/** If fewer columns than this are left for what may be broken, it goes below its row instead of behind it. */
const NARROWEST_LAST = 20;
/** The same where names come first: below them, what they lack takes fewer lines. */
const NARROWEST_BEHIND_NAMES = 36;
const WIDEST_PERCENT = 6;
const GAP = "  ";
const INDENT = "    ";
/** Methods that are longer don't have their paths aligned. */
const METHOD = /^\S{1,9} +(?=\/)/;

/** The ways to write the cells of a table, from the widest to the narrowest. */
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
  /** The label of a row in a table that sums up its rows. */
  readonly name: Cell | undefined;
  /** Those that keep their width. */
  readonly cells: readonly Cell[];
  /** The others in one, which may be broken. */
  readonly last: Cell & { readonly isPath: boolean };
  readonly isHeader: boolean;
}

/**
 * Lays out a table: the header, a rule, the rows, and after another rule the totals. Where there are totals, the first
 * column has names and comes first. Then come numbers and texts, and operations and their parts last.
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

  // Beside what may be broken, names give way down to half of the room.
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
        padded(isWhole ? name : "", room, "left", tonePaint(row.name.tone, colors)),
      ]),
      ...fixed.map(({ kind }, at) => {
        const align = kind === "number" ? "right" : "left";
        const paint = tonePaint(row.cells[at]?.tone, colors);
        return padded(cellText(row, at, style), widths[at] ?? 0, align, paint);
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

interface Widths {
  readonly style: Style;
  readonly widths: readonly number[];
  /** What is left for names and for what may be broken. */
  readonly left: number;
}

/** The widest style that leaves room for names. */
function chooseWidths(
  rows: readonly Row[],
  columns: number,
  least: number,
  { width, wraps }: TextLayout,
): Widths {
  const inStyle = (style: Style): Widths => {
    const widths = Array.from(
      { length: columns },
      (_, at) => widest(rows.map((row) => cellText(row, at, style))),
    );
    return { style, widths, left: width - tableWidth(widths) - GAP.length };
  };
  const all = STYLES.slice(width < WIDE ? 1 : 0).map(inStyle);
  // If no style leaves room for names, long ones go on lines of their own, which leaves room for more numbers.
  const fitting = wraps
    ? all.find(({ left }) => left >= least) ?? all.find(({ left }) => left >= 0)
    : all[0];
  return fitting ?? inStyle("short");
}

/** The header, the rows that are listed and the totals, by columns that keep their width and columns that don't. */
function readRows({ columns, rows, totals, most }: TableBlock) {
  const columnsOf = (...kinds: BlockColumn["kind"][]) =>
    columns.flatMap((column, place) =>
      kinds.includes(column.kind) && (totals === undefined || place > 0)
        ? [{ ...column, place }]
        : []
    );
  const fixed = [...columnsOf("number"), ...columnsOf("text")];
  const broken = columnsOf("operation", "part");
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

/** Names of operations with their paths below each other. */
function alignMethods(names: readonly string[]): string[] {
  const width = widest(names.map((name) => METHOD.exec(name)?.[0] ?? ""));
  return names.map((name) => name.replace(METHOD, (method) => padText(method, width)));
}

/** The lines of a name that is longer than its column. */
function linesAbove(name: string, width: number): string[] {
  const method = METHOD.exec(name)?.[0] ?? "";
  const indent = textWidth(method);
  return wrapPath(name.slice(method.length), width - indent)
    .map((line, index) => (index === 0 ? method : " ".repeat(indent)) + line);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text)), 0);
}

/** The width of a table with columns of these widths, in columns of a terminal. */
function tableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) +
    GAP.length * Math.max(0, widths.length - 1);
}

/** Padding stays outside of the colour, so that trailing spaces can go. */
function padded(
  text: string,
  width: number,
  align: "left" | "right",
  paint: (text: string) => string,
): string {
  const fill = " ".repeat(Math.max(0, width - textWidth(text)));
  const painted = text === "" ? "" : paint(text);
  return align === "left" ? painted + fill : fill + painted;
}
