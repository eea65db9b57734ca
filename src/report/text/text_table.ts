import { padText, textWidth } from "./text_width.ts";

/** Puts colour around a text, or gives it back as it is. */
export type Paint = (text: string) => string;

/** One cell of a table. A line break in its text makes the row higher. */
export interface Cell {
  readonly text: string;
  readonly paint?: Paint | undefined;
  /** Lines before the row, for what doesn't fit into the column. */
  readonly above?: readonly string[] | undefined;
  readonly below?: readonly string[] | undefined;
}

export interface TableColumn {
  readonly header: string;
  readonly align: "left" | "right";
  readonly above?: readonly string[] | undefined;
  readonly below?: readonly string[] | undefined;
}

const GAP = "  ";

export function columnWidths(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
): number[] {
  return columns.map((column, index) =>
    rows.reduce(
      (widest, row) =>
        (row[index]?.text ?? "").split("\n").reduce(
          (wide, line) => Math.max(wide, textWidth(line)),
          widest,
        ),
      textWidth(column.header),
    )
  );
}

/** The width of a table with columns of these widths, in columns of a terminal. */
export function tableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) +
    GAP.length * Math.max(0, widths.length - 1);
}

/** Lays out a table: the header, a rule, the rows, another rule, and the totals. Lines have no trailing spaces. */
export function textTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  totals: readonly Cell[] | undefined,
  paint: { readonly header: Paint; readonly rule: Paint },
): string[] {
  const widths = columnWidths(columns, totals === undefined ? rows : [...rows, totals]);
  const rule = paint.rule("─".repeat(tableWidth(widths)));
  const header = columns.map(({ header, above, below }) => ({
    text: header,
    paint: paint.header,
    above,
    below,
  }));
  const lines = [...tableRow(columns, widths, header), rule];
  for (const row of rows) lines.push(...tableRow(columns, widths, row));
  if (totals !== undefined) lines.push(rule, ...tableRow(columns, widths, totals));
  return lines;
}

function tableRow(
  columns: readonly TableColumn[],
  widths: readonly number[],
  row: readonly Cell[],
): string[] {
  const cells = columns.map((_, index) => (row[index]?.text ?? "").split("\n"));
  const height = cells.reduce((most, lines) => Math.max(most, lines.length), 1);
  const result = row.flatMap(({ above, paint = String }) => above?.map(paint) ?? []);
  for (let line = 0; line < height; line++) {
    // Padding stays outside of the colour, so that trailing spaces can go.
    let text = "";
    let owed = "";
    columns.forEach((column, index) => {
      const content = cells[index]?.[line] ?? "";
      const fill = padText("", (widths[index] ?? 0) - textWidth(content));
      const painted = content === "" ? "" : (row[index]?.paint?.(content) ?? content);
      if (column.align === "right") owed += fill;
      if (painted !== "") {
        text += owed + painted;
        owed = "";
      }
      if (column.align === "left") owed += fill;
      owed += GAP;
    });
    result.push(text);
  }
  result.push(...row.flatMap(({ below }) => below ?? []));
  return result;
}
