import { getOrAdd, groupItems } from "../values/collections.ts";
import { operationName } from "../values/operation_name.ts";
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

type Recorded = Pick<Report["traffic"], "recorded">;

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
  report: Pick<Report, "operations">,
): (closes: readonly Gap[]) => ClosedGaps {
  const operations = new Map(report.operations.map((one) => [operationName(one), one]));
  const shownKeywords = new Map<string, ReadonlySet<string>>();
  /** True if values already showed the other outcome. Reports list no keywords of a parameter that was never sent. */
  const isPartial = (gap: KeywordGap): boolean => {
    const name = operationName(gap);
    return getOrAdd(shownKeywords, `${name} ${gap.location} ${gap.parameter}`, () => {
      const keywords = operations.get(name)?.parameters
        .find(({ location, parameter }) => location === gap.location && parameter === gap.parameter)
        ?.keywords ?? [];
      const shown = keywords.filter(({ valid, invalid }) => valid + invalid > 0);
      return new Set(shown.map(({ schema_path }) => schema_path));
    }).has(gap.schema_path);
  };
  return (closes) => {
    const outcomes = groupItems(
      closes,
      (gap) =>
        gap.kind === "keyword_uncovered"
          ? `${operationName(gap)} ${gap.location} ${gap.parameter} ${gap.schema_path}`
          : gap,
    );
    let halved = 0;
    for (const [gap, other] of outcomes.values()) {
      if (gap?.kind === "keyword_uncovered" && other === undefined && !isPartial(gap)) halved++;
    }
    return { closed: outcomes.size - halved, halved };
  };
}
