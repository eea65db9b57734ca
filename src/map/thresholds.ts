import { coveredCount, type Dimension, DIMENSIONS, type Summary } from "./results.ts";
import { percentage } from "./statistic.ts";

/** Required percentages. The threshold of a dimension overrides `base`. */
export interface Thresholds {
  /** For every dimension without its own threshold. */
  readonly base?: number | undefined;
  /** For operations. */
  readonly operations?: number | undefined;
  /** For parameters. */
  readonly parameters?: number | undefined;
  /** For keywords. */
  readonly keywords?: number | undefined;
  /** For examples. */
  readonly examples?: number | undefined;
  /** For responses. */
  readonly responses?: number | undefined;
  /** For keywords seen passing and failing, as a share of all. `base` doesn't apply. */
  readonly keywordsFull?: number | undefined;
  /** For operations with a response of 2xx or 3xx, as a share of all. `base` doesn't apply. */
  readonly succeeded?: number | undefined;
  /** For rules that the API provably enforces, as a share of all. `base` doesn't apply. */
  readonly enforcement?: number | undefined;
  /** For keywords of documented responses that bodies or headers have met, as a share of all. `base` doesn't apply. */
  readonly responseKeywords?: number | undefined;
  /** For parts of responses whose changes tests notice, as a share of those with a verdict. `base` doesn't apply. */
  readonly noticed?: number | undefined;
  /** For expectations of the access matrix that were tried, as a share of all. `base` doesn't apply. */
  readonly access?: number | undefined;
  /** For classes of valid values that were sent, as a share of all. `base` doesn't apply. */
  readonly values?: number | undefined;
  /** For the test coverage level, 0 to 7. `base` doesn't apply. */
  readonly tcl?: number | undefined;
}

/** A figure that may have a threshold. */
export type Measure =
  | Dimension
  | "keywords_full"
  | "succeeded"
  | "enforcement"
  | "response_keywords"
  | "noticed"
  | "access"
  | "values"
  | "tcl";

interface Reached extends Pick<JudgedThreshold, "actual" | "counts"> {
  /** True if there is nothing to measure. */
  readonly isNothing: boolean;
}

interface OwnMeasure {
  readonly measure: Exclude<Measure, Dimension>;
  readonly option: keyof Thresholds;
  /** Returns undefined if the report lacks the figure. */
  reached(summary: Summary): Reached | undefined;
}

/** The figures that `base` doesn't apply to, so that they only fail if a threshold is set for them. */
export const OWN_MEASURES: readonly OwnMeasure[] = [
  {
    measure: "keywords_full",
    option: "keywordsFull",
    reached: ({ keywords }) => share(keywords.full, keywords.total, isNone(keywords)),
  },
  {
    measure: "succeeded",
    option: "succeeded",
    reached: ({ operations: { succeeded, total } }) => share(succeeded, total),
  },
  {
    measure: "enforcement",
    option: "enforcement",
    reached: ({ enforcement: one }) =>
      one && share(one.measured ? one.enforced : null, one.total, isNone(one)),
  },
  {
    measure: "response_keywords",
    option: "responseKeywords",
    // If no bodies were recorded, it is unknown whether there are any keywords.
    reached: ({ response_keywords: one }) =>
      one && share(one.measured ? one.seen : null, one.total),
  },
  {
    measure: "noticed",
    option: "noticed",
    reached: ({ noticed: one }) => share(one?.noticed, one && one.noticed + one.unnoticed, false),
  },
  {
    measure: "access",
    option: "access",
    reached: ({ access: one }) =>
      share(
        one && one.total > 0 ? one.tried : null,
        one?.total,
        one && one.total + (one.not_measured ?? 0) === 0,
      ),
  },
  {
    measure: "values",
    option: "values",
    reached: ({ values: one }) =>
      share(one?.measured ? one.seen : null, one?.total, one && isNone(one)),
  },
  {
    measure: "tcl",
    option: "tcl",
    reached: ({ tcl }) => tcl && { actual: tcl.level, counts: null, isNothing: false },
  },
];

