/** @jsxImportSource preact */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type Group, groupOperations } from "../model/groups.ts";
import type { Model, Operation } from "../model/model.ts";
import {
  type OperationQuery,
  operationQuery,
  selectOperations,
  type Sort,
} from "../model/operation_filter.ts";
import { changedLink, type Route } from "../model/route.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { useShown } from "../parts/use_shown.tsx";
import { useSource } from "../parts/use_source.ts";
import { OperationFilters } from "./operation_filters.tsx";
import { OperationRow } from "./operation_row.tsx";
import type { ViewProps } from "./view.ts";

const COLUMNS: readonly { readonly sort: Sort; readonly label: string }[] = [
  { sort: "path", label: "Operation" },
  { sort: "hits", label: "Hits" },
  { sort: "parameters", label: "Parameters" },
  { sort: "keywords", label: "Keywords" },
  { sort: "examples", label: "Examples" },
  { sort: "responses", label: "Responses" },
  { sort: "gaps", label: "Gaps" },
];

type Entry =
  | { readonly group: Group; readonly operation?: undefined }
  | { readonly operation: Operation };

function flatten(groups: readonly Group[]): Entry[] {
  return groups.flatMap((group): Entry[] => [
    ...(group.name === "" ? [] : [{ group }]),
    ...group.operations.map((operation) => ({ operation })),
  ]);
}

interface HeadProps {
  readonly query: OperationQuery;
  readonly route: Route;
}

/** A column steps from ascending to descending to the document's order; gaps begin with the most. */
function nextSort(column: Sort, { sort, descending }: OperationQuery): string {
  const first = column === "gaps" || column === "hits";
  if (sort !== column) return first ? `-${column}` : column;
  if (descending === first) return first ? column : `-${column}`;
  return "";
}

function Head({ query, route }: HeadProps): JSX.Element {
  return (
    <thead>
      <tr>
        {COLUMNS.map(({ sort, label }) => {
          const active = query.sort === sort;
          const direction = query.descending ? "descending" : "ascending";
          return (
            <th
              key={sort}
              scope="col"
              class={`col-${sort}`}
              aria-sort={active ? direction : undefined}
            >
              <a href={changedLink(route, { sort: nextSort(sort, query) })} class="sort">
                {label}
                <span aria-hidden="true" class="sort-mark">
                  {active ? (query.descending ? "▼" : "▲") : ""}
                </span>
              </a>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function GroupHead({ group }: { readonly group: Group }): JSX.Element {
  const counted = group.operations.filter(({ state }) => state !== "excluded");
  const called = counted.filter(({ data }) => data.hits > 0).length;
  const gaps = group.operations.reduce((sum, operation) => sum + operation.gaps.total, 0);
  return (
    <tr class="group-head">
      <th scope="rowgroup" colSpan={COLUMNS.length}>
        <bdi>{group.name}</bdi>
        <span class="muted">
          {formatNumber(called)} of {formatNumber(counted.length)} called ·{" "}
          {formatAmount(gaps, "gap")}
        </span>
      </th>
    </tr>
  );
}

interface TableProps {
  readonly model: Model;
  readonly route: Route;
  readonly query: OperationQuery;
  readonly operations: readonly Operation[];
}

function Table({ model, route, query, operations }: TableProps): JSX.Element {
  const entries = useMemo(
    () => flatten(groupOperations(model, operations, query.grouping)),
    [model, operations, query.grouping],
  );
  const shown = useShown(`operations ${route.query}`, entries.length);
  return (
    <>
      <table class="operations">
        <Head query={query} route={route} />
        <tbody>
          {entries.slice(0, shown.count).map((entry) =>
            entry.operation === undefined
              ? <GroupHead key={`group ${entry.group.name}`} group={entry.group} />
              : (
                <OperationRow
                  key={entry.operation.key}
                  model={model}
                  operation={entry.operation}
                />
              )
          )}
        </tbody>
      </table>
      {shown.more}
    </>
  );
}

/** Every operation, grouped, sorted and filtered as the address says. */
export function Operations({ model, route }: ViewProps): JSX.Element {
  const address = route.query.toString();
  const query = useMemo(() => operationQuery(model, route.query), [model, address]);
  const source = useSource(query.search !== "");
  const operations = useMemo(
    () => selectOperations(model, query, typeof source === "string" ? null : source),
    [model, query, source],
  );
  const total = model.operations.length;
  return (
    <>
      <h1>Operations</h1>
      <OperationFilters model={model} query={query} route={route} />
      <p class="muted" role="status">
        {operations.length === total
          ? formatAmount(total, "operation")
          : `${formatNumber(operations.length)} of ${formatAmount(total, "operation")}`}
      </p>
      {operations.length === 0
        ? (
          <p class="calm">
            {total === 0 ? "The description has no operations." : "No operation matches."}
          </p>
        )
        : <Table model={model} route={route} query={query} operations={operations} />}
    </>
  );
}
