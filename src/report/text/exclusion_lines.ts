import type { Ansis } from "ansis";
import type { Report } from "../report.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import { excludedAmounts, exclusionOrigin } from "../wording/exclusion_wording.ts";
import { plainText } from "./plain_text.ts";
import { wrapText } from "./text_width.ts";

/** The number of exclusions shown; the rest is counted. */
const MOST_LINES = 20;

/** The exclusions from the numbers, with their sources and reasons. */
export function exclusionLines(report: Report, width: number, colors: Ansis): string[] {
  const { exclusions = [] } = report;
  if (exclusions.length === 0) return [];
  const lines = [colors.bold(`Excluded: ${formatAmount(exclusions.length, "exclusion")}`)];
  for (const exclusion of exclusions.slice(0, MOST_LINES)) {
    const { pattern, reason, schema_path, stale } = exclusion;
    const what = schema_path === undefined ? pattern : `${pattern} at ${schema_path}`;
    const why = reason === null ? "" : `: ${reason}`;
    const texts = [
      `${what} (${exclusionOrigin(exclusion)})${why}`,
      `leaves out ${excludedAmounts(exclusion)}`,
    ];
    const [head = "", ...rest] = texts.flatMap((text) => wrapText(plainText(text), width - 4));
    lines.push(`  ${head}`, ...rest.map((line) => colors.dim(`    ${line}`)));
    if (stale === null) continue;
    const warning = wrapText(plainText(`stale: ${stale}`), width - 4);
    lines.push(...warning.map((line) => colors.yellow(`    ${line}`)));
  }
  if (exclusions.length > MOST_LINES) {
    lines.push(colors.dim(`… and ${formatNumber(exclusions.length - MOST_LINES)} more`));
  }
  return lines;
}
