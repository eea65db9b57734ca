import type { Ansis } from "ansis";
import type { Gap } from "../../map/results.ts";
import type { Tone } from "../blocks/block.ts";
import { gapList, newFindingList } from "../blocks/coverage_blocks.ts";
import { textLines } from "../blocks/text_blocks.ts";
import { compareReports } from "../comparison/compare_reports.ts";
import { dimensionFigures } from "../figures.ts";
import { resultIdentity } from "../comparison/comparison.ts";
import { changeText, formatAmount, formatPercent } from "../wording/amounts.ts";
import type { Report } from "../report.ts";
import { findingGroups } from "../wording/finding_wording.ts";

const MAX_LISTED = 5;

export function watchDiff(
  report: Report,
  before: Report,
  width: number,
  colors: Ansis,
  keywordValue?: (schema_path: string) => unknown,
): string[] {
  const oldFigures = dimensionFigures(before.summary);
  const figures = dimensionFigures(report.summary).flatMap(({ label, percent, counts }, index) => {
    const old = oldFigures[index];
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
  const list = (gaps: readonly Gap[], fate: string, tone: Tone) =>
    gapList(`${formatAmount(gaps.length, "gap")} ${fate}`, gaps, tone, MAX_LISTED, keywordValue);
  const known = new Set(before.findings?.map(resultIdentity));
  const found = findingGroups(report.findings).flatMap(({ findings }) => findings)
    .filter((finding) => !known.has(resultIdentity(finding)));
  const lines = [
    ...requests,
    ...figures,
    ...textLines([
      ...list(closed_gaps, "closed", "good"),
      ...list(opened, "opened", "bad"),
      ...newFindingList(found, MAX_LISTED),
    ], { width, wraps: true, colors }),
  ];
  return lines.length === 0 ? ["No figure changed."] : lines;
}
