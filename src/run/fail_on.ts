import { type Dimension, DIMENSIONS, type Finding, type Gap } from "../map/results.ts";
import { type Measure, OPTIONAL_MEASURES } from "../map/thresholds.ts";
import type { BaseReport } from "../report/base_report.ts";
import { proseText } from "../report/blocks/block.ts";
import { gapSentences } from "../report/blocks/coverage_blocks.ts";
import { formatAmount, formatPercent } from "../report/wording/amounts.ts";
import type { Report } from "../report/report.ts";
import { listGaps } from "../report/text/gap_text.ts";
import { explainNothingMatched } from "../report/text/nothing_matched.ts";
import { unnoticedText } from "../report/wording/noticed_wording.ts";
import { FINDING_KINDS, findingWording } from "../report/wording/finding_wording.ts";
import { staleExclusions } from "../report/wording/summary_wording.ts";
import { MEASURE_NAMES } from "../report/wording/verdict_text.ts";
import { CommandError, usageError } from "./command_error.ts";

const DECREASE_CHOICES: readonly string[] = [
  ...DIMENSIONS,
  ...OPTIONAL_MEASURES.map(({ measure }) => measure.replaceAll("_", "-")),
];

/** Returns sentences about figures below the baseline: of the named figure, or of all dimensions. */
export function listDecreases(
  report: Report,
  base: BaseReport | undefined,
  choice: string | undefined,
): string[] {
  const { comparison } = report;
  if (comparison === undefined) return [];
  // Figures other than dimensions are compared only if they are named.
  const named = OPTIONAL_MEASURES.find(({ measure }) => measure === choice?.replaceAll("-", "_"));
  if (named !== undefined) {
    const before = base && named.readFigure(base.summary);
    const now = named.readFigure(report.summary);
    return decrease(
      named.measure,
      before?.actual ?? null,
      now?.actual ?? null,
      now?.isEmpty !== true,
    );
  }
  return DIMENSIONS.filter((dimension) => choice === undefined || dimension === choice)
    .flatMap((dimension: Dimension) => {
      const { percent, total, not_measured = 0 } = report.summary[dimension];
      const before = comparison.summary[dimension].percent;
      return decrease(dimension, before, percent, choice !== undefined && total + not_measured > 0);
    });
}

/** @param isNamed True if the figure was named: only then, a figure that is no longer measured counts as lower. */
function decrease(
  measure: Measure,
  before: number | null,
  now: number | null,
  isNamed: boolean,
): string[] {
  if (before === null) return [];
  const name = MEASURE_NAMES[measure];
  const shown = (figure: number): string =>
    measure === "tcl" ? String(figure) : formatPercent(figure);
  if (now === null) {
    return isNamed ? [`${name}: not measured, but ${shown(before)} in the baseline`] : [];
  }
  if (now >= before) return [];
  const rounded = [now, before].map(shown);
  const [current, earlier] = rounded[0] === rounded[1] ? [`${now}%`, `${before}%`] : rounded;
  return [`${name}: ${current} is below the baseline's ${earlier}`];
}

export interface FailOnContext {
  readonly report: Report;
  readonly base?: BaseReport | undefined;
  readonly keywordValue?: ((schema_path: string) => unknown) | undefined;
}

export interface ConditionKind {
  readonly name: string;
  /** The condition in words, for completion: `no request matched`. */
  readonly description: string;
  /** Other names that users may try; the error of `--fail-on` tells them the right one. */
  readonly aliases: readonly string[];
  /** The optional argument after `=`: one of the choices, or a percentage if there are none. */
  readonly argument?: {
    readonly metavar: string;
    readonly choices?: readonly string[];
  };
}

export interface FailOnKind extends ConditionKind {
  /** True for the conditions of single kinds of findings, of which help lists only some. */
  readonly isFinding?: true;
  /** True if the condition compares with a baseline; without one, it is an error. */
  readonly needsBaseline?: true;
  /** The requirement: `no server errors`. */
  readonly asks: string;
  /** The noun for the things it counts: `new gap`; by default, the plural adds `s`. */
  readonly noun: readonly [one: string, several?: string];
  readonly check: (context: FailOnContext, argument: string | undefined) => CheckedCondition;
}

export interface CheckedCondition {
  readonly reasons: readonly string[];
  /** The number of things found (default: the number of reasons). */
  readonly count?: number;
}

export interface FailOnCondition {
  readonly kind: string;
  readonly argument?: string | undefined;
}

