import type { JSX } from "preact";
import type { ReportNoticed } from "../../../report.ts";
import { formatNumber } from "../../../wording/amounts.ts";
import {
  assertionCode,
  partName,
  testToExtend,
  unnoticedParts,
  unnoticedText,
} from "../../../wording/noticed_wording.ts";
import { findOperation } from "../model/model.ts";
import { routeLink } from "../model/route.ts";
import { useModel, useOperation } from "../parts/context.ts";
import { StateMark } from "../parts/marks.tsx";
import { Code, lineColumn, OperationLink } from "../parts/names.tsx";
import { type Column, numberColumn, Table } from "../parts/table.tsx";
import { usePositions } from "../parts/use_source.ts";

const TOP = 5;

const ORDER = { unnoticed: 0, not_tried: 1, noticed: 2 } as const;

function State({ part }: { readonly part: ReportNoticed }): JSX.Element {
  const { state, reason, changes } = part;
  if (state === "noticed") return <StateMark state="full">noticed</StateMark>;
  if (state === "not_tried") {
    return (
      <>
        <StateMark state="excluded">not tried</StateMark>
        <span class="advice muted">{reason}</span>
      </>
    );
  }
  return (
    <>
      <StateMark state="none">not noticed</StateMark>
      <span class="advice muted">
        {changes.length > 0 ? `N${unnoticedText(part).slice(1)}.` : reason}
      </span>
    </>
  );
}

function Tests({ part }: { readonly part: ReportNoticed }): JSX.Element | null {
  const { state, reached_by, noticed_by = [] } = part;
  const isNoticed = state === "noticed";
  const first = isNoticed ? noticed_by[0] : testToExtend(part);
  if (first === undefined) return null;
  const verb = isNoticed ? "by" : "assert it in";
  const others = (isNoticed ? noticed_by : reached_by).length - 1;
  const more = others === 0 ? "" : `, ${formatNumber(others)} more`;
  return (
    <span class="advice muted">
      {verb} <bdi>{first}</bdi>
      {more}
    </span>
  );
}

const COLUMNS: readonly Column<ReportNoticed>[] = [
  {
    label: "Status",
    value: ({ status_code }) => status_code,
    cell: ({ status_code }) => <code>{status_code}</code>,
  },
  { label: "Part", value: partName, cell: (part) => <bdi>{partName(part)}</bdi> },
  {
    label: "If it changes",
    value: ({ state }) => ORDER[state],
    cell: (part) => (
      <>
        <State part={part} />
        <Tests part={part} />
      </>
    ),
  },
  {
    label: "Tried",
    value: ({ changes }) => changes.map(({ change }) => change).join(),
    cell: ({ changes }) =>
      changes.length === 0
        ? "–"
        : changes.map(({ change }) => change.replaceAll("_", " ")).join(", "),
  },
  numberColumn("Responses", ({ responses }) => responses),
];

export function Noticed(): JSX.Element | null {
  const model = useModel();
  const operation = useOperation();
  const findPosition = usePositions();
  const parts = (model.data.noticed ?? [])
    .filter((part) => findOperation(model, part) === operation)
    .sort((left, right) => ORDER[left.state] - ORDER[right.state]);
  if (parts.length === 0) return null;
  return (
    <section>
      <h2>Would a test notice?</h2>
      <Table
        label="Would a test notice?"
        name={`noticed ${operation.key}`}
        columns={[
          ...COLUMNS,
          lineColumn<ReportNoticed>(({ schema_path }) => findPosition(schema_path), partName),
        ]}
        rows={parts}
        rowKey={({ status_code, part, instance_path, name }) =>
          `${status_code} ${part} ${instance_path ?? name}`}
      />
    </section>
  );
}

export function AssertionsToAdd(): JSX.Element | null {
  const model = useModel();
  const parts = unnoticedParts(model.data);
  if (parts.length === 0) return null;
  const rest = parts.length - TOP;
  return (
    <section>
      <h2>Assertions worth adding</h2>
      <ol class="suggestions compact">
        {parts.slice(0, TOP).map((part) => {
          const operation = findOperation(model, part);
          return (
            <li key={`${part.method} ${part.path} ${part.status_code} ${partName(part)}`}>
              {operation === undefined ? null : <OperationLink operation={operation} />}{" "}
              <span class="muted">
                <code>{part.status_code}</code> {unnoticedText(part)}:
              </span>{" "}
              <Code text={assertionCode(part, model.data.tests)} /> <Tests part={part} />
            </li>
          );
        })}
      </ol>
      {rest <= 0 ? null : (
        <p class="muted">
          And {formatNumber(rest)} more:{" "}
          <a href={routeLink("operations", "", { sort: "noticed" })}>
            operations by what is noticed
          </a>
        </p>
      )}
    </section>
  );
}
