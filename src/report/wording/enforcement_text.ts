import type { EnforcementSummary } from "../../map/results.ts";
import { formatPercent } from "../percent.ts";
import { formatNumber } from "./amounts.ts";

/**
 * The number of rules that the API has proven to enforce; undefined where nothing was answered, or there are no rules.
 *
 * @example
 * ```ts
 * import { enforcementText } from "./enforcement_text.ts";
 * import assert from "node:assert/strict";
 *
 * const enforcement = { enforced: 3, not_enforced: 1, total: 40, percent: 7.5, measured: true };
 * assert.equal(
 *   enforcementText(enforcement),
 *   "3 of 40 rules proven (7.5%), 1 accepted although invalid",
 * );
 * ```
 */
export function enforcementText(enforcement: EnforcementSummary | undefined): string | undefined {
  if (enforcement?.measured !== true || enforcement.total === 0) return undefined;
  return rulesText(enforcement, ` (${formatPercent(enforcement.percent)})`);
}

/** As {@linkcode enforcementText}, without the percentage. */
export function enforcementCounts(
  enforcement: EnforcementSummary | undefined,
): string | undefined {
  if (enforcement?.measured !== true || enforcement.total === 0) return undefined;
  return rulesText(enforcement, "");
}

function rulesText({ enforced, not_enforced, total }: EnforcementSummary, percent: string): string {
  const accepted = not_enforced === 0
    ? ""
    : `, ${formatNumber(not_enforced)} accepted although invalid`;
  return `${formatNumber(enforced)} of ${formatNumber(total)} rules proven${percent}${accepted}`;
}