export interface FailedCondition {
  /** The condition as written: `no-traffic`. */
  readonly condition: string;
  readonly reasons: readonly string[];
}

/** All kinds of conditions, in the order of help and errors. A new kind needs nothing but its entry here. */
export const FAIL_ON_KINDS: readonly FailOnKind[] = [
  {
    name: "no-traffic",
    description: "no request matched",
    aliases: ["empty", "no-match", "no-matches", "no-requests", "nothing-matched", "unmatched"],
    asks: "matching requests",
    noun: ["matching request"],
    check: ({ report }) => {
      const explained = explainNothingMatched(report);
      const reasons = explained === undefined ? [] : [proseText(explained.problem)];
      return { reasons, count: report.traffic.matched };
    },
  },
  {
    name: "stale-exclusions",
    description: "an exclusion matches nothing, is past its date, or is covered",
    aliases: ["exclusions", "expired-exclusions", "stale", "unused-exclusions"],
    asks: "no stale exclusions",
    noun: ["stale exclusion"],
    check: ({ report }) => ({ reasons: staleExclusions(report) }),
  },
  {
    name: "new-gaps",
    description: "something that the baseline covers is not covered any more",
    aliases: ["gaps", "lost", "new", "regression", "regressions"],
    needsBaseline: true,
    asks: "no new gaps",
    noun: ["new gap"],
    check: ({ report: { comparison }, keywordValue }) => {
      const gaps = comparison?.new_gaps ?? [];
      const what = gaps.length === 1 ? "This gap was" : `These ${gaps.length} gaps were`;
      const reasons = gaps.length === 0
        ? []
        : [`${what} closed in the baseline:`, ...gapSentences(gaps, MAX_GAPS, keywordValue)];
      return { reasons, count: gaps.length };
    },
  },
  {
    name: "uncovered-additions",
    description: "an operation, parameter or response was added and never exercised",
    aliases: ["additions", "new-operations", "uncovered", "untested"],
    needsBaseline: true,
    asks: "no additions that were never exercised",
    noun: ["addition that was never exercised", "additions that were never exercised"],
    check: ({ report: { comparison } }) => {
      const gaps = (comparison?.uncovered_additions ?? []).filter(isPartGap);
      const number = listGaps(gaps, Infinity).shown.length;
      const what = `${formatAmount(number, "addition")} to the description ${
        number === 1 ? "was" : "were"
      } never exercised:`;
      const reasons = number === 0 ? [] : [what, ...gapSentences(gaps, MAX_GAPS)];
      return { reasons, count: number };
    },
  },
  {
    name: "decrease",
    description: "a percentage is lower than in the baseline",
    aliases: ["decreased", "drop", "fall", "less", "lower"],
    argument: { metavar: "DIMENSION", choices: DECREASE_CHOICES },
    needsBaseline: true,
    asks: "no percentage below the baseline",
    noun: ["percentage below the baseline", "percentages below the baseline"],
    check: ({ report, base }, argument) => ({ reasons: listDecreases(report, base, argument) }),
  },
  {
    name: "unnoticed-bodies",
    description: "no test notices an empty body of a response (covtool mutate)",
    aliases: ["unnoticed", "unnoticed_bodies", "noticed"],
    asks: "no response body that no test misses",
    noun: ["body that no test misses", "bodies that no test misses"],
    check({ report: { noticed = [] } }) {
      const bodies = noticed.filter(({ part, state }) => part === "body" && state === "unnoticed");
      const shown = bodies.slice(0, MAX_GAPS).map((body) =>
        `${body.method} ${body.path} ${body.status_code}: ${unnoticedText(body)}`
      );
      const rest = bodies.length - shown.length;
      const more = rest === 0 ? [] : [`and ${formatAmount(rest, "more body", "more bodies")}`];
      return { reasons: [...shown, ...more], count: bodies.length };
    },
  },
  ...FINDING_KINDS.map(({ kind, description, noun }): FailOnKind => ({
    name: kind,
    description,
    aliases: [kind.replaceAll("_", "-")],
    isFinding: true,
    asks: `no ${noun[1]}`,
    noun,
    check: ({ report }) => findingSentences(report, (finding) => finding.kind === kind),
  })),
  {
    name: "new-findings",
    description: "there is a finding that the baseline lacks, but for never_succeeded",
    aliases: ["new-finding"],
    needsBaseline: true,
    asks: "no new findings",
    noun: ["new finding"],
    check: ({ report: { comparison } }) =>
      findingSentences({ findings: comparison?.new_findings }, isContradiction),
  },
  {
    name: "all",
    description: `any finding but ${
      FINDING_KINDS.filter(({ isWarning }) => isWarning).map(({ kind }) => kind)
        .join(", ")
    }`,
    aliases: ["any", "finding", "findings"],
    asks: "no findings",
    noun: ["finding"],
    check: ({ report }) => findingSentences(report, isContradiction),
  },
];

