import { getOrAdd } from "../values/collections.ts";
import type { Gap, Statistic } from "../map/results.ts";
import type { Report, ReportOperation } from "./report.ts";
import type { GapKind } from "./wording/gap_wording.ts";

/** Numbers of gaps, including those in parameters that were never sent, so that more testing never adds gaps. */
export interface GapCounts extends Readonly<Record<GapKind, number>> {
  readonly total: number;
  readonly parts: number;
}

interface MeasuredStatistic extends Statistic {
  readonly responses: Statistic["responses"] & { readonly measured?: boolean };
}

/** The part of a report that shows whether traffic was recorded at all. */
interface Recorded {
  readonly recorded: number;
}

/** False if there is traffic but none of it has a response: responses aren't measured then. */
export function countsResponses(
  { responses }: Pick<MeasuredStatistic, "responses">,
  { recorded }: Recorded,
): boolean {
  return responses.measured !== false || recorded === 0;
}

/** Counts the gaps in a summary or a statistic (semantics, section 8). */
export function gapCounts(statistic: MeasuredStatistic, traffic: Recorded): GapCounts {
  const { operations, parameters, keywords, examples } = statistic;
  const responses = countsResponses(statistic, traffic)
    ? statistic.responses
    : { seen: 0, total: 0 };
  const operation = operations.total - operations.seen;
  const parameter = parameters.total - parameters.seen;
  const keyword = keywords.total - keywords.full;
  const example = examples.total - examples.seen;
  const response = responses.total - responses.seen;
  return {
    operation,
    parameter,
    keyword,
    example,
    response,
    total: operation + parameter + keyword + example + response,
    parts: operations.total + parameters.total + keywords.total + examples.total +
      responses.total,
  };
}

/** The operations with gaps, most gaps first. */
export function operationsWithGaps(
  { operations, traffic }: Pick<Report, "operations" | "traffic">,
): { readonly operation: ReportOperation; readonly gaps: number }[] {
  return operations
    .map((operation) => ({ operation, gaps: gapCounts(operation.summary, traffic).total }))
    .filter(({ gaps }) => gaps > 0)
    .sort((left, right) => right.gaps - left.gaps);
}

export function gapShare({ total, parts }: Pick<GapCounts, "total" | "parts">): number {
  return parts === 0 ? 0 : total / parts;
}

/** The number of gaps that requests close. A keyword counts as one gap, even if both outcomes are missing. */
export interface ClosedGaps {
  readonly closed: number;
  /** Keywords with both outcomes missing, of which the requests show one. */
  readonly halved: number;
}

type KeywordGap = Gap & { readonly kind: "keyword_uncovered" };

/** Returns a function that counts the gaps that requests close, in the same unit as {@linkcode gapCounts}. */
export function closedGapsIn(
  { operations }: Pick<Report, "operations">,
): (closes: readonly Gap[]) => ClosedGaps {
  const known = new Map<string, ReadonlySet<string>>();
  /** The keywords of a parameter with at least one outcome. Reports list none if the parameter was never sent. */
  const seenPaths = ({ method, path, location, parameter }: KeywordGap): ReadonlySet<string> =>
    getOrAdd(known, `${method} ${path} ${location} ${parameter}`, () => {
      const operation = operations.find((one) => one.method === method && one.path === path);
      const { keywords = [] } = operation?.parameters.find((one) =>
        one.location === location && one.parameter === parameter
      ) ?? {};
      return new Set(
        keywords.filter(({ valid, invalid }) =>
          valid + invalid > 0
        )
          .map(({ schema_path }) => schema_path),
      );
    });
  return (closes) => {
    let closed = 0;
    const shown = new Map<string, number>();
    const missing = new Map<string, number>();
    for (const gap of closes) {
      if (gap.kind !== "keyword_uncovered") {
        closed++;
        continue;
      }
      const { method, path, location, parameter, schema_path } = gap;
      const key = `${method} ${path} ${location} ${parameter} ${schema_path}`;
      shown.set(key, (shown.get(key) ?? 0) + 1);
      missing.set(key, seenPaths(gap).has(schema_path) ? 1 : 2);
    }
    let halved = 0;
    for (const [key, count] of shown) {
      if (count >= (missing.get(key) ?? 2)) closed++;
      else halved++;
    }
    return { closed, halved };
  };
}
