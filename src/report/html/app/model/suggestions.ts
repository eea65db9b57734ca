import { EXAMPLE_FIELDS, KEYWORD_FIELDS, NO_TEXT, type PageParameter } from "../../page_data.ts";
import { advice } from "./advice.ts";
import type { Model, Operation } from "./model.ts";
import { placeName } from "./place_name.ts";
import { spotName } from "./spot.ts";
import { statusAdvice, statusText } from "./words.ts";

/** What to do next: one request, or a few of one kind, that would close gaps. */
export type Action = "call" | "send" | "reach" | "fail" | "pass" | "example" | "response";

/** One of the things that a suggestion is about. */
export interface Hint {
  /** Its place in the view of the operation. */
  readonly at: string;
  /** What it is called: a schema with a keyword, a value as JSON, a status. */
  readonly name: string;
  /** What to send, as the end of a sentence; empty where nothing can be said. */
  readonly advice: string;
}

/** Something to send next, with what it would close. */
export interface Suggestion {
  readonly operation: Operation;
  readonly action: Action;
  /** Null where the action is about the operation as a whole. */
  readonly parameter: PageParameter | null;
  /** How many keywords, examples or statuses the action is about. */
  readonly count: number;
  /** The first few of them. */
  readonly hints: readonly Hint[];
  /** What it is worth: about how many things would be covered that are not. */
  readonly value: number;
}

/** How many hints a suggestion carries. */
const HINTS = 3;

/** A keyword that was seen one way adds a gap, but no percent: it is worth less than an unseen one. */
const ONE_WAY_VALUE = 0.5;

/** Keywords that say something that can be sent at once; others only say how schemas hang together. */
const COMPOSED = new Set([
  ...["properties", "patternProperties", "propertyNames", "items", "prefixItems", "contains"],
  ...["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"],
]);

/** Which hints say most to a reader: limits before types before what only holds schemas. */
function hintRank(keyword: string): number {
  return COMPOSED.has(keyword) ? 2 : keyword === "type" || keyword === "nullable" ? 1 : 0;
}

/** What a person would call the keyword in the row that begins at an index: `User.name maxLength`. */
function keywordName({ data }: Model, parameter: PageParameter, at: number): string {
  const { keywords, schema_path, location } = parameter;
  const place = placeName(
    data.texts[keywords[at] ?? 0] ?? "",
    data.texts[schema_path] ?? "",
    location === "body" ? "body" : parameter.parameter,
  );
  return `${place} ${data.texts[keywords[at + 1] ?? 0] ?? ""}`;
}

const MISSING = { reach: "both", fail: "invalid", pass: "valid" } as const;

function keywordHint(
  model: Model,
  parameter: PageParameter,
  index: number,
  at: number,
  action: keyof typeof MISSING,
): Hint {
  const { texts } = model.data;
  const { keywords } = parameter;
  const value = keywords[at + 5] ?? NO_TEXT;
  return {
    at: spotName("keyword", index, at / KEYWORD_FIELDS),
    name: keywordName(model, parameter, at),
    advice: advice(
      texts[keywords[at + 1] ?? 0] ?? "",
      value === NO_TEXT ? null : texts[value] ?? null,
      MISSING[action],
    ),
  };
}

function parameterSuggestions(
  model: Model,
  operation: Operation,
  parameter: PageParameter,
  index: number,
): Suggestion[] {
  const { texts } = model.data;
  const counts = { reach: 0, fail: 0, pass: 0, example: 0 };
  const rows: Record<keyof typeof MISSING, number[]> = { reach: [], fail: [], pass: [] };
  const examplesMissing: Hint[] = [];
  const { keywords, examples } = parameter;
  for (let at = 0; at < keywords.length; at += KEYWORD_FIELDS) {
    if (keywords[at + 4] !== 0) continue;
    const [valid, invalid] = [keywords[at + 2] !== 0, keywords[at + 3] !== 0];
    if (valid && invalid) continue;
    const action = valid ? "fail" : invalid ? "pass" : "reach";
    counts[action] += 1;
    rows[action].push(at);
  }
  for (let at = 0; at < examples.length; at += EXAMPLE_FIELDS) {
    if (examples[at + 2] !== 0) continue;
    counts.example += 1;
    if (examplesMissing.length >= HINTS) continue;
    examplesMissing.push({
      at: spotName("example", index, at / EXAMPLE_FIELDS),
      name: texts[examples[at + 1] ?? 0] ?? "",
      advice: "",
    });
  }
  const nameOf = (at: number): string => texts[keywords[at + 1] ?? 0] ?? "";
  const hintsOf = (action: keyof typeof MISSING): Hint[] =>
    rows[action].toSorted((left, right) => hintRank(nameOf(left)) - hintRank(nameOf(right)))
      .slice(0, HINTS).map((at) => keywordHint(model, parameter, index, at, action));
  const actions = ["reach", "fail", "pass", "example"] as const;
  return actions.filter((action) => counts[action] > 0).map((action) => ({
    operation,
    action,
    parameter,
    count: counts[action],
    hints: action === "example" ? examplesMissing : hintsOf(action),
    value: counts[action] * (action === "fail" || action === "pass" ? ONE_WAY_VALUE : 1),
  }));
}

/** What to send next to one operation, in the order of its description. */
export function suggestionsOf(model: Model, operation: Operation): Suggestion[] {
  const { data } = operation;
  const unseen = data.summary.responses.measured
    ? data.responses.flatMap(({ hits, status_code }, index): Hint[] =>
      hits > 0 ? [] : [{
        at: spotName("response", index),
        name: `${status_code} ${statusText(status_code)}`.trim(),
        advice: statusAdvice(status_code),
      }]
    )
    : [];
  if (data.hits === 0) {
    const keywords = data.parameters.reduce((sum, { keyword_total }) => sum + keyword_total, 0);
    return [{
      operation,
      action: "call",
      parameter: null,
      count: keywords,
      hints: [],
      value: 1 + data.parameters.length + keywords + unseen.length,
    }];
  }
  const list: Suggestion[] = [];
  data.parameters.forEach((parameter, index) => {
    if (parameter.hits > 0) list.push(...parameterSuggestions(model, operation, parameter, index));
    else {
      const count = parameter.keyword_total;
      list.push({ operation, action: "send", parameter, count, hints: [], value: 1 + count });
    }
  });
  if (unseen.length > 0) {
    list.push({
      operation,
      action: "response",
      parameter: null,
      count: unseen.length,
      hints: unseen.slice(0, HINTS),
      value: unseen.length,
    });
  }
  return list;
}

/** The most valuable first; the document's order among equals. */
export function rankSuggestions(list: readonly Suggestion[]): Suggestion[] {
  return list.toSorted((left, right) => right.value - left.value);
}

/** What to send next, over the whole API, the most valuable first. */
export function topSuggestions(model: Model, limit: number): Suggestion[] {
  return rankSuggestions(
    model.operations.flatMap((operation) => suggestionsOf(model, operation)),
  ).slice(0, limit);
}
