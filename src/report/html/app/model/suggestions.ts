import { keywordTable } from "../../../../values/keyword_table.ts";
import { keywordAdvice, statusAdvice, statusText } from "../../../wording/gap_wording.ts";
import { placeName } from "../../../wording/place_name.ts";
import {
  isMissed,
  type Keyword,
  missingParts,
  type Model,
  type Operation,
  type Parameter,
} from "./model.ts";
import { spotName } from "./route.ts";

/** The next step: one request, or a few of one kind, that would close gaps. */
export type Action = "call" | "send" | "reach" | "fail" | "pass" | "example" | "response";

export interface Hint {
  readonly at: string;
  readonly name: string;
  /** The advice on what to send, as the end of a sentence; empty if there is none. */
  readonly advice: string;
}

export interface Suggestion {
  readonly operation: Operation;
  readonly action: Action;
  readonly parameter: Parameter | null;
  readonly count: number;
  readonly hints: readonly Hint[];
  /** Its value: about how many more things would be covered. */
  readonly value: number;
  /** Operations that lack the same; absent where there are none, or they were not looked for. */
  readonly others?: readonly Operation[];
}

const HINTS = 3;

/** A keyword that was seen one way adds a gap, but no percent: it is worth less than an unseen one. */
const ONE_WAY_VALUE = 0.5;

/** The rank of a hint by its use to a reader: limits before types before keywords that only hold schemas. */
function hintRank(keyword: string): number {
  if (keyword === "type" || keyword === "nullable") return 1;
  const facts = keywordTable.get(keyword);
  return facts?.kind === "applicator" && !facts.rest ? 2 : 0;
}

const MISSING = { reach: "both", fail: "invalid", pass: "valid" } as const;

function keywordHint(
  { schema_path, name }: Parameter,
  { at, schema, keyword, value }: Keyword,
  action: keyof typeof MISSING,
): Hint {
  return {
    at,
    name: `${placeName(schema, schema_path, name)} ${keyword}`,
    advice: keywordAdvice(keyword, value ?? null, MISSING[action]),
  };
}

function parameterSuggestions(operation: Operation, parameter: Parameter): Suggestion[] {
  const list: Suggestion[] = (["reach", "fail", "pass"] as const).flatMap((action) => {
    const own = parameter.keywords.filter((one) => missingParts(one) === MISSING[action]);
    const count = own.length;
    if (count === 0) return [];
    const hints = own.sort((left, right) => hintRank(left.keyword) - hintRank(right.keyword))
      .slice(0, HINTS)
      .map((keyword) => keywordHint(parameter, keyword, action));
    const value = count * (action === "reach" ? 1 : ONE_WAY_VALUE);
    return [{ operation, action, parameter, count, hints, value }];
  });
  const unused = parameter.examples.filter(isMissed);
  const count = unused.length;
  if (count > 0) {
    const hints = unused.slice(0, HINTS).map(({ at, value: name }) => ({ at, name, advice: "" }));
    list.push({ operation, action: "example", parameter, count, hints, value: count });
  }
  return list;
}

export function operationSuggestions(operation: Operation): Suggestion[] {
  const { data } = operation;
  if (data.excluded !== undefined) return [];
  const unseen = data.summary.responses.measured
    ? data.responses.flatMap(({ hits, status_code, excluded }, index): Hint[] =>
      hits > 0 || excluded !== undefined ? [] : [{
        at: spotName("response", index),
        name: `${status_code} ${statusText(status_code)}`.trim(),
        advice: statusAdvice(status_code),
      }]
    )
    : [];
  const whole = { operation, parameter: null, hints: [] };
  if (data.hits === 0) {
    const { parameters, keywords, examples } = data.summary;
    const value = 1 + parameters.total + keywords.total + examples.total + unseen.length;
    return [{ ...whole, action: "call", count: keywords.total, value }];
  }
  const list: Suggestion[] = [];
  for (const parameter of operation.parameters) {
    if (parameter.excluded !== undefined || parameter.measured === false) continue;
    if (parameter.hits > 0) list.push(...parameterSuggestions(operation, parameter));
    else {
      const { keyword_total: count, example_total = 0 } = parameter;
      const value = 1 + count + example_total;
      list.push({ ...whole, action: "send", parameter, count, value });
    }
  }
  if (unseen.length > 0) {
    const { length: count } = unseen;
    const hints = unseen.slice(0, HINTS);
    list.push({ ...whole, action: "response", count, hints, value: count });
  }
  return list;
}

export function rankSuggestions(list: readonly Suggestion[]): Suggestion[] {
  return list.toSorted((left, right) => right.value - left.value);
}

/** The same for suggestions that ask for the same, whatever their operation. */
function suggestionContent({ operation, action, parameter, count, hints }: Suggestion): string {
  // Calling another operation is another thing to do.
  const of = action === "call" ? operation.key : [parameter?.location, parameter?.parameter];
  return JSON.stringify([action, of, count, hints.map(({ name, advice }) => [name, advice])]);
}

/** The most valuable suggestions; operations that lack the same share one. */
export function topSuggestions(model: Model, limit: number): Suggestion[] {
  const all = model.operations.flatMap((operation) => operationSuggestions(operation));
  const folded = [...Map.groupBy(all, suggestionContent).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, others: others.map(({ operation }) => operation) }]
  );
  return rankSuggestions(folded).slice(0, limit);
}
