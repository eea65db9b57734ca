export type Row = readonly (string | number)[];

/** A Markdown table with a title and aligned columns. */
export function table(title: string, head: readonly string[], rows: readonly Row[]): string {
  const texts = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    "| " + row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
    ).join(" | ") + " |";
  const rule = "| " +
    widths.map((width, column) => column === 0 ? "-".repeat(width) : "-".repeat(width - 1) + ":")
      .join(" | ") +
    " |";
  return [`### ${title}`, "", line(head), rule, ...texts.slice(1).map(line), ""].join("\n");
}
