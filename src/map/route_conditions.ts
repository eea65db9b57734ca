import { appendTo, getOrAdd } from "../values/collections.ts";
import { splitQuery, type TextPair } from "../http/request_text.ts";
import { decodeFormText } from "../http/percent.ts";
import type { PathTemplate } from "./path_template.ts";

type ConditionPlace = "query" | "header" | "form";

/** Something that a request must contain, besides method and path, to match an operation. */
export interface RouteCondition {
  readonly in: ConditionPlace;
  readonly name: string;
  /** The required value, decoded; undefined if any value matches. */
  readonly value: string | undefined;
}

export interface RouteParameter {
  readonly in: ConditionPlace;
  readonly name: string;
  readonly required: boolean;
  /** Returns the text of the only possible value; undefined if there are several. */
  onlyValue(): string | undefined;
}

/** Parts of a request, other than the query, that conditions refer to. */
export interface RouteMessage {
  header(name: string): string | undefined;
  /** Returns the first value of a field of the body's form, decoded; undefined if the body has no such field. */
  field(name: string, isUrlencoded: boolean): string | undefined;
}

export interface DistinguishedRoutes {
  /** The conditions of each operation, in the given order. */
  readonly conditions: readonly (readonly RouteCondition[])[];
  /** Operations that can't be distinguished from an earlier one, by index, with the index of that one. */
  readonly duplicates: ReadonlyMap<number, number>;
}

const PLACES: readonly ConditionPlace[] = ["query", "header", "form"];

/** Finds conditions that distinguish operations of one method and template (semantics, section 2). */
export function distinguishRoutes(
  operations: readonly {
    readonly template: PathTemplate;
    parameters(): readonly RouteParameter[];
  }[],
): DistinguishedRoutes {
  const isAlone = operations.length === 1;
  const conditions = operations.map(({ template: { tokens }, parameters }) => {
    if (tokens.length === 0) return [];
    const documented = tokens.some(({ delimiter }) => delimiter === "#") ? parameters() : [];
    return tokens.flatMap(({ delimiter, name, value }): RouteCondition[] => {
      // A request without the token can't be for any other operation.
      if (isAlone && value === undefined) return [];
      if (delimiter === "?") return [{ in: "query", name, value }];
      const found = findDocumented(name, documented);
      return found === undefined ? [] : [{ in: found.in, name: found.name, value }];
    });
  });
  if (isAlone) return { conditions, duplicates: new Map() };
  for (const group of groupEqual(conditions)) {
    if (group.length > 1) addValues(conditions, group, operations);
  }
  const duplicates = new Map<number, number>();
  for (const [first, ...later] of groupEqual(conditions)) {
    for (const duplicate of later) if (first !== undefined) duplicates.set(duplicate, first);
  }
  return { conditions, duplicates };
}

function findDocumented(
  name: string,
  parameters: readonly RouteParameter[],
): RouteParameter | undefined {
  for (const place of PLACES) {
    const key = conditionKey({ in: place, name });
    const found = parameters.find((parameter) => conditionKey(parameter) === key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Groups the indexes of lists with equal conditions, in the order of first occurrence. */
function groupEqual(conditions: readonly (readonly RouteCondition[])[]): Iterable<number[]> {
  const groups = new Map<string, number[]>();
  conditions.forEach((list, index) => {
    const key = JSON.stringify(list.map((one) => [conditionKey(one), one.value]).sort());
    appendTo(groups, key, index);
  });
  return groups.values();
}

/** Returns a text that is the same for conditions on, and parameters at, the same place. */
export function conditionKey({ in: place, name }: { in: string; name: string }): string {
  return `${place} ${place === "header" ? name.toLowerCase() : name}`;
}

/** Adds conditions for the values of required parameters if these values differ. */
function addValues(
  conditions: RouteCondition[][],
  group: readonly number[],
  operations: readonly { parameters(): readonly RouteParameter[] }[],
): void {
  const values = group.map((index) => {
    const byKey = new Map<string, RouteCondition>();
    for (const parameter of operations[index]?.parameters() ?? []) {
      const value = parameter.required ? parameter.onlyValue() : undefined;
      if (value === undefined) continue;
      const { in: place, name } = parameter;
      byKey.set(conditionKey(parameter), { in: place, name, value });
    }
    return byKey;
  });
  for (const key of new Set(values.flatMap((byKey) => [...byKey.keys()]))) {
    if (new Set(values.map((byKey) => byKey.get(key)?.value)).size === 1) continue;
    group.forEach((index, at) => {
      const condition = values[at]?.get(key);
      if (condition !== undefined) conditions[index]?.push(condition);
    });
  }
}

export class RoutedRequest {
  readonly #queryText: string;
  readonly #message: RouteMessage | undefined;
  #query: readonly TextPair[] | undefined;

  /** @param message Undefined if only the query is known; then headers and form fields count as absent. */
  constructor(query: string, message: RouteMessage | undefined) {
    this.#queryText = query;
    this.#message = message;
  }

  /** Returns the first value of a query parameter as sent; undefined if the query lacks it. */
  queryValue(name: string): string | undefined {
    this.#query ??= splitQuery(this.#queryText);
    return this.#query.find((pair) => pair.name === name)?.value;
  }

  textAt({ in: place, name }: Pick<RouteCondition, "in" | "name">): string | undefined {
    if (place === "header") return this.#message?.header(name)?.trim();
    if (place === "form") return this.#message?.field(name, false);
    const sent = this.queryValue(name);
    return sent === undefined ? this.#message?.field(name, true) : decodeFormText(sent);
  }
}

/** The operations of one method and template that have conditions. */
export class RouteGroup {
  /** Operations grouped by the place and value of one of their conditions. */
  readonly #byValue = new Map<string, { place: RouteCondition; routes: Map<string, number[]> }>();
  readonly #withoutValue: number[] = [];
  readonly #conditions: ReadonlyMap<number, readonly RouteCondition[]>;

  constructor(conditions: ReadonlyMap<number, readonly RouteCondition[]>) {
    this.#conditions = conditions;
    for (const [route, list] of conditions) {
      const place = list.find(({ value }) => value !== undefined);
      if (place?.value === undefined) {
        this.#withoutValue.push(route);
        continue;
      }
      const key = conditionKey(place);
      const entry = getOrAdd(this.#byValue, key, () => ({ place, routes: new Map() }));
      appendTo(entry.routes, place.value, route);
    }
  }

  /** Returns the route whose conditions are met: most conditions first, then most values, then the first; or -1. */
  choose(request: RoutedRequest): number {
    let chosen = -1;
    let highestRank = -1;
    const consider = (route: number): void => {
      const conditions = this.#conditions.get(route) ?? [];
      // A condition on a value outranks one on presence, but never two conditions.
      const rank = conditions.reduce(
        (sum, { value }) => sum + (value === undefined ? 1 : VALUE_RANK),
        0,
      );
      if (rank < highestRank || (rank === highestRank && route > chosen)) return;
      if (!conditions.every((condition) => isMet(condition, request))) return;
      chosen = route;
      highestRank = rank;
    };
    this.#withoutValue.forEach(consider);
    for (const { place, routes } of this.#byValue.values()) {
      const value = request.textAt(place);
      if (value !== undefined) routes.get(value)?.forEach(consider);
    }
    return chosen;
  }
}

/** The rank of a condition on a value; one on presence has rank 1. It takes over 1,000 conditions to add up to another. */
const VALUE_RANK = 1 + 1 / 1024;

function isMet(condition: RouteCondition, request: RoutedRequest): boolean {
  const found = request.textAt(condition);
  return found !== undefined && (condition.value === undefined || condition.value === found);
}
