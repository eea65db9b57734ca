import type { Ansis } from "ansis";
import type { Report } from "../report.ts";
import { formatNumber } from "../wording/amounts.ts";
import { undeclaredWording } from "../wording/undeclared_wording.ts";
import { plainText } from "./plain_text.ts";
import { wrapText } from "./text_width.ts";

/** The most properties that are listed. */
const MOST_LINES = 20;

/** The properties of responses that the description doesn't declare; none unless they were asked for. */
export function undeclaredLines(
  { undocumented_properties: list }: Report,
  width: number,
  colors: Ansis,
  showsAll: boolean,
): string[] {
  if (list === undefined) return [];
  const shown = showsAll ? list : list.slice(0, MOST_LINES);
  const rest = list.length - shown.length;
  return [
    colors.bold(`Undocumented properties: ${formatNumber(list.length)}`),
    ...shown.flatMap((one) => {
      const text = `${one.method} ${one.path}: ${undeclaredWording(one)}`;
      const [first = "", ...more] = wrapText(plainText(text), width - 4);
      return [`  ${first}`, ...more.map((line) => `    ${line}`)];
    }),
    ...(rest > 0 ? [colors.dim(`  … and ${formatNumber(rest)} more`)] : []),
  ];
}
