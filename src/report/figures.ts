import {
  coveredCount,
  type Dimension,
  DIMENSIONS,
  type SeenCount,
  type Summary,
} from "../map/results.ts";
import { capitalized, formatAmount, formatNumber, formatPercent } from "./wording/amounts.ts";
import { lackResponseBodies, NO_RESPONSE_BODIES } from "./wording/summary_wording.ts";

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
  /** The number of fully covered parts; keywords have to be seen passing and failing. */
  readonly full: number;
  /** The number of keywords that were seen either passing or failing. */
  readonly partial: number;
  /** 0 if nothing was measured. */
  readonly total: number;
  /** The counts as text: `4 of 5 called`. */
  readonly text: string;
}

export interface DimensionFacts extends FigureFacts {
  readonly name: Dimension;
  readonly counts: string;
}

interface OtherFacts extends FigureFacts {
  /** The counts and the percentage as text that needs no label. */
  readonly fact: string;
}

const VERBS: Readonly<Record<Dimension, string>> = {
  operations: "called",
  parameters: "sent",
  keywords: "",
  examples: "used",
  responses: "seen",
};

/** The figures of the five dimensions. `isScoped` is true if parts of the description are excluded. */
export function dimensionFigures(summary: Summary, isScoped = false): readonly DimensionFacts[] {
  return DIMENSIONS.map((dimension) => {
    const count: Partial<SeenCount> & Summary[typeof dimension] = summary[dimension];
    const [full, partial] = "full" in count ? [count.full, count.partial] : [count.seen, 0];
    const isHidden = dimension === "responses" && !summary.responses.measured;
    const { percent } = count;
    const names = { name: dimension, label: capitalized(dimension), percent };
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

const LABELS: Readonly<Record<Exclude<FigureName, Dimension>, string>> = {
  enforcement: "Enforcement",
  response_keywords: "Response keywords",
  values: "Values",
  noticed: "Noticed",
  access: "Access",
};

/** Makes a figure. `what` names what is counted, `short` replaces it beside a label, `rest` follows the percentage. */
function otherFigure(
  name: keyof typeof LABELS,
  { full, total, percent }: Pick<FigureFacts, "full" | "total" | "percent">,
  what: string,
  { short = what, rest = "" } = {},
): OtherFacts[] {
  const counts = `${formatNumber(full)} of ${formatNumber(total)}`;
  const text = `${counts} ${short}${rest}`;
  const fact = `${counts} ${what} (${formatPercent(percent)})${rest}`;
  return [{ name, label: LABELS[name], percent, full, partial: 0, total, text, fact }];
}

function notMeasured(name: keyof typeof LABELS, text: string, fact = text): OtherFacts[] {
  return [{ name, label: LABELS[name], percent: null, full: 0, partial: 0, total: 0, text, fact }];
}

function enforcementFigure({ enforcement }: Summary): OtherFacts[] {
  if (enforcement?.measured !== true || enforcement.total === 0) return [];
  const { enforced: full, not_enforced, total, percent } = enforcement;
  const rest = not_enforced === 0
    ? ""
    : `, ${formatNumber(not_enforced)} accepted although invalid`;
  return otherFigure("enforcement", { full, total, percent }, "rules proven", { rest });
}

function responseKeywordFigure(summary: Summary): OtherFacts[] {
  const name = "response_keywords";
  if (lackResponseBodies(summary)) {
    const text = `not measured: ${NO_RESPONSE_BODIES}`;
    return notMeasured(name, text, `response keywords ${text}`);
  }
  const { seen: full = 0, violated = 0, total, percent = null } = summary.response_keywords ?? {};
  if (!total) return [];
  const rest = violated === 0 ? "" : `, ${formatNumber(violated)} violated`;
  return otherFigure(name, { full, total, percent }, "response keywords seen", {
    short: "seen",
    rest,
  });
}

function valuesFigure({ values }: Summary): OtherFacts[] {
  if (values === undefined || values.total === 0) return [];
  const { seen: full, total, percent } = values;
  if (percent === null) {
    return notMeasured("values", "not measured: some of the hits were counted without values");
  }
  const classes = total === 1 ? "class" : "classes";
  return otherFigure("values", { full, total, percent }, `${classes} of valid values sent`, {
    short: `${classes} sent`,
  });
}

export function noticedFigure({ noticed: counts }: Summary): OtherFacts[] {
  if (counts === undefined || counts.total === 0) return [];
  const { noticed: full, unnoticed, not_tried, percent } = counts;
  const rest = not_tried === 0 ? "" : `, ${formatNumber(not_tried)} not tried`;
  if (percent === null) return notMeasured("noticed", `no verdict${rest}`);
  const what = "parts of responses noticed when they change";
  return otherFigure("noticed", { full, total: full + unnoticed, percent }, what, {
    short: "parts noticed",
    rest,
  });
}

export function accessFigure({ access }: Summary): OtherFacts[] {
  if (access === undefined) return [];
  const { tried: full, total, percent, not_measured: hidden = 0 } = access;
  if (total + hidden === 0) return [];
  const amount = formatAmount(hidden, "expectation");
  const unseen = `not measured: the traffic doesn't show who sent it (${amount})`;
  if (total === 0) return notMeasured("access", unseen);
  const what = `${total === 1 ? "expectation" : "expectations"} tried`;
  const rest = hidden === 0 ? "" : `; ${unseen}`;
  return otherFigure("access", { full, total, percent }, what, { rest });
}

/** The figures other than dimensions: the measured ones, and those with a known reason why they aren't measured. */
export function otherFigures(summary: Summary): readonly OtherFacts[] {
  return [
    ...enforcementFigure(summary),
    ...responseKeywordFigure(summary),
    ...valuesFigure(summary),
    ...noticedFigure(summary),
    ...accessFigure(summary),
  ];
}

export interface FigureGroup {
  readonly title: string;
  readonly figures: readonly FigureFacts[];
}

const QUESTIONS: readonly (readonly [title: string, names: readonly FigureName[]])[] = [
  ["Sent", ["operations", "parameters", "keywords", "examples", "values"]],
  ["Came back", ["responses", "response_keywords"]],
  ["Proven", ["enforcement", "noticed", "access"]],
];

export function figureGroups(summary: Summary, isScoped = false): readonly FigureGroup[] {
  const figures = [...dimensionFigures(summary, isScoped), ...otherFigures(summary)];
  return QUESTIONS.map(([title, names]) => ({
    title,
    figures: figures.filter(({ name }) => names.includes(name)),
  }));
}

/** The parts whose counts are shown in an operation's table row. */
export const COUNTED_PARTS = ["parameters", "keywords", "examples", "responses"] as const;

export function countText(summary: Summary, part: typeof COUNTED_PARTS[number]): string {
  const count = summary[part];
  if (count.total === 0 || part === "responses" && !summary.responses.measured) return "–";
  return `${formatNumber(coveredCount(count))}/${formatNumber(count.total)}`;
}
