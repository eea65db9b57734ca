import type { Ansis } from "ansis";
import { compareReports } from "../comparison/compare_reports.ts";
import { dimensionRows } from "../dimension_rows.ts";
import { formatPercent } from "../percent.ts";
import type { Report } from "../report.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import { findingGroups } from "../wording/finding_groups.ts";
import { findingWording } from "../wording/finding_wording.ts";
import { findingIdentity } from "../finding_identity.ts";
import { changeText } from "../wording/change_text.ts";
import { gapText } from "./gap_text.ts";
import { plainText } from "./plain_text.ts";
import { wrapText } from "./text_width.ts";
import type { Finding, Gap } from "../../map/results.ts";

/** Most gaps of a kind, or findings, that are listed. */
const MOST_LISTED = 5;

/**
 * The changes between two measurements of one session: figures, and gaps that were closed or opened, and new findings.
 *
 * @param valueOf What a keyword says in the description, by its schema path.
 * @returns lines; a single one where nothing changed.
 */
export function roundLines(
  report: Report,
  before: Report,
  width: number,
  colors: Ansis,
  valueOf?: (schema_path: string) => unknown,
): string[] {
  const was = dimensionRows(before.summary);
  const figures = dimensionRows(report.summary).flatMap(({ label, percent, counts }, index) => {
    const old = was[index];
    if (old === undefined || old.counts === counts && old.percent === percent) return [];
    const change = changeText(percent, old.percent);
    const paint = change.startsWith("+")
      ? colors.green
      : change.startsWith("−")
      ? colors.red
      : String;
    const points = /^[+−]/.test(change) ? ` (${paint(change)})` : "";
    return [
      `${label.padEnd(10)} ${formatPercent(old.percent)} → ${
        formatPercent(percent)
      }${points}  ${counts}`,
    ];
  });
  const { closed_gaps, new_gaps, uncovered_additions } = compareReports(report, before);
  const opened = [...new_gaps, ...uncovered_additions];
  const recorded = report.traffic.recorded - before.traffic.recorded;
  const requests = recorded === 0
    ? []
    : [`${formatAmount(Math.abs(recorded), "request")} ${recorded > 0 ? "more" : "fewer"}`];
  const list = (gaps: readonly Gap[], word: string, paint: (text: string) => string): string[] => {
    if (gaps.length === 0) return [];
    const lines = gaps.slice(0, MOST_LISTED).flatMap((gap) =>
      wrapText(`${plainText(`${gap.method} ${gap.path}`)}: ${gapText(gap, valueOf)}`, width - 4)
        .map((line) => `    ${line}`)
    );
    const more = gaps.length > MOST_LISTED
      ? [`    and ${formatNumber(gaps.length - MOST_LISTED)} more`]
      : [];
    return [`  ${paint(`${formatAmount(gaps.length, "gap")} ${word}:`)}`, ...lines, ...more];
  };
  const known = new Set(before.findings?.map(findingIdentity));
  const found = findingGroups(report.findings).flatMap(({ findings }) => findings)
    .filter((finding) => !known.has(findingIdentity(finding)));
  const lines = [
    ...requests,
    ...figures,
    ...list(closed_gaps, "closed", colors.green),
    ...list(opened, "opened", colors.red),
    ...foundLines(found, width, colors),
  ];
  return lines.length === 0 ? ["No figure changed."] : lines;
}

/** The findings that are new since the last measurement, the worst first. */
function foundLines(findings: readonly Finding[], width: number, colors: Ansis): string[] {
  if (findings.length === 0) return [];
  const more = findings.length - MOST_LISTED;
  return [
    `  ${colors.red(`${formatAmount(findings.length, "new finding")}:`)}`,
    ...findings.slice(0, MOST_LISTED).flatMap((finding) =>
      wrapText(
        plainText(`${finding.method} ${finding.path}: ${findingWording(finding)}`),
        width - 4,
      ).map((line) => `    ${line}`)
    ),
    ...(more > 0 ? [`    and ${formatNumber(more)} more`] : []),
  ];
}
