import type { Report } from "../report.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import { excludedAmounts, exclusionOrigin } from "../wording/exclusion_wording.ts";
import { markdownDetails, markdownTable } from "./markdown_blocks.ts";
import { markdownCode, markdownText } from "./markdown_text.ts";

/** The number of exclusions listed; the rest is counted. */
const MOST_ROWS = 20;

/** The exclusions from the numbers, with their sources and reasons; empty if there are none. */
export function exclusionSection({ exclusions = [] }: Report): string {
  if (exclusions.length === 0) return "";
  const stale = exclusions.filter((exclusion) => exclusion.stale !== null);
  const rows = exclusions.slice(0, MOST_ROWS).map((exclusion) => [
    markdownCode(exclusion.pattern) +
    (exclusion.schema_path === undefined ? "" : ` at ${markdownCode(exclusion.schema_path)}`),
    markdownText(exclusion.reason ?? "–"),
    markdownText(exclusionOrigin(exclusion)),
    excludedAmounts(exclusion) +
    (exclusion.stale === null ? "" : `. **Stale:** ${markdownText(exclusion.stale)}`),
  ]);
  const more = exclusions.length > MOST_ROWS
    ? `\nAnd ${formatNumber(exclusions.length - MOST_ROWS)} more.\n`
    : "";
  return markdownDetails(
    `Excluded: ${formatAmount(exclusions.length, "exclusion")}${
      stale.length === 0 ? "" : `, ${formatNumber(stale.length)} stale`
    }`,
    markdownTable(["Excluded", "Reason", "Source", "Leaves out"], [], rows) + more,
  );
}
