import type { UsageItem, UsageReport } from "../report/usage/usage_report.ts";
import { usageItemText } from "../report/usage/usage_wording.ts";
import { formatAmount, formatPercent } from "../report/wording/amounts.ts";
import {
  type ConditionKind,
  distinctConditions,
  type FailedCondition,
  type FailOnCondition,
} from "./fail_on.ts";

/** A kind of condition of `covtool compare --fail-on`. To add one, add its entry to {@linkcode COMPARE_FAIL_ON_KINDS}. */
export interface CompareFailOnKind extends ConditionKind {
  readonly check: (report: UsageReport, percent: string | undefined) => readonly string[];
}

const MAX_ITEMS = 10;

const NO_MATCH = {
  tests: "No request of tests matches an operation.",
  production: "No request of production matches an operation, so nothing can be compared.",
} as const;

export const COMPARE_FAIL_ON_KINDS: readonly CompareFailOnKind[] = [
  {
    name: "untested-used",
    description: "production uses something that no test exercises",
    aliases: ["gap", "gaps", "missing", "untested", "used", "used-untested", "uncovered"],
    argument: { metavar: "PERCENT" },
    check: ({ untested, production }, percent = "0%") => {
      // A wrong folder of logs must not let a build pass.
      if (production.matched === 0) return [NO_MATCH.production];
      const least = Number.parseFloat(percent);
      return itemSentences(untested.filter(({ share }) => (share ?? 0) >= least));
    },
  },
  {
    name: "no-traffic",
    description: "no request of tests, or none of production, matched",
    aliases: ["empty", "no-match", "no-requests", "nothing-matched", "unmatched"],
    check: (report) =>
      (["tests", "production"] as const).filter((side) => report[side].matched === 0)
        .map((side) => NO_MATCH[side]),
  },
];

/** Returns the conditions that fail a comparison, each once, in the given order. */
export function checkCompareFailOn(
  conditions: readonly FailOnCondition[],
  report: UsageReport,
): FailedCondition[] {
  return distinctConditions(conditions, COMPARE_FAIL_ON_KINDS)
    .map(({ condition, kind, argument }) => ({ condition, reasons: kind.check(report, argument) }))
    .filter(({ reasons }) => reasons.length > 0);
}

function itemSentences(items: readonly UsageItem[]): string[] {
  if (items.length === 0) return [];
  const more = items.length - MAX_ITEMS;
  return [
    `Production uses ${formatAmount(items.length, "thing")} that tests don't exercise:`,
    ...items.slice(0, MAX_ITEMS).map((item) => {
      const part = usageItemText(item);
      return `${item.method} ${item.path}${part === "" ? "" : `: ${part}`} (${
        formatAmount(item.production, "time")
      }, ${formatPercent(item.share)} of the requests)`;
    }),
    ...(more > 0 ? [`${formatAmount(more, "more", "more")}.`] : []),
  ];
}
