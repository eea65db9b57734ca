import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import {
  COUNTED_PARTS,
  dimensionFigures,
  type FigureFacts,
  noticedFigure,
} from "../../../figures.ts";
import { capitalized, formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { STATE_WORDS } from "../../../wording/gap_wording.ts";
import type { PageData } from "../../page_data.ts";
import { isChanged, noneCounted, type Operation } from "../model/model.ts";
import {
  chosenGrouping,
  chosenSort,
  chosenState,
  type Group,
  GROUPINGS,
  groupOperations,
  selectOperations,
  type Sort,
  SORTS,
  STATES,
} from "../model/operation_filter.ts";
import { routeLink } from "../model/route.ts";
import { searchLabel } from "../model/search.ts";
import { useModel } from "../parts/context.ts";
import { Chips, focusSearch, SearchField, Select, SinceFilter, Toggle } from "../parts/filters.tsx";
import { Bar, ExclusionNote, levelClass, StateMark } from "../parts/marks.tsx";
import { OperationLink } from "../parts/names.tsx";
import { type Column, groupHeading, Table, type TableHeading } from "../parts/table.tsx";
import { changeQuery, useQuery, useRoute } from "../parts/use_route.ts";
import { useSource } from "../parts/use_source.ts";

const MARKS = { never: "none", gaps: "partial", complete: "full", excluded: "excluded" } as const;

export function Flags({ operation }: { readonly operation: Operation }): JSX.Element | null {
  const { deprecated } = operation.data;
  const statuses = operation.undocumented.join(", ");
  const errors = operation.errors.filter(({ isDocumented }) => isDocumented)
    .map(({ status }) => status).join(", ");
  const { isAdded, fresh } = operation.change;
  if (!deprecated && statuses === "" && errors === "" && !isAdded && fresh === 0) return null;
  return (
    <span class="flags">
      {deprecated && <span class="flag">deprecated</span>}
      {isAdded && <span class="flag">added</span>}
      {fresh > 0 && <span class="flag flag-alert">{formatAmount(fresh, "new gap")}</span>}
      {errors && <span class="flag flag-alert">server error {errors}</span>}
      {statuses && <span class="flag flag-alert">undocumented {statuses}</span>}
    </span>
  );
}

function Name({ operation }: { readonly operation: Operation }): JSX.Element {
  const { data, state } = operation;
  return (
    <div class="row-name">
      <StateMark state={MARKS[state]}>
        <span class="unseen">
          {state === "excluded" ? "excluded" : STATE_WORDS[MARKS[state]]}
        </span>
      </StateMark>
      <div>
        <div class="row-title">
          <OperationLink operation={operation} />
          <Flags operation={operation} />
        </div>
        <ExclusionNote of={data} />
        {data.operation_id === null ? null : (
          <div class="muted small">
            <bdi>{data.operation_id}</bdi>
          </div>
        )}
      </div>
    </div>
  );
}

function Measure({ facts }: { readonly facts: FigureFacts }): JSX.Element {
  const { percent, full, partial, total, text } = facts;
  if (total === 0) return <span class="muted" title={text}>–</span>;
  return (
    <span title={text}>
      <span class={`counts ${levelClass(percent)}`}>
        {formatNumber(full + partial)}/{formatNumber(total)}
      </span>
      <Bar full={full} partial={partial} total={total} />
    </span>
  );
}

interface OperationColumn extends Column<Operation> {
  readonly sort: Sort;
}

function column(
  sort: Sort,
  cell: NonNullable<OperationColumn["cell"]>,
  more: Partial<OperationColumn> = {},
): OperationColumn {
  const label = capitalized(sort);
  return { sort, label, style: `col-${sort}`, value: SORTS[sort], cell, ...more };
}

function operationColumns({ exclusions, summary }: PageData): readonly OperationColumn[] {
  const sorts = [...COUNTED_PARTS, ...(summary.noticed === undefined ? [] : ["noticed" as const])];
  const measures = sorts.map((sort) =>
    column(sort, ({ data: { summary } }) => {
      const figures = dimensionFigures(summary, exclusions !== undefined);
      const facts = [...figures, ...noticedFigure(summary)].find(({ name }) => name === sort);
      return facts === undefined ? <span class="muted">–</span> : <Measure facts={facts} />;
    }, { style: `measure col-${sort}` })
  );
  return [
    column("path", (operation) => <Name operation={operation} />, { label: "Operation" }),
    column(
      "hits",
      ({ data: { hits } }) => hits === 0 ? <span class="muted">never</span> : formatNumber(hits),
      { isNumber: true },
    ),
    ...measures,
    column(
      "gaps",
      ({ gaps: { total } }) => total === 0 ? <span class="muted">none</span> : formatNumber(total),
      { isNumber: true },
    ),
  ];
}

function operationGroup({ name, operations }: Group, width: number): TableHeading {
  const counted = operations.filter(({ state }) => state !== "excluded");
  const called = counted.filter(({ data }) => data.hits > 0).length;
  const gaps = operations.reduce((sum, operation) => sum + operation.gaps.total, 0);
  return groupHeading(
    name,
    width,
    <>
      {formatNumber(called)} of {formatNumber(counted.length)} called · {formatAmount(gaps, "gap")}
    </>,
  );
}

function List({ operations }: { readonly operations: readonly Operation[] }): JSX.Element {
  const model = useModel();
  const { query } = useRoute();
  const grouping = chosenGrouping(model, query);
  const by = chosenSort(query);
  const columns = useMemo(() => operationColumns(model.data), [model]);
  const rows = useMemo(
    () =>
      groupOperations(model, operations, grouping).flatMap((group) => [
        ...(group.name === "" ? [] : [operationGroup(group, columns.length)]),
        ...group.operations,
      ]),
    [model, operations, grouping],
  );
  const active = columns.find(({ sort }) => sort === by?.sort);
  return (
    <Table
      label="Operations"
      name={`operations ${query}`}
      style="operations"
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      attributes={({ state }) => ({ class: `state-${state}` })}
      sorted={{
        by: active && { label: active.label, descending: by?.descending === true },
        choose: (by) => {
          const sort = columns.find(({ label }) => label === by?.label)?.sort ?? "";
          changeQuery({ sort: by?.descending === true ? `-${sort}` : sort });
        },
      }}
    />
  );
}

export function Operations(): JSX.Element {
  const model = useModel();
  const { query } = useRoute();
  const source = useSource(useQuery("q") !== "");
  const operations = useMemo(
    () => selectOperations(model, query, source),
    [model, query.toString(), source],
  );
  const total = model.operations.length;
  return (
    <>
      <h1>Operations</h1>
      <Filters />
      <p class="muted" role="status">
        {operations.length === total
          ? formatAmount(total, "operation")
          : `${formatNumber(operations.length)} of ${formatAmount(total, "operation")}`}
      </p>
      {operations.length > 0
        ? <List operations={operations} />
        : <p class="calm">{total === 0 ? noneCounted(model.data) : "No operation matches."}</p>}
    </>
  );
}

function Filters(): JSX.Element {
  const model = useModel();
  const { query } = useRoute();
  const grouping = chosenGrouping(model, query);
  const methods = useMemo(
    () => [...new Set(model.operations.map(({ data }) => data.method))],
    [model],
  );
  const groups = useMemo(
    () => groupOperations(model, model.operations, grouping).map(({ name }) => name),
    [model, grouping],
  );
  const hasNoticed = model.data.summary.noticed !== undefined;
  const sorts = Object.keys(SORTS).filter((sort) => hasNoticed || sort !== "noticed");
  return (
    <div class="filters">
      <SearchField label={searchLabel(model)} />
      <Chips
        label="State"
        name="state"
        value={chosenState(query)}
        options={STATES.filter(([state]) =>
          state !== "excluded" || model.data.exclusions !== undefined
        ).map(([value, label]) => {
          const list = model.operations.filter(({ state }) => value === "" || state === value);
          return { value, label, count: formatNumber(list.length) };
        })}
      />
      <SinceFilter
        count={(since) => model.operations.filter((one) => isChanged(one.change, since)).length}
      />
      <Chips
        label="Method"
        name="method"
        several
        options={methods.map((value) => ({ value, label: value }))}
      />
      <Toggle label="Deprecated" name="deprecated" />
      <Toggle label="Undocumented statuses" name="undocumented" />
      <Select
        label="Group by"
        name="by"
        value={grouping}
        options={GROUPINGS.map((value) => ({ value, label: value }))}
      />
      {grouping === "none" ? null : (
        <Select
          label="In"
          name="in"
          options={[
            { value: "", label: "all groups" },
            ...groups.map((value) => ({ value, label: value })),
          ]}
        />
      )}
      <Select
        label="Sort by"
        name="sort"
        options={[
          { value: "", label: "document order" },
          ...sorts.flatMap((sort) => [
            { value: sort, label: `${sort}, ascending` },
            { value: `-${sort}`, label: `${sort}, descending` },
          ]),
        ]}
      />
      {query.size === 0 ? null : (
        // The link disappears when clicked, so the focus moves to the filters.
        <a class="clear" href={routeLink("operations")} onClick={focusSearch}>Clear</a>
      )}
    </div>
  );
}
