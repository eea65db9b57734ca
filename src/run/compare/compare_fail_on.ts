import type { UsageItem, UsageReport } from "../../report/usage/usage_report.ts";
import { usageItemText } from "../../report/usage/usage_wording.ts";
import { formatAmount, formatPercent } from "../../report/wording/amounts.ts";
import type { FailedCondition } from "../fail_on.ts";

/** A kind of condition of `covtool compare --fail-on`. To add one, add its entry to {@linkcode COMPARE_FAIL_ON_KINDS}. */
export interface CompareFailOnKind {
  readonly name: string;
  /** The condition, for completion. */
  readonly description: string;
  /** Other words that people try for it; `--fail-on` names the right one in its error. */
  readonly aliases: readonly string[];
  /** True if a percentage may follow after `=`. */
  readonly takesPercent?: true;
  /** Judges a comparison. */
  readonly check: (report: UsageReport, percent: number | undefined) => readonly string[];
}

export interface CompareCondition {
  readonly kind: string;
  readonly percent?: number | undefined;
}

const MOST_ITEMS = 10;

const NOTHING = {
  tests: "No request of tests matches an operation.",
  production: "No request of production matches an operation, so nothing can be compared.",
} as const;

export const COMPARE_FAIL_ON_KINDS: readonly CompareFailOnKind[] = [
  {
    name: "untested-used",
    description: "production uses something that no test exercises",
    aliases: ["gap", "gaps", "missing", "untested", "used", "used-untested", "uncovered"],
    takesPercent: true,
    check: ({ untested, production }, percent = 0) => {
      // A wrong folder of logs must not let a build pass.
      if (production.matched === 0) return [NOTHING.production];
      const meant = untested.filter(({ share }) => (share ?? 0) >= percent);
      return itemSentences(meant);
    },
  },
  {
    name: "no-traffic",
    description: "no request of tests, or none of production, matched",
    aliases: ["empty", "no-match", "no-requests", "nothing-matched", "unmatched"],
    check: (report) =>
      (["tests", "production"] as const).filter((side) => report[side].matched === 0)
        .map((side) => NOTHING[side]),
  },
];

export function compareConditionText({ kind, percent }: CompareCondition): string {
  return percent === undefined ? kind : `${kind}=${percent}%`;
}

/** The conditions that fail a comparison, each once, in the order in which they were given. */
export function checkCompareFailOn(
  conditions: readonly CompareCondition[],
  report: UsageReport,
): FailedCondition[] {
  const distinct = new Map(conditions.map((given) => [compareConditionText(given), given]));
  return [...distinct].flatMap(([condition, { kind, percent }]) => {
    const check = COMPARE_FAIL_ON_KINDS.find(({ name }) => name === kind)?.check;
    const reasons = check?.(report, percent) ?? [];
    return reasons.length === 0 ? [] : [{ condition, reasons }];
  });
}

function itemSentences(items: readonly UsageItem[]): string[] {
  if (items.length === 0) return [];
  const more = items.length - MOST_ITEMS;
  return [
    `Production uses ${formatAmount(items.length, "thing")} that tests don't exercise:`,
    ...items.slice(0, MOST_ITEMS).map((item) => {
      const part = usageItemText(item);
      return `${item.method} ${item.path}${part === "" ? "" : `: ${part}`} (${
        formatAmount(item.production, "time")
      }, ${formatPercent(item.share)} of the requests)`;
    }),
    ...(more > 0 ? [`${formatAmount(more, "more", "more")}.`] : []),
  ];
}
