import { type Dimension, DIMENSIONS, type Summary } from "../map/results.ts";
import type { Measure } from "../map/thresholds.ts";
import type { BaseReport } from "../report/base_report.ts";
import { formatPercent } from "../report/percent.ts";
import type { Report } from "../report/report.ts";
import { MEASURE_NAMES } from "../report/threshold_lines.ts";

/** Figures that are compared only where they are named, by their names. */
const OTHERS = {
  "keywords-full": "keywords_full",
  succeeded: "succeeded",
  enforcement: "enforcement",
  "response-keywords": "response_keywords",
  tcl: "tcl",
} as const satisfies Readonly<Record<string, Measure>>;

/** What `--fail-on decrease=` can name: the dimensions, and the other figures that have thresholds. */
export const DECREASE_CHOICES: readonly string[] = [...DIMENSIONS, ...Object.keys(OTHERS)];

/**
 * The figures of a report that are lower than those of its baseline: sentences. The test coverage level is compared as a
 * number.
 *
 * @param base The baseline; without it there are only the dimensions, from the report's comparison.
 * @param choice The only figure to compare, one of {@linkcode DECREASE_CHOICES} (default: the dimensions). One that is not
 * measured any more is lower only where it is named.
 */
export function decreases(
  report: Report,
  base: BaseReport | undefined,
  choice: string | undefined,
): string[] {
  const { comparison } = report;
  if (comparison === undefined) return [];
  const other = Object.entries(OTHERS).find(([name]) => name === choice)?.[1];
  if (other !== undefined) {
    return decrease(other, figureOf(base?.summary, other), figureOf(report.summary, other), true);
  }
  return DIMENSIONS.filter((dimension) => choice === undefined || dimension === choice)
    .flatMap((dimension: Dimension) => {
      const { percent, total, not_measured = 0 } = report.summary[dimension];
      const before = comparison.summary[dimension].percent;
      return decrease(dimension, before, percent, choice !== undefined && total + not_measured > 0);
    });
}

/** Null where it is not measured, or a report of an older version does not have it. */
function figureOf(
  summary: Summary | undefined,
  measure: Exclude<Measure, Dimension>,
): number | null {
  if (summary === undefined) return null;
  const { keywords, operations, enforcement, response_keywords, tcl } = summary;
  switch (measure) {
    case "keywords_full":
      return share(keywords.full, keywords.total);
    case "succeeded":
      return share(operations.succeeded, operations.total);
    case "enforcement":
      return enforcement?.percent ?? null;
    case "response_keywords":
      return response_keywords?.percent ?? null;
    case "tcl":
      return tcl?.level ?? null;
  }
}

function share(count: number | null | undefined, total: number): number | null {
  return typeof count === "number" && total > 0 ? count / total * 100 : null;
}

/** @param isAsked Whether it was named: what is not measured any more is lower only then. */
function decrease(
  measure: Measure,
  before: number | null,
  now: number | null,
  isAsked: boolean,
): string[] {
  if (before === null) return [];
  const name = MEASURE_NAMES[measure];
  const shown = (figure: number): string =>
    measure === "tcl" ? String(figure) : formatPercent(figure);
  if (now === null) {
    return isAsked ? [`${name}: not measured, but ${shown(before)} in the baseline`] : [];
  }
  if (now >= before) return [];
  const rounded = [now, before].map(shown);
  const [current, earlier] = rounded[0] === rounded[1] ? [`${now}%`, `${before}%`] : rounded;
  return [`${name}: ${current} is below the baseline's ${earlier}`];
}
