/** The cells of a row: Markdown. */
export type MarkdownRow = readonly string[];

/** A table of Markdown cells; `right` are the columns with numbers. */
export function markdownTable(
  headers: MarkdownRow,
  right: readonly number[],
  rows: readonly MarkdownRow[],
): string {
  const rule = headers.map((_, index) => right.includes(index) ? "--:" : ":--");
  return [headers, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** A part that is closed until somebody opens it; the summary is Markdown without markup of its own. */
export function markdownDetails(summary: string, content: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${content}\n</details>\n`;
}
