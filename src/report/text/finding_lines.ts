import type { Ansis } from "ansis";
import type { Report } from "../report.ts";
import { formatNumber } from "../wording/amounts.ts";
import { findingCounts, findingGroups } from "../wording/finding_groups.ts";
import { findingWording } from "../wording/finding_wording.ts";
import { plainText } from "./plain_text.ts";
import { wrapText } from "./text_width.ts";

/** The number of findings of a kind that are listed unless all are asked for. */
const MOST_LINES = 10;

/** The findings by kind, the worst first. */
export function findingLines(
  { findings }: Report,
  width: number,
  colors: Ansis,
  showsAll: boolean,
): string[] {
  const groups = findingGroups(findings);
  if (groups.length === 0) return [];
  const most = showsAll ? Infinity : MOST_LINES;
  return [
    colors.bold(`Findings: ${formatNumber(findings?.length ?? 0)}`),
    ...groups.flatMap(({ kind, findings }) => {
      const paint = kind.isContradiction ? colors.red : colors.yellow;
      const rest = findings.length - most;
      return [
        `  ${paint(`${kind.title}: ${formatNumber(findings.length)}`)}`,
        ...findings.slice(0, most).flatMap((finding) => {
          const text = `${finding.method} ${finding.path}: ${findingWording(finding)}`;
          const [first = "", ...more] = wrapText(plainText(text), width - 6);
          return [`    ${first}`, ...more.map((line) => `      ${line}`)];
        }),
        ...(rest > 0 ? [colors.dim(`    … and ${formatNumber(rest)} more`)] : []),
      ];
    }),
  ];
}

/** The number of findings of each kind. */
export function findingCountLines({ findings }: Report, width: number, colors: Ansis): string[] {
  const groups = findingGroups(findings);
  if (groups.length === 0) return [];
  const paint = groups.some(({ kind }) => kind.isContradiction) ? colors.red : colors.yellow;
  return wrapText(`Findings: ${findingCounts(groups)}`, width).map((line) => paint(line));
}
