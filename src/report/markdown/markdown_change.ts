import type { Gap } from "../../map/results.ts";
import type { Comparison } from "../comparison/comparison.ts";
import { listGaps } from "../comparison/list_gaps.ts";
import { partAmounts } from "../comparison/part_amounts.ts";
import { gapText } from "../text/gap_text.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import { markdownDetails } from "./markdown_blocks.ts";
import { markdownCode, markdownText } from "./markdown_text.ts";

/** The number of gaps in a list. */
const MOST_GAPS = 10;

/**
 * The changes since the baseline: new gaps, the number of closed ones, and additions to and removals from the
 * description.
 *
 * @param valueOf What a keyword says in the description, by its schema path.
 */
export function changeSection(
  comparison: Comparison,
  valueOf?: (schema_path: string) => unknown,
): string {
  const { new_gaps, uncovered_additions, closed_gaps, added, removed } = comparison;
  const { new_findings = [] } = comparison;
  const [addedText, removedText] = [partAmounts(added), partAmounts(removed)];
  const facts = [
    `${new_gaps.length === 0 ? "no new gaps" : formatAmount(new_gaps.length, "new gap")}`,
    ...(new_findings.length === 0 ? [] : [formatAmount(new_findings.length, "new finding")]),
    `${closed_gaps.length === 0 ? "no gaps" : formatAmount(closed_gaps.length, "gap")} closed`,
    ...(addedText === "" ? [] : [`${addedText} added to the description`]),
    ...(removedText === "" ? [] : [`${removedText} removed from it`]),
  ];
  const blocks = [`Since the baseline: ${facts.join("; ")}.\n`];
  if (new_gaps.length > 0) {
    blocks.push(markdownDetails(
      formatAmount(new_gaps.length, "new gap"),
      gapItems(new_gaps, valueOf),
    ));
  }
  if (uncovered_additions.length > 0) {
    blocks.push(markdownDetails(
      `${formatAmount(uncovered_additions.length, "gap")} in what was added`,
      gapItems(uncovered_additions, valueOf),
    ));
  }
  return blocks.join("\n");
}

function gapItems(
  gaps: readonly Gap[],
  valueOf: ((schema_path: string) => unknown) | undefined,
): string {
  const { shown, rest } = listGaps(gaps, MOST_GAPS);
  const items = shown.map(({ gap, others }) =>
    `- ${markdownCode(`${gap.method} ${gap.path}`)}: ${markdownText(gapText(gap, valueOf))}${
      others === 0 ? "" : ` (${formatAmount(others, "more gap")})`
    }\n`
  );
  if (rest > 0) items.push(`- and ${formatNumber(rest)} more\n`);
  return items.join("");
}
