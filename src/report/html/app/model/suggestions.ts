import { EXAMPLE_FIELDS, KEYWORD_FIELDS, type PageParameter } from "../../page_data.ts";
import type { Model, Operation } from "./model.ts";
import { placeName } from "./place_name.ts";

/** What to do next: one request, or a few of one kind, that would close gaps. */
export type Action = "call" | "send" | "reach" | "fail" | "pass" | "example" | "response";

/** Something to send next, with what it would close. */
export interface Suggestion {
  readonly operation: Operation;
  readonly action: Action;
  /** Null where the action is about the operation as a whole. */
  readonly parameter: PageParameter | null;
  /** How many keywords, examples or statuses the action is about. */
  readonly count: number;
  /** The first few of them by name: schemas with keywords, example values as JSON, statuses. */
  readonly names: readonly string[];
  /** What it is worth: about how many things would be covered that are not. */
  readonly value: number;
}

/** How many names a suggestion carries. */
const NAMES = 3;

/** A keyword that was seen one way adds a gap, but no percent: it is worth less than an unseen one. */
const ONE_WAY_VALUE = 0.5;

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

function parameterSuggestions(
  model: Model,
  operation: Operation,
  parameter: PageParameter,
): Suggestion[] {
  const { texts } = model.data;
  const counts = { reach: 0, fail: 0, pass: 0, example: 0 };
  const names = {
    reach: new Set<string>(),
    fail: new Set<string>(),
    pass: new Set<string>(),
    example: new Set<string>(),
  };
  const { keywords, examples } = parameter;
  for (let at = 0; at < keywords.length; at += KEYWORD_FIELDS) {
    if (keywords[at + 4] !== 0) continue;
    const [valid, invalid] = [keywords[at + 2] !== 0, keywords[at + 3] !== 0];
    if (valid && invalid) continue;
    const action = valid ? "fail" : invalid ? "pass" : "reach";
    counts[action] += 1;
    if (names[action].size < NAMES) names[action].add(keywordName(model, parameter, at));
  }
  for (let at = 0; at < examples.length; at += EXAMPLE_FIELDS) {
    if (examples[at + 2] !== 0) continue;
    counts.example += 1;
    if (names.example.size < NAMES) names.example.add(texts[examples[at + 1] ?? 0] ?? "");
  }
  const actions = ["reach", "fail", "pass", "example"] as const;
  return actions.filter((action) => counts[action] > 0).map((action) => ({
    operation,
    action,
    parameter,
    count: counts[action],
    names: [...names[action]],
    value: counts[action] * (action === "fail" || action === "pass" ? ONE_WAY_VALUE : 1),
  }));
}

/** What to send next to one operation, in the order of its description. */
export function suggestionsOf(model: Model, operation: Operation): Suggestion[] {
  const { data } = operation;
  const unseen = data.summary.responses.measured
    ? data.responses.filter(({ hits }) => hits === 0).map(({ status_code }) => status_code)
    : [];
  if (data.hits === 0) {
    const keywords = data.parameters.reduce((sum, { keyword_total }) => sum + keyword_total, 0);
    return [{
      operation,
      action: "call",
      parameter: null,
      count: keywords,
      names: [],
      value: 1 + data.parameters.length + keywords + unseen.length,
    }];
  }
  const list: Suggestion[] = [];
  for (const parameter of data.parameters) {
    if (parameter.hits > 0) list.push(...parameterSuggestions(model, operation, parameter));
    else {
      const count = parameter.keyword_total;
      list.push({ operation, action: "send", parameter, count, names: [], value: 1 + count });
    }
  }
  if (unseen.length > 0) {
    list.push({
      operation,
      action: "response",
      parameter: null,
      count: unseen.length,
      names: unseen.slice(0, NAMES),
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
