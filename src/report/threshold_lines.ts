import type { Measure, Shortfall } from "../map/thresholds.ts";
import { formatPercent } from "./percent.ts";
import { NO_RESPONSE_BODIES } from "./wording/response_keywords_text.ts";

/** The name of a figure in sentences. */
export const MEASURE_NAMES: Readonly<Record<Measure, string>> = {
  operations: "operations",
  parameters: "parameters",
  keywords: "keywords",
  examples: "examples",
  responses: "responses",
  keywords_full: "full keywords",
  succeeded: "succeeded operations",
  enforcement: "enforced rules",
  response_keywords: "response keywords",
  tcl: "test coverage level",
};

/** Measured by what requests hold. */
const HIDDEN: ReadonlySet<Measure> = new Set([
  "parameters",
  "keywords",
  "keywords_full",
  "examples",
]);

/**
 * A sentence for each shortfall with the figure reached and the figure required, in enough digits to differ.
 *
 * @example
 * ```ts
 * import { thresholdLines } from "./threshold_lines.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(
 *   thresholdLines([{ dimension: "keywords", actual: 61.29, minimum: 80 }]),
 *   ["keywords: 61.3% is below 80%"],
 * );
 * ```
 */
export function thresholdLines(shortfalls: readonly Shortfall[]): string[] {
  return shortfalls.map(({ dimension: measure, actual, minimum }) => {
    const dimension = MEASURE_NAMES[measure];
    if (measure === "tcl") return `${dimension}: ${actual} is below ${minimum}`;
    if (actual === null) {
      const cause = measure === "response_keywords"
        ? NO_RESPONSE_BODIES
        : `the traffic ${HIDDEN.has(measure) ? "does not show them" : "has no responses"}`;
      return `${dimension}: not measured (${cause}), so the threshold of ${minimum}% is not met`;
    }
    const short = formatPercent(actual);
    // Rounded, 79.96 would read as the 80 that it misses.
    const shown = short === `${minimum}%` || short === formatPercent(minimum)
      ? `${actual}%`
      : short;
    return `${dimension}: ${shown} is below ${minimum}%`;
  });
}
