import { type Dimension, DIMENSIONS, type Summary } from "./results.ts";
import { percentOf } from "./statistic.ts";

/** Percentages that have to be reached; a dimension's own overrides `base` for it. */
export interface Thresholds {
  /** For every dimension without one of its own. */
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
  /** For keywords seen passing and failing, of all. `base` doesn't apply. */
  readonly keywordsFull?: number | undefined;
  /** For operations with an answer of 2xx or 3xx, of all. `base` doesn't apply. */
  readonly succeeded?: number | undefined;
  /** For rules that the API has proven to enforce, of all. `base` doesn't apply. */
  readonly enforcement?: number | undefined;
  /** For keywords of documented responses that bodies and headers have met, of all. `base` doesn't apply. */
  readonly responseKeywords?: number | undefined;
  /** For parts of responses whose changes tests notice, of those with a verdict. `base` doesn't apply. */
  readonly noticed?: number | undefined;
  /** For expected cells of the matrix of operations and identities that were tried. `base` doesn't apply. */
  readonly access?: number | undefined;
  /** For classes of valid values that were sent, of all. `base` doesn't apply. */
  readonly values?: number | undefined;
  /** For the test coverage level, 0 to 7. `base` doesn't apply. */
  readonly tcl?: number | undefined;
}

/** A figure that a threshold can be for. */
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

/** A figure that falls short of its threshold. */
export interface Shortfall {
  /** The figure: a dimension, or one that only a threshold of its own is for. */
  readonly dimension: Measure;
  /** The exact percentage, or the test coverage level; null if nothing of what was asked for was measured. */
  readonly actual: number | null;
  /** The percentage or the level that has to be reached. */
  readonly minimum: number;
  /** Set where nothing of the description can be counted, so that every threshold fails. */
  readonly isUncountable?: true;
}

export interface JudgedThreshold extends Shortfall {
  /** True where there is nothing to measure too. */
  readonly isMet: boolean;
}

/** The dimensions that fall short (semantics, section 8), by exact values; throws a RangeError for a bad threshold. */
export function checkThresholds(summary: Summary, thresholds: Thresholds): Shortfall[] {
  return judgeThresholds(summary, thresholds).filter(({ isMet }) => !isMet)
    .map(({ isMet: _, ...shortfall }) => shortfall);
}

/** Every threshold with what was reached, but those that `base` sets for what is not measured; throws a RangeError. */
export function judgeThresholds(summary: Summary, thresholds: Thresholds): JudgedThreshold[] {
  const judged: JudgedThreshold[] = [];
  const isUncountable = summary.operations.percent === null;
  const { tcl, ...percentages } = thresholds;
  if (tcl !== undefined && !(Number.isInteger(tcl) && tcl >= 0 && tcl <= 7)) {
    throw new RangeError(
      `The threshold for the test coverage level is ${tcl}, but must be a whole number from 0 to 7.`,
    );
  }
  for (const [name, value] of Object.entries(percentages)) {
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
    // There are some and none was measured: reported only to those who asked for them.
    const isUnasked = own === undefined && (isNothing || percent === null);
    if (minimum === undefined || isUnasked && dimension !== "operations") continue;
    judged.push(judge(dimension, isNothing ? null : percent, minimum, isNothing));
  }
  judged.push(...ownThresholds(summary, thresholds));
  return isUncountable
    ? judged.map((one) => ({ ...one, actual: null, isMet: false, isUncountable }))
    : judged;
}

function judge(
  dimension: Measure,
  actual: number | null,
  minimum: number,
  isNothing: boolean,
): JudgedThreshold {
  const isMet = isNothing || (actual === null ? minimum === 0 : actual >= minimum);
  return { dimension, actual, minimum, isMet };
}

/** The figures that have no part in `base`: nothing of an API fails on them unasked. */
function ownThresholds(
  { keywords, operations, enforcement, response_keywords: returned, noticed, access, values, tcl }:
    Summary,
  thresholds: Thresholds,
): JudgedThreshold[] {
  const { keywordsFull, succeeded, enforcement: enforced, responseKeywords, tcl: level } =
    thresholds;
  const judged: JudgedThreshold[] = [];
  if (keywordsFull !== undefined) {
    const actual = percentOf(keywords.full, keywords.total);
    const isNothing = actual === null && keywords.not_measured === undefined;
    judged.push(judge("keywords_full", actual, keywordsFull, isNothing));
  }
  if (succeeded !== undefined) {
    const count = operations.succeeded ?? null;
    const actual = count === null ? null : percentOf(count, operations.total);
    judged.push(judge("succeeded", actual, succeeded, operations.total === 0));
  }
  if (enforced !== undefined && enforcement !== undefined) {
    judged.push(judge("enforcement", enforcement.percent, enforced, enforcement.total === 0));
  }
  // Without bodies it isn't known whether there are any keywords.
  if (responseKeywords !== undefined && returned !== undefined) {
    const isNothing = returned.total === 0;
    judged.push(judge("response_keywords", returned.percent, responseKeywords, isNothing));
  }
  if (thresholds.noticed !== undefined) {
    judged.push(judge("noticed", noticed?.percent ?? null, thresholds.noticed, false));
  }
  if (thresholds.access !== undefined) {
    const isNothing = access !== undefined && access.total + (access.not_measured ?? 0) === 0;
    judged.push(judge("access", access?.percent ?? null, thresholds.access, isNothing));
  }
  if (thresholds.values !== undefined) {
    const isNothing = values?.total === 0;
    judged.push(judge("values", values?.percent ?? null, thresholds.values, isNothing));
  }
  if (level !== undefined && tcl !== undefined) judged.push(judge("tcl", tcl.level, level, false));
  return judged;
}
