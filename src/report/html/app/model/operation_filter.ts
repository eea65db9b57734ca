import { isChanged, type Model, type Operation, type OperationState } from "./model.ts";
import { makeSearch, type Search } from "./search.ts";
import type { Source } from "./source.ts";
import { pathSegments, sharedSegments } from "../../../wording/place_name.ts";

export const SORTS = [
  "method",
  "path",
  "hits",
  "parameters",
  "keywords",
  "examples",
  "responses",
  "noticed",
  "gaps",
] as const;

export type Sort = typeof SORTS[number];

export interface OperationQuery {
  readonly search: string;
  readonly methods: ReadonlySet<string>;
  readonly state: OperationState | "";
  readonly deprecated: boolean;
  readonly undocumented: boolean;
  /** The change since the baseline, as {@linkcode isChanged} takes it. */
  readonly since: string;
  /** The name of the only group to list; empty for all. */
  readonly group: string;
  readonly grouping: Grouping;
  readonly sort: Sort | null;
  readonly descending: boolean;
}

export function operationQuery(model: Model, query: URLSearchParams): OperationQuery {
  const state = query.get("state");
  const grouping = query.get("by");
  const sort = query.get("sort") ?? "";
  const column = sort.replace(/^-/, "");
  return {
    search: query.get("q") ?? "",
    methods: new Set((query.get("method") ?? "").split(".").filter((method) => method !== "")),
    state: state === "never" || state === "gaps" || state === "complete" || state === "excluded"
      ? state
      : "",
    deprecated: query.get("deprecated") === "1",
    undocumented: query.get("undocumented") === "1",
    since: query.get("since") ?? "",
    group: query.get("in") ?? "",
    grouping: grouping === "tag" || grouping === "path" || grouping === "none"
      ? grouping
      : naturalGrouping(model),
    sort: SORTS.find((name) => name === column) ?? null,
    descending: sort.startsWith("-"),
  };
}

function matches(operation: Operation, query: OperationQuery, search: Search): boolean {
  const { data, state, change } = operation;
  return (query.methods.size === 0 || query.methods.has(data.method)) &&
    (query.state === "" || query.state === state) &&
    (!query.deprecated || data.deprecated) &&
    (!query.undocumented || data.undocumented_responses.length > 0) &&
    isChanged(change, query.since) &&
    search.operation(operation);
}

function sortValue({ data, gaps }: Operation, sort: Sort): number | string | null {
  switch (sort) {
    case "method":
      return data.method;
    case "path":
      return data.path;
    case "hits":
      return data.hits;
    case "gaps":
      return gaps.total;
    default:
      return data.summary[sort]?.percent ?? null;
  }
}

/** Operations with nothing to measure come last, whichever way the list is sorted. */
function compare(left: Operation, right: Operation, sort: Sort, descending: boolean): number {
  const [one, other] = [sortValue(left, sort), sortValue(right, sort)];
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return (one < other ? -1 : 1) * (descending ? -1 : 1);
}

export function selectOperations(
  model: Model,
  query: OperationQuery,
  source?: Source | null,
): Operation[] {
  const { group, grouping, sort, descending } = query;
  const from = group === ""
    ? model.operations
    : groupOperations(model, model.operations, grouping).find(({ name }) => name === group)
      ?.operations ?? [];
  const search = makeSearch(model, query.search, source);
  const list = from.filter((operation) => matches(operation, query, search));
  return sort === null ? list : list.sort((left, right) => compare(left, right, sort, descending));
}

export type Grouping = "tag" | "path" | "none";

export interface Group {
  readonly name: string;
  readonly operations: readonly Operation[];
}

/** The grouping that suits a description: by tag where it has tags. */
export function naturalGrouping(model: Model): Grouping {
  return model.operations.some(({ data }) => data.tags.length > 0) ? "tag" : "path";
}

/** Groups come in the order of their first operation. */
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
