import { explainNothingMatched } from "../report/text/nothing_matched.ts";
import { staleExclusions } from "../report/wording/stale_exclusions.ts";
import type { Report } from "../report/report.ts";

/** Facts that conditions of `--fail-on` judge. */
export interface FailOnContext {
  readonly report: Report;
}

/** One kind of condition. To add a kind, add its entry to {@linkcode FAIL_ON_KINDS}. */
export interface FailOnKind {
  /** Value of `--fail-on`. */
  readonly name: string;
  /** The condition, for completion: `no request matched`. */
  readonly description: string;
  /** Other words that people try for it; `--fail-on` names the right one in its error. */
  readonly aliases: readonly string[];
  /** What can follow the name and `=`; without it, nothing can. */
  readonly argument?: {
    readonly metavar: string;
    readonly choices: readonly string[];
  };
  /**
   * Judges a finished measurement.
   *
   * @param argument The text after `=`, one of the choices; undefined if there is none.
   * @returns why the run fails: sentences; none if it doesn't.
   */
  readonly check: (context: FailOnContext, argument: string | undefined) => readonly string[];
}

/** A condition on which a run fails: `decrease=keywords`. */
export interface FailOnCondition {
  readonly kind: string;
  readonly argument?: string | undefined;
}

/** A condition that fails the run. */
export interface FailedCondition {
  /** As it is written: `no-traffic`. */
  readonly condition: string;
  /** Why: sentences. */
  readonly reasons: readonly string[];
}

/** Every kind of condition, in the order in which help and errors list them. Everything else about kinds follows from it. */
export const FAIL_ON_KINDS: readonly FailOnKind[] = [
  {
    name: "no-traffic",
    description: "no request matched",
    aliases: ["empty", "no-match", "no-matches", "no-requests", "nothing-matched", "unmatched"],
    check: ({ report }) => {
      const explained = explainNothingMatched(report, String);
      return explained === undefined ? [] : [explained.problem];
    },
  },
  {
    name: "stale-exclusions",
    description: "an exclusion matches nothing, is past its date, or is covered",
    aliases: ["exclusions", "expired-exclusions", "stale", "unused-exclusions"],
    check: ({ report }) => staleExclusions(report),
  },
];

/** A condition as it is written: `decrease=keywords`. */
export function conditionText({ kind, argument }: FailOnCondition): string {
  return argument === undefined ? kind : `${kind}=${argument}`;
}

/** The ways in which conditions of a kind are written: `decrease`, `decrease=keywords`. */
export function usualConditions({ name, argument }: FailOnKind): string[] {
  return [name, ...(argument?.choices ?? []).map((choice) => `${name}=${choice}`)];
}

/**
 * The conditions that fail a run, each once, in the order in which they were given.
 *
 * @example
 * ```ts
 * import { checkFailOn } from "./fail_on.ts";
 * import { staleExclusions } from "../report/wording/stale_exclusions.ts";
import type { Report } from "../report/report.ts";
 * import assert from "node:assert/strict";
 *
 * const report = { traffic: { recorded: 0, matched: 0 } } as Report;
 * assert.deepEqual(checkFailOn([{ kind: "no-traffic" }], { report }), [
 *   { condition: "no-traffic", reasons: ["The traffic contains no requests."] },
 * ]);
 * ```
 */
export function checkFailOn(
  conditions: readonly FailOnCondition[],
  context: FailOnContext,
): FailedCondition[] {
  const distinct = new Map(conditions.map((given) => [conditionText(given), given]));
  return [...distinct].flatMap(([condition, { kind, argument }]) => {
    const check = FAIL_ON_KINDS.find(({ name }) => name === kind)?.check;
    const reasons = check?.(context, argument) ?? [];
    return reasons.length === 0 ? [] : [{ condition, reasons }];
  });
}
