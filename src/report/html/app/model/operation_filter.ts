import { isChanged, type Model, type Operation, type OperationState } from "./model.ts";
import { chosen } from "./route.ts";
import { makeSearch } from "./search.ts";
import type { Source } from "./source.ts";
import { pathSegments, sharedSegments } from "../../../wording/place_name.ts";

/** The sort keys of operations, by their names in addresses. Null if nothing is measured. */
export const SORTS = {
  method: ({ data }: Operation): string => data.method,
  path: ({ data }: Operation): string => data.path,
  hits: ({ data }: Operation): number => data.hits,
  parameters: ({ data }: Operation): number | null => data.summary.parameters.percent,
  keywords: ({ data }: Operation): number | null => data.summary.keywords.percent,
  examples: ({ data }: Operation): number | null => data.summary.examples.percent,
  responses: ({ data }: Operation): number | null => data.summary.responses.percent,
  noticed: ({ data }: Operation): number | null => data.summary.noticed?.percent ?? null,
  gaps: ({ gaps }: Operation): number => gaps.total,
};

export type Sort = keyof typeof SORTS;

/** The states to filter by, with their labels. An empty state shows all. */
export const STATES: readonly (readonly [state: OperationState | "", label: string])[] = [
  ["", "All"],
  ["never", "Not covered"],
  ["gaps", "Partial"],
  ["complete", "Full"],
  ["excluded", "Excluded"],
];

export function chosenState(query: URLSearchParams): OperationState | "" {
  return STATES.find(([state]) => state === query.get("state"))?.[0] ?? "";
}

export function chosenSort(query: URLSearchParams): { sort: Sort; descending: boolean } | null {
  const [, minus, name = ""] = /^(-?)(.*)$/.exec(query.get("sort") ?? "") ?? [];
  return Object.hasOwn(SORTS, name) ? { sort: name as Sort, descending: minus === "-" } : null;
}

/** Operations with nothing measured come last in both directions. */
function compare(left: Operation, right: Operation, sort: Sort, descending: boolean): number {
  const [one, other] = [SORTS[sort](left), SORTS[sort](right)];
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return (one < other ? -1 : 1) * (descending ? -1 : 1);
}

export function selectOperations(
  model: Model,
  query: URLSearchParams,
  source?: Source | null,
): Operation[] {
  const asked = (name: string): string => query.get(name) ?? "";
  const group = asked("in");
  const from = group === ""
    ? model.operations
    : groupOperations(model, model.operations, chosenGrouping(model, query))
      .find(({ name }) => name === group)?.operations ?? [];
  const methods = chosen(asked("method"));
  const asksFor = chosenState(query);
  const since = chosen(asked("since"));
  const search = makeSearch(model, asked("q"), source);
  const list = from.filter((operation) => {
    const { data, state, change, undocumented } = operation;
    return (methods.size === 0 || methods.has(data.method)) &&
      (asksFor === "" || asksFor === state) &&
      (asked("deprecated") !== "1" || data.deprecated) &&
      (asked("undocumented") !== "1" || undocumented.length > 0) &&
      isChanged(change, since) &&
      search.operation(operation);
  });
  const by = chosenSort(query);
  return by === null
    ? list
    : list.sort((left, right) => compare(left, right, by.sort, by.descending));
}

export const GROUPINGS = ["tag", "path", "none"] as const;

export type Grouping = typeof GROUPINGS[number];

export interface Group {
  readonly name: string;
  readonly operations: readonly Operation[];
}

export function chosenGrouping(model: Model, query: URLSearchParams): Grouping {
  return GROUPINGS.find((one) => one === query.get("by")) ?? naturalGrouping(model);
}

export function naturalGrouping(model: Model): Grouping {
  return model.operations.some(({ data }) => data.tags.length > 0) ? "tag" : "path";
}

/** Groups are in the order of their first operations. */
export function groupOperations(
  model: Model,
  operations: readonly Operation[],
  grouping: Grouping,
): Group[] {
  if (grouping === "none") return [{ name: "", operations }];
  const skip = grouping === "path"
    ? sharedSegments(model.operations.map(({ data }) => data.path))
    : 0;
  const groups = Map.groupBy(
    operations,
    ({ data: { tags, path } }) =>
      grouping === "tag" ? tags[0] ?? "untagged" : `/${pathSegments(path)[skip] ?? ""}`,
  );
  return Array.from(groups, ([name, members]) => ({ name, operations: members }));
}
