import type { Summary } from "../../map/results.ts";
import type { ParameterLocation } from "../../values/parameter_location.ts";
import { capitalized, formatAmount, sentenceList } from "./amounts.ts";

/** What the traffic of a report could not show. */
interface Unmeasured {
  readonly summary: Pick<Summary, "parameters" | "keywords" | "examples">;
  readonly operations: readonly {
    readonly parameters: readonly {
      readonly location: ParameterLocation;
      readonly measured?: false;
    }[];
  }[];
}

const PARTS: readonly (readonly [part: string, locations: readonly ParameterLocation[]])[] = [
  ["path parameters", ["path"]],
  ["queries", ["query"]],
  ["headers", ["header"]],
  ["cookies", ["cookie"]],
  ["bodies", ["body", "form_data"]],
];

/**
 * What is not measured, because none of the traffic could show it, as a sentence without its point; undefined if all of
 * the description is.
 *
 * @example
 * ```ts
 * import { notMeasuredText } from "./not_measured_text.ts";
 * import assert from "node:assert/strict";
 *
 * const none = { seen: 0, total: 0, percent: null };
 * const summary = {
 *   parameters: { ...none, not_measured: 2 },
 *   keywords: { partial: 0, full: 0, total: 0, percent: null, not_measured: 9 },
 *   examples: none,
 * };
 * const parameters = [{ location: "header", measured: false }, { location: "body", measured: false }] as const;
 * assert.equal(
 *   notMeasuredText({ summary, operations: [{ parameters }] }),
 *   "Headers and bodies of requests: not visible in this traffic, so 2 parameters and 9 keywords are not measured",
 * );
 * ```
 */
export function notMeasuredText({ summary, operations }: Unmeasured): string | undefined {
  const { parameters, keywords, examples } = summary;
  if (parameters.not_measured === undefined) return undefined;
  const hidden = new Set<ParameterLocation>();
  const shown = new Set<ParameterLocation>();
  for (const operation of operations) {
    for (const { location, measured } of operation.parameters) {
      (measured === false ? hidden : shown).add(location);
    }
  }
  const parts = PARTS.filter(([, locations]) => locations.some((one) => hidden.has(one)))
    .map(([part, [location]]) =>
      part === "headers" && location !== undefined && shown.has(location) ? "some headers" : part
    );
  const amounts = [
    formatAmount(parameters.not_measured, "parameter"),
    ...(keywords.not_measured === undefined
      ? []
      : [formatAmount(keywords.not_measured, "keyword")]),
    ...(examples.not_measured === undefined
      ? []
      : [formatAmount(examples.not_measured, "example")]),
  ];
  const isOne = amounts.length === 1 && parameters.not_measured === 1;
  return `${capitalized(sentenceList(parts))} of requests: not visible in this traffic, so ${
    sentenceList(amounts)
  } ${isOne ? "is" : "are"} not measured`;
}
