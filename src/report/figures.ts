import {
  coveredCount,
  type Dimension,
  DIMENSIONS,
  type SeenCount,
  type Summary,
} from "../map/results.ts";
import { capitalized, formatAmount, formatNumber } from "./wording/amounts.ts";
import {
  enforcementText,
  isCounted,
  lackResponseBodies,
  NO_RESPONSE_BODIES,
  responseKeywordCounts,
  UNCOUNTED_VALUES,
} from "./wording/summary_wording.ts";

export type FigureName =
  | Dimension
  | "values"
  | "enforcement"
  | "response_keywords"
  | "noticed"
  | "access";

export interface FigureFacts {
  readonly name: FigureName;
  readonly label: string;
  /** Exact, 0 to 100; null if nothing was measured. */
  readonly percent: number | null;
  /** Fully covered; for keywords, seen both ways. */
  readonly full: number;
  /** Covered in part: keywords that were seen one way. */
  readonly partial: number;
  /** 0 where nothing was measured. */
  readonly total: number;
  /** The counts in words: `4 of 5 called`. */
  readonly text: string;
}

export interface DimensionFacts extends FigureFacts {
  readonly dimension: Dimension;
  readonly counts: string;
}

const VERBS: Readonly<Record<Dimension, string>> = {
  operations: "called",
  parameters: "sent",
  keywords: "",
  examples: "used",
  responses: "seen",
};

/** The five dimensions. Where parts of the description are excluded, nothing that counts may still be documented. */
export function dimensionFigures(summary: Summary, isScoped = false): readonly DimensionFacts[] {
  return DIMENSIONS.map((dimension) => {
    const count: Partial<SeenCount> & Summary[typeof dimension] = summary[dimension];
    const [full, partial] = "full" in count ? [count.full, count.partial] : [count.seen, 0];
    const isHidden = dimension === "responses" && !summary.responses.measured;
    const { percent } = count;
    const names = { name: dimension, dimension, label: capitalized(dimension), percent };
    if (count.total === 0 || isHidden) {
      const hidden = isHidden ? count.total || undefined : count.not_measured;
      const none = isScoped ? "none counted" : "none documented";
      const reason = isHidden
        ? `the traffic has no responses (${formatAmount(count.total, "status", "statuses")}`
        : `not visible in this traffic (${formatNumber(hidden ?? 0)}`;
      return {
        ...names,
        full: 0,
        partial: 0,
        total: 0,
        counts: hidden === undefined ? none : `not measured, ${formatNumber(hidden)} documented`,
        text: hidden === undefined ? none : `not measured: ${reason} documented)`,
      };
    }
    const amount = `${formatNumber(full + partial)} of ${formatNumber(count.total)}`;
    const states = `${amount}: ${formatNumber(full)} full, ${formatNumber(partial)} partial`;
    return {
      ...names,
      full,
      partial,
      total: count.total,
      counts: dimension === "keywords"
        ? states
        : amount + (dimension === "operations" ? succeededText(summary.operations) : ""),
      text: dimension === "keywords" ? states : `${amount} ${VERBS[dimension]}`,
    };
  });
}

function succeededText({ seen, succeeded }: Summary["operations"]): string {
  return typeof succeeded !== "number" || succeeded === seen
    ? ""
    : `, ${formatNumber(succeeded)} succeeded`;
}

function valuesFigure({ values }: Summary): FigureFacts[] {
  if (values === undefined || values.total === 0) return [];
  const { seen: full, percent } = values;
  const total = percent === null ? 0 : values.total;
  const text = percent === null
    ? UNCOUNTED_VALUES
    : `${formatNumber(full)} of ${formatAmount(total, "class", "classes")} sent`;
  return [{ name: "values", label: "Values", percent, full, partial: 0, total, text }];
}

function enforcementFigure({ enforcement }: Summary): FigureFacts[] {
  const text = enforcementText(enforcement, false);
  if (enforcement === undefined || text === undefined) return [];
  const { enforced: full, total, percent } = enforcement;
  return [{ name: "enforcement", label: "Enforcement", percent, full, partial: 0, total, text }];
}

function responseKeywordFigure(summary: Summary): FigureFacts[] {
  const { response_keywords: keywords } = summary;
  const names = { name: "response_keywords", label: "Response keywords", partial: 0 } as const;
  if (keywords !== undefined && isCounted(keywords)) {
    const { seen, total, percent } = keywords;
    const text = responseKeywordCounts(keywords);
    return [{ ...names, percent, full: seen, total: total ?? 0, text }];
  }
  if (!lackResponseBodies(summary)) return [];
  const none = `not measured: ${NO_RESPONSE_BODIES}`;
  return [{ ...names, percent: null, full: 0, total: 0, text: none }];
}

export function noticedFigure({ noticed: counts }: Summary): FigureFacts[] {
  if (counts === undefined || counts.total === 0) return [];
  const { noticed: full, unnoticed, not_tried, percent } = counts;
  const rest = not_tried === 0 ? "" : `, ${formatNumber(not_tried)} not tried`;
  const total = full + unnoticed;
  const text = `${formatNumber(full)} of ${formatNumber(total)} changes of responses${rest}`;
  return [{ name: "noticed", label: "Noticed", percent, full, partial: 0, total, text }];
}

export function accessFigure({ access }: Summary): FigureFacts[] {
  if (access === undefined) return [];
  const { tried: full, total, percent, not_measured } = access;
  if (total + (not_measured ?? 0) === 0) return [];
  const text = total === 0
    ? `not measured: the traffic doesn't show who sent it (${
      formatNumber(not_measured ?? 0)
    } expected)`
    : `${formatNumber(full)} of ${formatNumber(total)} expectations tried`;
  return [{ name: "access", label: "Access", percent, full, partial: 0, total, text }];
}

export interface FigureGroup {
  readonly title: string;
  readonly figures: readonly FigureFacts[];
}

/** All figures that are measured, by the question that they answer: what was sent, came back and was proven. */
export function figureGroups(summary: Summary, isScoped = false): readonly FigureGroup[] {
  const dimensions = dimensionFigures(summary, isScoped);
  return [
    {
      title: "Sent",
      figures: [
        ...dimensions.filter(({ name }) => name !== "responses"),
        ...valuesFigure(summary),
      ],
    },
    {
      title: "Came back",
      figures: [
        ...dimensions.filter(({ name }) => name === "responses"),
        ...responseKeywordFigure(summary),
      ],
    },
    {
      title: "Proven",
      figures: [...enforcementFigure(summary), ...noticedFigure(summary), ...accessFigure(summary)],
    },
  ];
}

/** The parts of an operation that its row in a table counts. */
export const COUNTED_PARTS = ["parameters", "keywords", "examples", "responses"] as const;

export function countText(summary: Summary, part: typeof COUNTED_PARTS[number]): string {
  const count = summary[part];
  if (count.total === 0 || part === "responses" && !summary.responses.measured) return "–";
  return `${coveredCount(count)}/${count.total}`;
}
