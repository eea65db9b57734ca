/** @jsxImportSource preact */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { changeOf, isChanged } from "../model/changes.ts";
import { groupOperations } from "../model/groups.ts";
import type { Model, OperationState } from "../model/model.ts";
import { type OperationQuery, SORTS } from "../model/operation_filter.ts";
import { changedLink, type Route } from "../model/route.ts";
import { searchLabel } from "../model/search.ts";
import { formatNumber } from "../../../wording/amounts.ts";
import { SinceFilter } from "./since_baseline.tsx";
import { Chips, SearchField, Select, Toggle } from "../parts/filters.tsx";

interface Props {
  readonly model: Model;
  readonly query: OperationQuery;
  readonly route: Route;
}

const STATES: readonly { readonly value: OperationState | ""; readonly label: string }[] = [
  { value: "", label: "All" },
  { value: "never", label: "Not covered" },
  { value: "gaps", label: "Partial" },
  { value: "complete", label: "Full" },
  { value: "excluded", label: "Excluded" },
];

function sortOptions(): { value: string; label: string }[] {
  return [
    { value: "", label: "document order" },
    ...SORTS.flatMap((sort) => [
      { value: sort, label: `${sort}, ascending` },
      { value: `-${sort}`, label: `${sort}, descending` },
    ]),
  ];
}

/** The filters of the list of operations; each one writes the address. */
export function OperationFilters({ model, query, route }: Props): JSX.Element {
  const methods = useMemo(
    () => [...new Set(model.operations.map(({ data }) => data.method))],
    [model],
  );
  const groups = useMemo(
    () => groupOperations(model, model.operations, query.grouping).map(({ name }) => name),
    [model, query.grouping],
  );
  const countOf = (state: OperationState | ""): string =>
    formatNumber(
      model.operations.filter((operation) => state === "" || operation.state === state).length,
    );
  const text = (name: string): string => route.query.get(name) ?? "";
  return (
    <div class="filters">
      <SearchField label={searchLabel(model)} value={query.search} />
      <Chips
        label="State"
        name="state"
        value={query.state}
        options={STATES.filter(({ value }) =>
          value !== "excluded" || model.data.exclusions !== undefined
        ).map((option) => ({ ...option, count: countOf(option.value) }))}
      />
      <SinceFilter
        model={model}
        value={query.since}
        count={(since) =>
          model.operations.filter((one) => isChanged(changeOf(model, one), since)).length}
      />
      <Chips
        label="Method"
        name="method"
        value={text("method")}
        several
        options={methods.map((value) => ({ value, label: value }))}
      />
      <Toggle label="Deprecated" name="deprecated" value={text("deprecated")} />
      <Toggle
        label="Undocumented statuses"
        name="undocumented"
        value={text("undocumented")}
      />
      <Select
        label="Group by"
        name="by"
        value={query.grouping}
        options={["tag", "path", "none"].map((value) => ({ value, label: value }))}
      />
      {query.grouping === "none" ? null : (
        <Select
          label="In"
          name="in"
          value={query.group}
          options={[
            { value: "", label: "all groups" },
            ...groups.map((value) => ({ value, label: value })),
          ]}
        />
      )}
      <Select label="Sort by" name="sort" value={text("sort")} options={sortOptions()} />
      {route.query.size === 0 ? null : (
        <a
          class="clear"
          href={changedLink(
            route,
            Object.fromEntries([...route.query.keys()].map((name) => [name, ""])),
          )}
        >
          Clear
        </a>
      )}
    </div>
  );
}
