import { keywordTable } from "../../../../values/keyword_table.ts";
import { gapAdvice, gapName, gapWeight, type OperationGap, operationGaps } from "./gaps.ts";
import type { Model, Operation } from "./model.ts";

/** The kinds of next steps, in the order within an operation and a parameter. */
const ACTIONS = ["call", "send", "reach", "fail", "pass", "example", "response"] as const;

export type Action = typeof ACTIONS[number];

/** A next step: one request, or a few similar ones, that would close gaps. */
export interface Suggestion {
  readonly operation: Operation;
  readonly action: Action;
  /** The gaps that it closes, most informative first. For an operation that was never called, only that gap. */
  readonly gaps: readonly [OperationGap, ...OperationGap[]];
  readonly value: number;
  /** Other operations with the same gaps. Undefined if they weren't searched. */
  readonly others?: readonly Operation[];
}

const MAX_NAMED = 3;

/** A keyword with one outcome seen already counts as covered, so closing its gap is worth less. */
const ONE_WAY_VALUE = 0.5;

/** The rank of a keyword by usefulness: limits, then types, then keywords that only contain schemas. */
function keywordRank(keyword: string): number {
  if (keyword === "type" || keyword === "nullable") return 1;
  const facts = keywordTable.get(keyword);
  return facts?.kind === "applicator" && !facts.isRest ? 2 : 0;
}

function actionFor({ kind, missing }: OperationGap): Action {
  switch (kind) {
    case "operation":
      return "call";
    case "parameter":
      return "send";
    case "keyword":
      return missing === "both" ? "reach" : missing === "invalid" ? "fail" : "pass";
    default:
      return kind;
  }
}

/** The value of closing gaps: roughly how many more things would be covered. */
export function gapsValue(gaps: readonly OperationGap[]): number {
  return gaps.reduce((sum, gap) => {
    const isOneWay = gap.missing === "valid" || gap.missing === "invalid";
    return sum + gapWeight(gap) * (isOneWay ? ONE_WAY_VALUE : 1);
  }, 0);
}

export function operationSuggestions(operation: Operation): Suggestion[] {
  const all = operationGaps(operation);
  const [called] = all;
  // All other gaps of an operation that was never called depend on calling it.
  if (called?.kind === "operation") {
    return [{ operation, action: "call", gaps: [called], value: gapsValue(all) }];
  }
  const groups = Map.groupBy(all, (gap) => {
    const place = gap.parameter?.index ?? operation.parameters.length;
    return place * ACTIONS.length + ACTIONS.indexOf(actionFor(gap));
  });
  return [...groups].sort(([left], [right]) => left - right).flatMap(([, members]) => {
    const [first, ...others] = members.toSorted((left, right) =>
      keywordRank(left.subject) - keywordRank(right.subject)
    );
    if (first === undefined) return [];
    const gaps = [first, ...others] as const;
    return [{ operation, action: actionFor(first), gaps, value: gapsValue(gaps) }];
  });
}

/** The gaps to list below a suggestion: those that its sentence doesn't mention. */
export function namedGaps({ action, gaps }: Suggestion): readonly OperationGap[] {
  return action === "call" || action === "send" ? [] : gaps.slice(0, MAX_NAMED);
}

export function rankSuggestions(list: readonly Suggestion[]): Suggestion[] {
  return list.toSorted((left, right) => right.value - left.value);
}

/** A key that is equal for suggestions with the same content, in any operation. */
function suggestionContent(suggestion: Suggestion): string {
  const { operation, action, gaps: { length, 0: { parameter, keywords } } } = suggestion;
  // To call another operation is a different step.
  const target = action === "call" ? operation.key : [parameter?.location, parameter?.parameter];
  const named = namedGaps(suggestion).map((gap) => [gapName(gap), gapAdvice(gap)]);
  return JSON.stringify([action, target, length, keywords, named]);
}

/** The most valuable suggestions. Operations with the same gaps share one suggestion. */
export function topSuggestions(model: Model, limit: number): Suggestion[] {
  const all = model.operations.flatMap((operation) => operationSuggestions(operation));
  const folded = [...Map.groupBy(all, suggestionContent).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, others: others.map(({ operation }) => operation) }]
  );
  return rankSuggestions(folded).slice(0, limit);
}
