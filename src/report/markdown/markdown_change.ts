import { formatPercent } from "../percent.ts";
import type { BaseReport } from "../base_report.ts";
import { gapIdentity } from "../gap_identity.ts";
import type { Report } from "../report.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import { gapText } from "../text/gap_text.ts";
import { markdownDetails } from "./markdown_blocks.ts";
import { markdownCode, markdownText } from "./markdown_text.ts";

/** How many new gaps are listed. */
const MOST_GAPS = 10;

/**
 * How far a percentage moved, in percentage points.
 *
 * @example
 * ```ts
 * import { changeText } from "./markdown_change.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(changeText(50, 47.5), "+2.5");
 * assert.equal(changeText(50, 50.01), "−<0.1");
 * assert.equal(changeText(50, null), "–");
 * ```
 */
export function changeText(now: number | null, before: number | null): string {
  if (now === null || before === null) return "–";
  if (now === before) return "±0";
  return (now > before ? "+" : "−") + formatPoints(Math.abs(now - before));
}

function formatPoints(points: number): string {
  return points >= 100 ? "100" : formatPercent(points).replace("%", "");
}

/**
 * Which gaps are new since the base, and how many are closed.
 *
 * @param valueOf What a keyword says in the description, by its schema path.
 */
export function changeSection(
  report: Report,
  base: BaseReport,
  valueOf?: (schema_path: string) => unknown,
): string {
  const before = new Set(base.gaps.map(gapIdentity));
  const now = new Set(report.gaps.map(gapIdentity));
  const fresh = report.gaps.filter((gap) => !before.has(gapIdentity(gap)));
  const closed = base.gaps.filter((gap) => !now.has(gapIdentity(gap))).length;
  if (fresh.length === 0 && closed === 0) return "No gap opened or closed since the base.\n";
  const closedText = `${formatAmount(closed, "gap")} closed since the base`;
  if (fresh.length === 0) return `No gap opened and ${closedText}.\n`;
  const lines = fresh.slice(0, MOST_GAPS).map((gap) =>
    `- ${markdownCode(`${gap.method} ${gap.path}`)}: ${markdownText(gapText(gap, valueOf))}\n`
  );
  if (fresh.length > MOST_GAPS) {
    lines.push(`- and ${formatNumber(fresh.length - MOST_GAPS)} more\n`);
  }
  return markdownDetails(
    `${formatAmount(fresh.length, "gap")} opened and ${closedText}`,
    lines.join(""),
  );
}
