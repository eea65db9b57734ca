import type { Measure, Shortfall } from "../../map/thresholds.ts";
import { operationName } from "../../values/operation_name.ts";
import type { ComparedPart, Comparison } from "../comparison/comparison.ts";
import { changeText, formatAmount, formatNumber, formatPercent, sentenceList } from "./amounts.ts";
import type { Report, ReportGate, ReportVerdict } from "../report.ts";
import { NO_RESPONSE_BODIES } from "./summary_wording.ts";

/** The verdict in short: `Failed: 2 of 5 requirements not met`. */
export function verdictText({ passed, gates }: ReportVerdict): string {
  const failed = gates.filter((gate) => !gate.passed).length;
  const all = formatAmount(gates.length, "requirement");
  if (!passed) return `Failed: ${formatNumber(failed)} of ${all} not met`;
  return `Passed: ${gates.length === 1 ? "the requirement is" : `all ${all} are`} met`;
}

export function gateText({ api, sentence }: ReportGate): string {
  return api === undefined ? sentence : `${api}: ${sentence}`;
}

/** The verdict on several APIs. Undefined if none has requirements. */
export function joinVerdicts(
  apis: readonly { readonly name: string; readonly report: Report }[],
): ReportVerdict | undefined {
  const gates = apis.flatMap(({ name, report: { verdict } }) =>
    (verdict?.gates ?? []).map((gate) => ({ api: name, ...gate }))
  );
  return gates.length === 0 ? undefined : { passed: gates.every(({ passed }) => passed), gates };
}

/** The percentages that changed since the baseline: `operations +2.5`. */
function movedDimensions({ summary }: Comparison): string {
  return Object.entries(summary).flatMap(([dimension, { percent, change }]) =>
    percent === null || change === null || change === 0
      ? []
      : [`${dimension} ${changeText(percent + change, percent)}`]
  ).join(", ");
}

export function changesText(comparison: Comparison): string {
  return changeFacts(comparison).map(({ text }) => text).join("; ");
}

export interface ChangeFact {
  readonly about: Exclude<keyof Comparison, "baseline">;
  readonly text: string;
  /** True if the text says that there is nothing in the list. */
  readonly isNone?: boolean;
}

/** All changes since the baseline, one by one. One of them always says whether there are new gaps. */
export function changeFacts(comparison: Comparison): readonly ChangeFact[] {
  const { new_gaps, closed_gaps, new_findings = [], uncovered_additions } = comparison;
  const moved = movedDimensions(comparison);
  const [added, removed] = [partAmounts(comparison.added), partAmounts(comparison.removed)];
  const count = (list: readonly unknown[], noun: string, fate = "") =>
    list.length === 0 ? "" : formatAmount(list.length, noun) + fate;
  const all: readonly ChangeFact[] = [
    { about: "summary", text: moved && `${moved} points` },
    { about: "new_gaps", text: count(new_gaps, "new gap") },
    { about: "closed_gaps", text: count(closed_gaps, "gap", " closed") },
    { about: "new_findings", text: count(new_findings, "new finding") },
    { about: "added", text: added && `${added} added to the description` },
    { about: "uncovered_additions", text: count(uncovered_additions, "gap", " in what was added") },
    { about: "removed", text: removed && `${removed} removed from it` },
  ];
  const facts = all.filter(({ text }) => text !== "");
  if (new_gaps.length > 0) return facts;
  const none = facts.length === 0 ? "no change" : "no new gaps";
  return [{ about: "new_gaps", text: none, isNone: true }, ...facts];
}

/** The baseline, with its known details: `baseline of 2026-01-31T12:00:00Z (version 1.0.0)`. */
export function baselineText({ generated_at, schema }: Comparison["baseline"]): string {
  const time = generated_at === "" ? "" : ` of ${generated_at}`;
  return `baseline${time}${schema.version === "" ? "" : ` (version ${schema.version})`}`;
}

const KINDS = ["operation", "parameter", "response"] as const;

/** The numbers of parts: `1 operation and 2 responses`. Parts of a listed operation aren't counted. */
function partAmounts(parts: readonly ComparedPart[]): string {
  const whole = new Set(parts.filter(({ kind }) => kind === "operation").map(operationName));
  const counted = parts.filter(({ kind, method, path }) =>
    kind === "operation" || !whole.has(`${method} ${path}`)
  );
  return sentenceList(KINDS.flatMap((name) => {
    const number = counted.filter(({ kind }) => kind === name).length;
    return number === 0 ? [] : [formatAmount(number, name)];
  }));
}

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
  noticed: "noticed parts of responses",
  access: "access expectations tried",
  values: "classes of values",
  tcl: "test coverage level",
};

/** The reason why a measure has no figure, if it isn't that the traffic has no responses. */
const CAUSES: Partial<Readonly<Record<Measure, string>>> = {
  parameters: "the traffic does not show them",
  keywords: "the traffic does not show them",
  keywords_full: "the traffic does not show them",
  examples: "the traffic does not show them",
  enforcement: "the traffic has no responses, or does not show what the rules are for",
  response_keywords: NO_RESPONSE_BODIES,
  noticed: "no change of a response has a verdict: covtool mutate makes them",
  access: "the config file has no identities, or the traffic shows none of them",
  values: "the traffic does not show them, or they were not counted for all of the hits",
};

export function unmeasuredText({ dimension, isUncountable }: Shortfall): string {
  const cause = isUncountable
    ? "nothing of the description can be counted"
    : CAUSES[dimension] ?? "the traffic has no responses";
  return `not measured (${cause})`;
}

/** A sentence for each shortfall, with the actual and the required figure, in enough digits to differ. */
export function thresholdLines(shortfalls: readonly Shortfall[]): string[] {
  return shortfalls.map((shortfall) => {
    const { dimension: measure, actual, minimum } = shortfall;
    const dimension = MEASURE_NAMES[measure];
    if (actual === null) {
      const required = `${minimum}${measure === "tcl" ? "" : "%"}`;
      return `${dimension}: ${
        unmeasuredText(shortfall)
      }, so the threshold of ${required} is not met`;
    }
    if (measure === "tcl") return `${dimension}: ${actual} is below ${minimum}`;
    const short = formatPercent(actual);
    // Rounded to tenths, 79.96 would read like the 80 that it misses.
    const shown = short === `${minimum}%` || short === formatPercent(minimum)
      ? `${actual}%`
      : short;
    return `${dimension}: ${shown} is below ${minimum}%`;
  });
}
