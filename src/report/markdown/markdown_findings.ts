import type { Report } from "../report.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import { findingCounts, findingGroups } from "../wording/finding_groups.ts";
import { undeclaredWording } from "../wording/undeclared_wording.ts";
import { findingWording } from "../wording/finding_wording.ts";
import { markdownDetails } from "./markdown_blocks.ts";
import { markdownCode, markdownText } from "./markdown_text.ts";

/** The number of findings of a kind that are listed; the rest is counted. */
const MOST_ITEMS = 5;
/** The most undocumented properties that are listed. */
const MOST_UNDECLARED = 20;
/** The longest sentence of a finding: it names a rule and its parameter. */
const LONGEST = 200;

/** The properties of responses that the description doesn't declare; empty without any. */
export function undeclaredSection({ undocumented_properties: list = [] }: Report): string {
  if (list.length === 0) return "";
  const items = list.slice(0, MOST_UNDECLARED).map((one) =>
    `- ${markdownCode(`${one.method} ${one.path}`)}: ${
      markdownText(undeclaredWording(one), LONGEST)
    }\n`
  );
  const rest = list.length - items.length;
  if (rest > 0) items.push(`- and ${formatNumber(rest)} more\n`);
  return markdownDetails(
    formatAmount(list.length, "undocumented property", "undocumented properties"),
    items.join(""),
  );
}

/** The findings: counts, and closed until somebody opens them the worst of each kind. Empty without findings. */
export function findingSection({ findings }: Report): string {
  const groups = findingGroups(findings);
  if (groups.length === 0) return "";
  const lists = groups.map(({ kind, findings }) => {
    const items = findings.slice(0, MOST_ITEMS).map((finding) =>
      `- ${markdownCode(`${finding.method} ${finding.path}`)}: ${
        markdownText(findingWording(finding), LONGEST)
      }\n`
    );
    const rest = findings.length - items.length;
    if (rest > 0) items.push(`- and ${formatNumber(rest)} more\n`);
    return `**${kind.title}**\n\n${items.join("")}`;
  });
  return markdownDetails(`Findings: ${findingCounts(groups)}`, lists.join("\n"));
}
