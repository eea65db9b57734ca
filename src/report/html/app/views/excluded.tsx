import type { JSX } from "preact";
import type { ReportExclusion } from "../../../report.ts";
import { formatAmount } from "../../../wording/amounts.ts";
import { excludedAmounts, exclusionOrigin } from "../../../wording/summary_wording.ts";
import type { Operation } from "../model/model.ts";
import { routeLink } from "../model/route.ts";
import { useModel } from "../parts/context.ts";
import { Code, OperationLink } from "../parts/names.tsx";
import { type Column, Table } from "../parts/table.tsx";

const OPERATIONS = 5;

function Operations({ list }: { readonly list: readonly Operation[] }): JSX.Element | null {
  return list.length === 0 ? null : (
    <ul class="exclusion-operations">
      {list.slice(0, OPERATIONS).map((operation) => (
        <li key={operation.key}>
          <OperationLink operation={operation} />
        </li>
      ))}
      {list.length > OPERATIONS && (
        <li>
          <a href={routeLink("operations", "", { state: "excluded" })}>
            and {formatAmount(list.length - OPERATIONS, "more operation")}
          </a>
        </li>
      )}
    </ul>
  );
}

export function Excluded(): JSX.Element {
  const { data: { exclusions = [] }, operations } = useModel();
  const columns: readonly Column<ReportExclusion>[] = [
    {
      label: "Excluded",
      value: ({ pattern }) => pattern,
      cell: ({ pattern, schema_path }) => (
        <>
          <Code text={pattern} />
          {schema_path === undefined ? null : (
            <div class="muted small">
              <Code text={schema_path} />
            </div>
          )}
        </>
      ),
    },
    {
      label: "Reason",
      value: ({ reason }) => reason,
      cell: ({ reason, stale }) => (
        <>
          {reason === null ? <span class="muted">no reason given</span> : <bdi>{reason}</bdi>}
          {stale === null ? null : (
            <p class="exclusion-warning">
              <span class="flag flag-alert">stale</span> <bdi>{stale}</bdi>
            </p>
          )}
        </>
      ),
    },
    { label: "Source", value: exclusionOrigin, cell: (one) => <bdi>{exclusionOrigin(one)}</bdi> },
    {
      label: "Leaves out",
      value: excludedAmounts,
      cell: (one) => (
        <>
          {excludedAmounts(one)}
          <Operations
            list={operations.filter(({ data }) => data.excluded === exclusions.indexOf(one))}
          />
        </>
      ),
    },
  ];
  return (
    <>
      <h1>Excluded</h1>
      <p class="muted">
        Left out of every percentage and gap. What counts and what is left out add up to the whole
        description.
      </p>
      {exclusions.length === 0 ? <p class="calm">Nothing: the whole description counts.</p> : (
        <Table
          label="Exclusions"
          style="exclusions"
          columns={columns}
          rows={exclusions}
          rowKey={(one) => exclusions.indexOf(one)}
        />
      )}
    </>
  );
}
