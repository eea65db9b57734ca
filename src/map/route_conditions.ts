import { appendTo, getOrAdd } from "../values/collections.ts";
import { splitQuery, type TextPair } from "../http/request_text.ts";
import { decodeFormText } from "../http/percent.ts";
import type { PathTemplate } from "./path_template.ts";

type ConditionPlace = "query" | "header" | "form";

/** Something that a request must carry to be one of an operation, beside its method and path. */
export interface RouteCondition {
  readonly in: ConditionPlace;
  readonly name: string;
  /** The text that is asked for, decoded; undefined for any. */
  readonly value: string | undefined;
}

/** A documented parameter or form field, as conditions need it. */
export interface RouteParameter {
  readonly in: ConditionPlace;
  readonly name: string;
  readonly required: boolean;
  /** The text of its only possible value; undefined if it can have others. */
  onlyValue(): string | undefined;
}

/** The parts of a request that conditions ask for, beside its query. */
export interface RouteMessage {
  header(name: string): string | undefined;
  /** The first value of a field of the body's form, decoded; undefined if it has none, or is no form. */
  field(name: string, isUrlencoded: boolean): string | undefined;
}

/** The operations of one method and template, as far as conditions tell them apart. */
export interface ToldApart {
  /** The conditions of each, in the order given. */
  readonly conditions: readonly (readonly RouteCondition[])[];
  /** The indexes in that order of those that nothing tells from an earlier one, with that. */
  readonly same: ReadonlyMap<number, number>;
}

const PLACES: readonly ConditionPlace[] = ["query", "header", "form"];

/** Finds what tells the operations of one method and template apart (semantics, section 2). */
export function tellApart(
  operations: readonly {
    readonly template: PathTemplate;
    parameters(): readonly RouteParameter[];
  }[],
): ToldApart {
  const isAlone = operations.length === 1;
  const conditions = operations.map(({ template: { tokens }, parameters }) => {
    if (tokens.length === 0) return [];
    const documented = tokens.some(({ behind }) => behind === "#") ? parameters() : [];
    return tokens.flatMap(({ behind, name, value }): RouteCondition[] => {
      // There is nothing else that a request without it could be for.
      if (isAlone && value === undefined) return [];
      if (behind === "?") return [{ in: "query", name, value }];
      const found = documentedAs(name, documented);
      return found === undefined ? [] : [{ in: found.in, name: found.name, value }];
    });
  });
  if (isAlone) return { conditions, same: new Map() };
  for (const alike of groupBy(conditions)) {
    if (alike.length > 1) addValues(conditions, alike, operations);
  }
  const same = new Map<number, number>();
  for (const [first, ...others] of groupBy(conditions)) {
    for (const other of others) if (first !== undefined) same.set(other, first);
  }
  return { conditions, same };
}

