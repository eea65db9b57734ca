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
  | "tcl";

/** A figure that falls short of its threshold. */
export interface Shortfall {
  /** The figure: a dimension, or one that only a threshold of its own is for. */
  readonly dimension: Measure;
  /** The exact percentage, or the test coverage level; null if nothing of what was asked for was measured. */
  readonly actual: number | null;
  /** The percentage or the level that has to be reached. */
  readonly minimum: number;
}

/**
 * The dimensions that fall short (semantics, section 8): exact values are compared, a dimension with nothing to measure
 * never fails, and one of which nothing was measured fails only on a threshold of its own.
 *
 * @throws {RangeError} if a threshold is not from 0 to 100, or a level not from 0 to 7.
 */
export function checkThresholds(summary: Summary, thresholds: Thresholds): Shortfall[] {
  const short: Shortfall[] = [];
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
    const minimum = thresholds[dimension] ?? thresholds.base;
    if (minimum === undefined) continue;
    const { percent, total, not_measured = 0 } = summary[dimension];
    if (total + not_measured === 0 && dimension !== "operations") continue;
    if (percent === null) {
      // There are some and none was measured: reported only to those who asked for them.
      if (thresholds[dimension] !== undefined && minimum > 0) {
        short.push({ dimension, actual: null, minimum });
      }
    } else if (percent < minimum) short.push({ dimension, actual: percent, minimum });
  }
  return [...short, ...ownThresholds(summary, thresholds)];
}

/** The figures that have no part in `base`: nothing of an API fails on them unasked. */
function ownThresholds(
  { keywords, operations, enforcement, response_keywords: returned, tcl }: Summary,
  { keywordsFull, succeeded, enforcement: enforced, responseKeywords, tcl: level }: Thresholds,
): Shortfall[] {
  const short: Shortfall[] = [];
  if (keywordsFull !== undefined) {
    const actual = percentOf(keywords.full, keywords.total);
    const isFailed = actual === null
      ? keywords.not_measured !== undefined && keywordsFull > 0
      : actual < keywordsFull;
    if (isFailed) {
      short.push({ dimension: "keywords_full", actual, minimum: keywordsFull });
    }
  }
  if (succeeded !== undefined && operations.total > 0) {
    const count = operations.succeeded ?? null;
    const actual = count === null ? null : percentOf(count, operations.total);
    if (actual === null ? succeeded > 0 : actual < succeeded) {
      short.push({ dimension: "succeeded", actual, minimum: succeeded });
    }
  }
  if (enforced !== undefined && enforcement !== undefined && enforcement.total > 0) {
    const { percent: actual } = enforcement;
    if (actual === null ? enforced > 0 : actual < enforced) {
      short.push({ dimension: "enforcement", actual, minimum: enforced });
    }
  }
  // Without bodies it isn't known whether there are any keywords.
  if (responseKeywords !== undefined && returned !== undefined && returned.total !== 0) {
    const { percent: actual } = returned;
    if (actual === null ? responseKeywords > 0 : actual < responseKeywords) {
      short.push({ dimension: "response_keywords", actual, minimum: responseKeywords });
    }
  }
  if (level !== undefined && tcl !== undefined && tcl.level < level) {
    short.push({ dimension: "tcl", actual: tcl.level, minimum: level });
  }
  return short;
}
