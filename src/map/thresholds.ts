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

interface Figure extends Pick<JudgedThreshold, "actual" | "counts"> {
  /** True if there is nothing to measure. */
  readonly isEmpty: boolean;
}

interface OptionalMeasure {
  readonly measure: Exclude<Measure, Dimension>;
  readonly option: keyof Thresholds;
  /** Returns undefined if the report lacks the figure. */
  readFigure(summary: Summary): Figure | undefined;
}

/** The figures that `base` doesn't apply to, so that they only fail if a threshold is set for them. */
export const OPTIONAL_MEASURES: readonly OptionalMeasure[] = [
  {
    measure: "keywords_full",
    option: "keywordsFull",
    readFigure: ({ keywords }) => share(keywords.full, keywords.total, hasNone(keywords)),
  },
  {
    measure: "succeeded",
    option: "succeeded",
    readFigure: ({ operations: { succeeded, total } }) => share(succeeded, total),
  },
  {
    measure: "enforcement",
    option: "enforcement",
    readFigure: ({ enforcement: one }) =>
      one && share(one.measured ? one.enforced : null, one.total, hasNone(one)),
  },
  {
    measure: "response_keywords",
    option: "responseKeywords",
    // If no bodies were recorded, it is unknown whether there are any keywords.
    readFigure: ({ response_keywords: one }) =>
      one && share(one.measured ? one.seen : null, one.total),
  },
  {
    measure: "noticed",
    option: "noticed",
    readFigure: ({ noticed: one }) =>
      share(one?.noticed, one && one.noticed + one.unnoticed, false),
  },
  {
    measure: "access",
    option: "access",
    readFigure: ({ access: one }) =>
      share(
        one && one.total > 0 ? one.tried : null,
        one?.total,
        one && one.total + (one.not_measured ?? 0) === 0,
      ),
  },
  {
    measure: "values",
    option: "values",
    readFigure: ({ values: one }) =>
      share(one?.measured ? one.seen : null, one?.total, one && hasNone(one)),
  },
  {
    measure: "tcl",
    option: "tcl",
    readFigure: ({ tcl }) => tcl && { actual: tcl.level, counts: null, isEmpty: false },
  },
];

/** True if the description has no such items, not even hidden ones. */
function hasNone({ total, not_measured = 0 }: { total: number; not_measured?: number }): boolean {
  return total + not_measured === 0;
}

function share(
  count: number | null | undefined,
  total: number | null | undefined,
  isEmpty = total === 0,
): Figure {
  const isKnown = typeof count === "number" && typeof total === "number";
  return {
    actual: isKnown ? percentage(count, total) : null,
    counts: isKnown ? [count, total] : null,
    isEmpty,
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
  const names = ["base", ...DIMENSIONS, ...OPTIONAL_MEASURES.map(({ option }) => option)];
  for (const [name, value] of Object.entries(percentages)) {
    if (!names.includes(name)) {
      throw new RangeError(`Unknown threshold "${name}". Choose ${names.join(", ")}.`);
    }
    if (value !== undefined && !(value >= 0 && value <= 100)) {
      throw new RangeError(
        `The threshold for ${name} is ${value}, but must be a percentage from 0 to 100.`,
      );
    }
  }
  for (const dimension of DIMENSIONS) {
    const ownThreshold = thresholds[dimension];
    const minimum = ownThreshold ?? thresholds.base;
    const { percent, total, not_measured = 0 } = summary[dimension];
    const isEmpty = total + not_measured === 0 && dimension !== "operations";
    // There are items, but none was measured: reported only if the dimension has its own threshold.
    const isOptional = ownThreshold === undefined && (isEmpty || percent === null);
    if (minimum === undefined || isOptional && dimension !== "operations") continue;
    const actual = isEmpty ? null : percent;
    const counts = [coveredCount(summary[dimension]), total] as const;
    judged.push(judge(dimension, { actual, counts, isEmpty }, minimum));
  }
  for (const { measure, option, readFigure } of OPTIONAL_MEASURES) {
    const minimum = thresholds[option];
    const figure = readFigure(summary);
    if (minimum === undefined || figure === undefined) continue;
    judged.push(judge(measure, figure, minimum));
  }
  return isUncountable
    ? judged.map((threshold) => ({ ...threshold, actual: null, isMet: false, isUncountable }))
    : judged;
}

function judge(
  dimension: Measure,
  { actual, counts, isEmpty }: Figure,
  minimum: number,
): JudgedThreshold {
  const isMet = isEmpty || (actual === null ? minimum === 0 : actual >= minimum);
  return { dimension, actual, minimum, counts, isMet };
}