export function failingFindings(conditions: readonly FailOnCondition[]): Finding["kind"][] {
  return FINDING_KINDS.filter((known) =>
    conditions.some(({ kind }) => kind === known.kind || kind === "all" && !known.isWarning)
  ).map(({ kind }) => kind);
}

const MAX_FINDINGS = 10;

function isContradiction(finding: Finding): boolean {
  return FINDING_KINDS.some((known) => known.kind === finding.kind && !known.isWarning);
}

function findingSentences(
  { findings = [] }: { readonly findings?: readonly Finding[] | undefined },
  isCounted: (finding: Finding) => boolean,
): CheckedCondition {
  const counted = findings.filter(isCounted);
  const sentences = counted.slice(0, MAX_FINDINGS).map((finding) =>
    `${finding.method} ${finding.path}: ${findingWording(finding)}`
  );
  const more = counted.length - sentences.length;
  const rest = more === 0 ? [] : [`${formatAmount(more, "more finding")}.`];
  return { reasons: [...sentences, ...rest], count: counted.length };
}

const MAX_GAPS = 10;

function isPartGap({ kind }: Gap): boolean {
  return kind === "operation_uncovered" || kind === "parameter_uncovered" ||
    kind === "response_uncovered";
}

/** Throws if a condition needs to know what was added, before there is traffic. */
export function checkAdditions(conditions: readonly FailOnCondition[], path: string): void {
  if (!conditions.some(({ kind }) => kind === "uncovered-additions")) return;
  throw new CommandError(
    `--fail-on uncovered-additions cannot tell what was added since ${path}: it has hits of another version of the description, and hits do not tell all that it had. Use a report of --format json as the baseline.`,
  );
}

export function checkConditions(
  conditions: readonly FailOnCondition[],
  { baseline }: { readonly baseline: string | undefined },
): void {
  if (baseline !== undefined) return;
  const lacking = conditions.find(({ kind }) =>
    FAIL_ON_KINDS.some(({ name, needsBaseline }) => name === kind && needsBaseline === true)
  );
  if (lacking === undefined) return;
  throw usageError(
    `--fail-on ${
      conditionText(lacking)
    } compares with a baseline. Add --baseline PATH, with a report that an earlier run wrote with --format json.`,
  );
}

export function conditionText({ kind, argument }: FailOnCondition): string {
  return argument === undefined ? kind : `${kind}=${argument}`;
}

/** Returns the conditions of a kind as written: `decrease`, `decrease=keywords`. */
export function writtenConditions({ name, argument }: ConditionKind): string[] {
  return [name, ...(argument?.choices ?? []).map((choice) => `${name}=${choice}`)];
}

export interface JudgedCondition extends FailedCondition {
  readonly asks: string;
  /** `none`, or the number of things found: `2 server errors`. */
  readonly found: string;
}

/** Judges the conditions of a run, each once, in the given order. A condition fails if it has reasons. */
export function judgeConditions(
  conditions: readonly FailOnCondition[],
  context: FailOnContext,
): JudgedCondition[] {
  return distinctConditions(conditions, FAIL_ON_KINDS).map(({ condition, kind, argument }) => {
    const { reasons, count = reasons.length } = kind.check(context, argument);
    const found = count === 0 ? "none" : formatAmount(count, ...kind.noun);
    return { condition, asks: kind.asks, found, reasons };
  });
}

export function distinctConditions<Kind extends ConditionKind>(
  conditions: readonly FailOnCondition[],
  kinds: readonly Kind[],
): { readonly condition: string; readonly kind: Kind; readonly argument: string | undefined }[] {
  const distinct = new Map(conditions.map((condition) => [conditionText(condition), condition]));
  return [...distinct].flatMap(([condition, { kind: name, argument }]) => {
    const kind = kinds.find((known) => known.name === name);
    return kind === undefined ? [] : [{ condition, kind, argument }];
  });
}