/** True if the description has no such items, not even hidden ones. */
function isNone({ total, not_measured = 0 }: { total: number; not_measured?: number }): boolean {
  return total + not_measured === 0;
}

function share(
  count: number | null | undefined,
  total: number | null | undefined,
  isNothing = total === 0,
): Reached {
  const isKnown = typeof count === "number" && typeof total === "number";
  return {
    actual: isKnown ? percentage(count, total) : null,
    counts: isKnown ? [count, total] : null,
    isNothing,
  };
}

/** A figure below its threshold. */
export interface Shortfall {
  /** The figure: a dimension, or one that `base` doesn't apply to. */
  readonly dimension: Measure;
  /** The exact percentage or the test coverage level; null if nothing was measured. */
  readonly actual: number | null;
  /** The required percentage or level. */
  readonly minimum: number;
  /** Set if no part of the description can be counted; then every threshold fails. */
  readonly isUncountable?: true;
}

export interface JudgedThreshold extends Shortfall {
  /** Count and total; null if nothing was measured, and for the test coverage level. */
  readonly counts: readonly [count: number, total: number] | null;
  /** Also true if there is nothing to measure. */
  readonly isMet: boolean;
}

/** Returns the figures below their thresholds, compared exactly (semantics, section 8); throws a RangeError. */
export function checkThresholds(summary: Summary, thresholds: Thresholds): Shortfall[] {
  return judgeThresholds(summary, thresholds).filter(({ isMet }) => !isMet)
    .map(({ isMet: _, counts: __, ...shortfall }) => shortfall);
}

/** Judges all thresholds, except those that only `base` sets for unmeasured dimensions; throws a RangeError. */
export function judgeThresholds(summary: Summary, thresholds: Thresholds): JudgedThreshold[] {
  const judged: JudgedThreshold[] = [];
  const isUncountable = summary.operations.percent === null;
  const { tcl, ...percentages } = thresholds;
  if (tcl !== undefined && !(Number.isInteger(tcl) && tcl >= 0 && tcl <= 7)) {
    throw new RangeError(
      `The threshold for the test coverage level is ${tcl}, but must be a whole number from 0 to 7.`,
    );
  }
  const names = ["base", ...DIMENSIONS, ...OWN_MEASURES.map(({ option }) => option)];
  for (const [name, value] of Object.entries(percentages)) {
    if (!names.includes(name)) {
      throw new RangeError(`Unknown threshold "${name}". Choose ${names.join(", ")}, tcl.`);
    }
    if (value !== undefined && !(value >= 0 && value <= 100)) {
      throw new RangeError(
        `The threshold for ${name} is ${value}, but must be a percentage from 0 to 100.`,
      );
    }
  }
  for (const dimension of DIMENSIONS) {
    const own = thresholds[dimension];
    const minimum = own ?? thresholds.base;
    const { percent, total, not_measured = 0 } = summary[dimension];
    const isNothing = total + not_measured === 0 && dimension !== "operations";
    // There are items, but none was measured: reported only if the dimension has its own threshold.
    const isUnasked = own === undefined && (isNothing || percent === null);
    if (minimum === undefined || isUnasked && dimension !== "operations") continue;
    const actual = isNothing ? null : percent;
    const counts = [coveredCount(summary[dimension]), total] as const;
    judged.push(judge(dimension, { actual, counts, isNothing }, minimum));
  }
  for (const { measure, option, reached } of OWN_MEASURES) {
    const minimum = thresholds[option];
    const found = reached(summary);
    if (minimum === undefined || found === undefined) continue;
    judged.push(judge(measure, found, minimum));
  }
  return isUncountable
    ? judged.map((one) => ({ ...one, actual: null, isMet: false, isUncountable }))
    : judged;
}

function judge(
  dimension: Measure,
  { actual, counts, isNothing }: Reached,
  minimum: number,
): JudgedThreshold {
  const isMet = isNothing || (actual === null ? minimum === 0 : actual >= minimum);
  return { dimension, actual, minimum, counts, isMet };
}
