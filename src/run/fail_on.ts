import type { Finding, Gap } from "../map/results.ts";
import type { BaseReport } from "../report/base_report.ts";
import { listGaps } from "../report/comparison/list_gaps.ts";
import { explainNothingMatched } from "../report/text/nothing_matched.ts";
import { staleExclusions } from "../report/wording/stale_exclusions.ts";
import type { Report } from "../report/report.ts";
import { gapSentences } from "../report/text/change_lines.ts";
import { FINDING_KINDS, findingWording } from "../report/wording/finding_wording.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import { CommandError } from "./command_error.ts";
import { DECREASE_CHOICES, decreases } from "./decrease.ts";

/** Facts that conditions of `--fail-on` judge. */
export interface FailOnContext {
  readonly report: Report;
  /** The baseline that it was compared with. */
  readonly base?: BaseReport | undefined;
  /** The value of a keyword in the description, by its schema path. */
  readonly valueOf?: ((schema_path: string) => unknown) | undefined;
}

/** One kind of condition. To add a kind, add its entry to {@linkcode FAIL_ON_KINDS}. */
export interface FailOnKind {
  /** Value of `--fail-on`. */
  readonly name: string;
  /** The condition, for completion: `no request matched`. */
  readonly description: string;
  /** Other words that people try for it; `--fail-on` names the right one in its error. */
  readonly aliases: readonly string[];
  /** The arguments allowed after the name and `=`; none if undefined. */
  readonly argument?: {
    readonly metavar: string;
    readonly choices: readonly string[];
  };
  /** True for one kind of finding: help names only some of them. */
  readonly isFinding?: true;
  /** True for what is judged by the difference from a baseline, without which it is an error. */
  readonly needsBaseline?: true;
  /**
   * Judges a finished measurement.
   *
   * @param argument The text after `=`, one of the choices; undefined without one.
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
  /** The reasons: sentences. */
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
  {
    name: "new-gaps",
    description: "something that the baseline covers is not covered any more",
    aliases: ["gaps", "lost", "new", "regression", "regressions"],
    needsBaseline: true,
    check: ({ report: { comparison }, valueOf }) => {
      const gaps = comparison?.new_gaps ?? [];
      const what = gaps.length === 1 ? "This gap was" : `These ${gaps.length} gaps were`;
      return gaps.length === 0
        ? []
        : [`${what} closed in the baseline:`, ...gapSentences(gaps, MOST_GAPS, valueOf)];
    },
  },
  {
    name: "uncovered-additions",
    description: "an operation, parameter or response was added and never exercised",
    aliases: ["additions", "new-operations", "uncovered", "untested"],
    needsBaseline: true,
    check: ({ report: { comparison } }) => {
      const gaps = (comparison?.uncovered_additions ?? []).filter(isOfPart);
      const number = listGaps(gaps, Infinity).shown.length;
      const what = `${formatAmount(number, "addition")} to the description ${
        number === 1 ? "was" : "were"
      } never exercised:`;
      return number === 0 ? [] : [what, ...gapSentences(gaps, MOST_GAPS)];
    },
  },
  {
    name: "decrease",
    description: "a percentage is lower than in the baseline",
    aliases: ["decreased", "drop", "fall", "less", "lower"],
    argument: { metavar: "DIMENSION", choices: DECREASE_CHOICES },
    needsBaseline: true,
    check: ({ report, base }, argument) => decreases(report, base, argument),
  },
  ...FINDING_KINDS.map(({ kind, description }): FailOnKind => ({
    name: kind,
    description,
    aliases: [kind.replaceAll("_", "-")],
    isFinding: true,
    check: ({ report }) => findingSentences(report, (finding) => finding.kind === kind),
  })),
  {
    name: "new-findings",
    description: "there is a finding that the baseline lacks, but for never_succeeded",
    aliases: ["new-finding"],
    needsBaseline: true,
    check: ({ report: { comparison } }) =>
      findingSentences({ findings: comparison?.new_findings }, isContradiction),
  },
  {
    name: "all",
    description: `any finding but ${
      FINDING_KINDS.filter(({ isContradiction }) => !isContradiction).map(({ kind }) => kind)
        .join(", ")
    }`,
    aliases: ["any", "finding", "findings"],
    check: ({ report }) => findingSentences(report, isContradiction),
  },
];

/** The kinds of findings that some of the conditions fail on. */
export function failingFindings(conditions: readonly FailOnCondition[]): Finding["kind"][] {
  return FINDING_KINDS.filter((known) =>
    conditions.some(({ kind }) => kind === known.kind || kind === "all" && known.isContradiction)
  ).map(({ kind }) => kind);
}

/** The number of findings that a condition lists. */
const MOST_FINDINGS = 10;

function isContradiction(finding: Finding): boolean {
  return FINDING_KINDS.some((known) => known.kind === finding.kind && known.isContradiction);
}

function findingSentences(
  { findings = [] }: { readonly findings?: readonly Finding[] | undefined },
  isMeant: (finding: Finding) => boolean,
): string[] {
  const meant = findings.filter(isMeant);
  const sentences = meant.slice(0, MOST_FINDINGS).map((finding) =>
    `${finding.method} ${finding.path}: ${findingWording(finding)}`
  );
  const more = meant.length - sentences.length;
  return more === 0 ? sentences : [...sentences, `${formatAmount(more, "more finding")}.`];
}

/** The number of gaps that a condition lists. */
const MOST_GAPS = 10;

function isOfPart({ kind }: Gap): boolean {
  return kind === "operation_uncovered" || kind === "parameter_uncovered" ||
    kind === "response_uncovered";
}

/**
 * Checks that no condition asks what was added, before there is traffic.
 *
 * @param path The baseline, which does not tell.
 * @throws {CommandError} if one does.
 */
export function checkAdditions(conditions: readonly FailOnCondition[], path: string): void {
  if (!conditions.some(({ kind }) => kind === "uncovered-additions")) return;
  throw new CommandError(
    `--fail-on uncovered-additions cannot tell what was added since ${path}: it has hits of another version of the description, and hits do not tell all that it had. Use a report of --format json as the baseline.`,
  );
}

/**
 * Checks that conditions can be judged, before there is traffic.
 *
 * @throws {CommandError} if a condition needs a baseline and none is given.
 */
export function checkConditions(
  conditions: readonly FailOnCondition[],
  { baseline }: { readonly baseline: string | undefined },
): void {
  if (baseline !== undefined) return;
  const lacking = conditions.find(({ kind }) =>
    FAIL_ON_KINDS.some(({ name, needsBaseline }) => name === kind && needsBaseline === true)
  );
  if (lacking === undefined) return;
  throw new CommandError(
    `--fail-on ${
      conditionText(lacking)
    } compares with a baseline. Add --baseline PATH, with a report that an earlier run wrote with --format json.`,
  );
}

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
 * import type { Report } from "../report/report.ts";
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