function documentedAs(
  name: string,
  parameters: readonly RouteParameter[],
): RouteParameter | undefined {
  const lower = name.toLowerCase();
  for (const place of PLACES) {
    const found = parameters.find((parameter) =>
      parameter.in === place &&
      (place === "header" ? parameter.name.toLowerCase() === lower : parameter.name === name)
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The indexes of lists of conditions that ask for the same, in the order of the first of each. */
function groupBy(conditions: readonly (readonly RouteCondition[])[]): Iterable<number[]> {
  const groups = new Map<string, number[]>();
  conditions.forEach((list, index) => {
    const key = JSON.stringify(list.map((one) => [conditionKey(one), one.value]).sort());
    appendTo(groups, key, index);
  });
  return groups.values();
}

function conditionKey({ in: place, name }: Pick<RouteCondition, "in" | "name">): string {
  return `${place} ${place === "header" ? name.toLowerCase() : name}`;
}

/** Adds the values that required parameters must have, where these differ. */
function addValues(
  conditions: RouteCondition[][],
  alike: readonly number[],
  operations: readonly { parameters(): readonly RouteParameter[] }[],
): void {
  const values = alike.map((index) => {
    const found = new Map<string, RouteCondition>();
    for (const parameter of operations[index]?.parameters() ?? []) {
      const value = parameter.required ? parameter.onlyValue() : undefined;
      if (value === undefined) continue;
      const { in: place, name } = parameter;
      found.set(conditionKey(parameter), { in: place, name, value });
    }
    return found;
  });
  for (const key of new Set(values.flatMap((found) => [...found.keys()]))) {
    if (new Set(values.map((found) => found.get(key)?.value)).size === 1) continue;
    alike.forEach((index, at) => {
      const condition = values[at]?.get(key);
      if (condition !== undefined) conditions[index]?.push(condition);
    });
  }
}

export class AskedRequest {
  readonly #queryText: string;
  readonly #message: RouteMessage | undefined;
  #query: readonly TextPair[] | undefined;

  /** Takes the query as it was sent; without a message, what isn't in the query is absent. */
  constructor(query: string, message: RouteMessage | undefined) {
    this.#queryText = query;
    this.#message = message;
  }

  /** The first value of a name in the query, as it was sent; undefined if there is none. */
  inQuery(name: string): string | undefined {
    this.#query ??= splitQuery(this.#queryText);
    return this.#query.find((pair) => pair.name === name)?.value;
  }

  /** The text that the request carries where a condition looks; undefined if it has none. */
  textAt({ in: place, name }: Pick<RouteCondition, "in" | "name">): string | undefined {
    if (place === "header") return this.#message?.header(name)?.trim();
    if (place === "form") return this.#message?.field(name, false);
    const sent = this.inQuery(name);
    return sent === undefined ? this.#message?.field(name, true) : decodeFormText(sent);
  }
}

/** The operations of one method and template that have conditions. */
export class RouteGroup {
  /** The operations by the value of a condition each, and the place to look for it. */
  readonly #byValue = new Map<
    string,
    { readonly place: RouteCondition; readonly routes: Values }
  >();
  /** Those that ask for no value. */
  readonly #others: number[] = [];
  readonly #conditions: ReadonlyMap<number, readonly RouteCondition[]>;

  constructor(conditions: ReadonlyMap<number, readonly RouteCondition[]>) {
    this.#conditions = conditions;
    for (const [route, list] of conditions) {
      const place = list.find(({ value }) => value !== undefined);
      if (place?.value === undefined) {
        this.#others.push(route);
        continue;
      }
      const key = conditionKey(place);
      const entry = getOrAdd(this.#byValue, key, () => ({ place, routes: new Map() }));
      appendTo(entry.routes, place.value, route);
    }
  }

  /** The route that a request meets: most conditions, then most that ask for values, then the first; -1 if none. */
  choose(request: AskedRequest): number {
    let chosen = -1;
    let most = -1;
    const consider = (route: number): void => {
      const conditions = this.#conditions.get(route) ?? [];
      // A value asks for more than presence, and never for more than another condition.
      const rank = conditions.reduce((sum, { value }) => sum + (value === undefined ? 1 : STEP), 0);
      if (rank < most || (rank === most && route > chosen)) return;
      if (!conditions.every((condition) => isMet(condition, request))) return;
      chosen = route;
      most = rank;
    };
    this.#others.forEach(consider);
    for (const { place, routes } of this.#byValue.values()) {
      const value = request.textAt(place);
      if (value !== undefined) routes.get(value)?.forEach(consider);
    }
    return chosen;
  }
}

/** The rank of a condition on a value, where one on presence has 1; paths have far fewer conditions than it takes to add up. */
const STEP = 1 + 1 / 1024;

type Values = Map<string, number[]>;

function isMet(condition: RouteCondition, request: AskedRequest): boolean {
  const found = request.textAt(condition);
  return found !== undefined && (condition.value === undefined || condition.value === found);
}
