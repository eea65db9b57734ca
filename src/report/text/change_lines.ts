import type { Ansis } from "ansis";
import type { Finding, Gap } from "../../map/results.ts";
import type { Comparison } from "../comparison/comparison.ts";
import { listGaps } from "../comparison/list_gaps.ts";
import { partAmounts } from "../comparison/part_amounts.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import { baselineText } from "../wording/baseline_text.ts";
import { changeText } from "../wording/change_text.ts";
import { findingWording } from "../wording/finding_wording.ts";
import { gapText } from "./gap_text.ts";
import { plainText } from "./plain_text.ts";
import { wrapText } from "./text_width.ts";

/** Most gaps in a list of a text report. */
export const MOST_LISTED = 10;

/**
 * The changes since the baseline: percentages, gaps, and the description.
 *
 * @param most How many gaps each list has at most; 0 for none.
 * @param valueOf What a keyword says in the description, by its schema path; without it there is less advice.
 * @returns lines, the first of them a heading; none without a baseline.
 */
export function changeLines(
  comparison: Comparison | undefined,
  width: number,
  colors: Ansis,
  most: number = MOST_LISTED,
  valueOf?: (schema_path: string) => unknown,
): string[] {
  if (comparison === undefined) return [];
  const { baseline, new_gaps, uncovered_additions, closed_gaps, added, removed } = comparison;
  const { new_findings = [] } = comparison;
  const changes = Object.entries(comparison.summary).flatMap(([dimension, { percent, change }]) =>
    percent === null || change === null || change === 0
      ? []
      : [`${dimension} ${changeText(percent + change, percent)}`]
  );
  const [addedText, removedText] = [partAmounts(added), partAmounts(removed)];
  const lines = [
    ...(changes.length === 0 ? [] : wrapped(`Change in points: ${changes.join(", ")}`, width)),
    ...gapLines(
      new_gaps,
      formatAmount(new_gaps.length, "new gap"),
      { width, most, valueOf, paint: colors.red },
    ),
    ...findingLines(new_findings, width, most, colors.red),
    ...(closed_gaps.length === 0
      ? []
      : [`  ${colors.green(`${formatAmount(closed_gaps.length, "gap")} closed`)}`]),
    ...(addedText === "" ? [] : wrapped(`Added to the description: ${addedText}`, width)),
    ...gapLines(
      uncovered_additions,
      `${formatAmount(uncovered_additions.length, "gap")} in what was added`,
      { width, most, valueOf, paint: colors.yellow },
    ),
    ...(removedText === "" ? [] : wrapped(`Removed from it: ${removedText}`, width)),
  ];
  const heading = `Since the ${baselineText(baseline)}`;
  return [
    ...wrapText(plainText(heading), width).map((line) => colors.bold(line)),
    ...(lines.length === 0 ? ["  No change"] : lines),
  ];
}

function gapLines(
  gaps: readonly Gap[],
  title: string,
  layout: {
    readonly width: number;
    readonly most: number;
    readonly valueOf: ((schema_path: string) => unknown) | undefined;
    readonly paint: (text: string) => string;
  },
): string[] {
  const { width, most, valueOf, paint } = layout;
  if (gaps.length === 0) return [];
  if (most === 0) return [`  ${paint(title)}`];
  return [
    `  ${paint(`${title}:`)}`,
    ...gapSentences(gaps, most, valueOf).flatMap((sentence) =>
      wrapText(sentence, width - 4).map((line) => `    ${line}`)
    ),
  ];
}

function findingLines(
  findings: readonly Finding[],
  width: number,
  most: number,
  paint: (text: string) => string,
): string[] {
  if (findings.length === 0) return [];
  const title = formatAmount(findings.length, "new finding");
  if (most === 0) return [`  ${paint(title)}`];
  const rest = findings.length - most;
  const sentences = findings.slice(0, most).map((finding) =>
    plainText(`${finding.method} ${finding.path}: ${findingWording(finding)}`)
  );
  return [
    `  ${paint(`${title}:`)}`,
    ...[...sentences, ...(rest > 0 ? [`and ${formatNumber(rest)} more`] : [])]
      .flatMap((sentence) => wrapText(sentence, width - 4).map((line) => `    ${line}`)),
  ];
}

/**
 * The first gaps of a list, each as a sentence without a full stop, and how many more there are.
 *
 * @param valueOf What a keyword says in the description, by its schema path; without it there is less advice.
 */
export function gapSentences(
  gaps: readonly Gap[],
  most: number,
  valueOf?: (schema_path: string) => unknown,
): string[] {
  const { shown, rest } = listGaps(gaps, most);
  const sentences = shown.map(({ gap, others }) =>
    `${plainText(`${gap.method} ${gap.path}`)}: ${gapText(gap, valueOf)}${
      others === 0 ? "" : ` (${formatAmount(others, "more gap")})`
    }`
  );
  return rest === 0 ? sentences : [...sentences, `and ${formatNumber(rest)} more`];
}

function wrapped(text: string, width: number): string[] {
  return wrapText(text, width - 2).map((line) => `  ${line}`);
}
