import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { accessFigure } from "../../../figures.ts";
import type { ReportAccess } from "../../../report.ts";
import { accessNotes } from "../../../wording/access_wording.ts";
import { capitalized, formatAmount } from "../../../wording/amounts.ts";
import { findOperation, type Model, type Operation } from "../model/model.ts";
import { useModel, useOperation } from "../parts/context.ts";
import { StateMark } from "../parts/marks.tsx";
import { OperationLink } from "../parts/names.tsx";
import {
  type Column,
  groupHeading,
  numberColumn,
  Table,
  type TableHeading,
} from "../parts/table.tsx";

type Cell = ReportAccess["operations"][number]["cells"][number];

/** The states of a cell, worst first, so that sorting a column puts problems on top. */
const STATES = ["wrong", "untried", "right", "other", "none"] as const;
type State = typeof STATES[number];

function cellState(expected: Cell["expected"], allowed: number, refused: number): State {
  if (expected === null) return allowed + refused === 0 ? "none" : "other";
  const [right, wrong] = expected === "allowed" ? [allowed, refused] : [refused, allowed];
  return wrong > 0 ? "wrong" : right > 0 ? "right" : "untried";
}

interface Part extends Pick<Cell, "expected" | "allowed" | "refused"> {
  readonly state: State;
  readonly isForeign: boolean;
}

/** Splits a cell in two if there are separate expectations for the objects of others. */
function splitCell(cell: Cell): readonly Part[] {
  const { expected, foreign_allowed, foreign_refused } = cell;
  if (cell.expected_foreign === undefined) {
    const { allowed, refused } = cell;
    return [{ ...cell, state: cellState(expected, allowed, refused), isForeign: false }];
  }
  const allowed = cell.allowed - foreign_allowed;
  // Refusals of objects without a known owner prove nothing.
  const isTried = cell.tried !== false;
  const ownState: State = isTried ? allowed > 0 ? "right" : "wrong" : "untried";
  return [
    {
      state: ownState,
      expected,
      allowed,
      refused: cell.refused - foreign_refused,
      isForeign: false,
    },
    {
      state: cellState("refused", foreign_allowed, foreign_refused),
      expected: "refused",
      allowed: foreign_allowed,
      refused: foreign_refused,
      isForeign: true,
    },
  ];
}

function Outcome({ part: { state, expected, allowed, refused } }: {
  readonly part: Part;
}): JSX.Element {
  const got = allowed > 0 ? "allowed" : "refused";
  switch (state) {
    case "wrong":
      return (
        <span class="flag flag-alert">
          {expected === "allowed" ? "refused" : "allowed"}
          <span class="unseen">, should be {expected}</span>
        </span>
      );
    case "right":
      return <StateMark state="full">{expected ?? ""}</StateMark>;
    case "untried":
      return (
        <StateMark state="none">
          <span>
            to {expected === "allowed" ? "allow" : "refuse"}
            <span class="unseen">, not tried</span>
          </span>
        </StateMark>
      );
    case "other":
      return <span class="muted">{allowed > 0 && refused > 0 ? "both" : got}</span>;
    case "none":
      return <span class="muted">–</span>;
  }
}

function CellView({ cell, isHidden }: {
  readonly cell: Cell | undefined;
  readonly isHidden: boolean;
}): JSX.Element {
  if (cell === undefined) return <span class="muted">–</span>;
  if (isHidden) return <StateMark state="excluded">not measured</StateMark>;
  return (
    <>
      {splitCell(cell).map((part) => (
        <div key={String(part.isForeign)}>
          <Outcome part={part} />
          {part.isForeign && <span class="muted small">objects of others</span>}
        </div>
      ))}
    </>
  );
}

function cellRank(cell: Cell | undefined): number | null {
  if (cell === undefined) return null;
  return Math.min(...splitCell(cell).map(({ state }) => STATES.indexOf(state)));
}

interface Row {
  readonly operation: Operation;
  readonly cells: ReadonlyMap<string, Cell>;
}

function listRows(model: Model, access: ReportAccess): Row[] {
  return access.operations.flatMap((row) => {
    const operation = findOperation(model, row);
    return operation === undefined
      ? []
      : [{ operation, cells: new Map(row.cells.map((cell) => [cell.identity, cell])) }];
  });
}

function groupByTag(rows: readonly Row[], width: number): (Row | TableHeading)[] {
  const groups = Map.groupBy(rows, ({ operation }) => operation.data.tags[0] ?? "");
  if (groups.size < 2) return [...rows];
  return [...groups].flatMap(([tag, members]) => [
    groupHeading(tag || "Without a tag", width, formatAmount(members.length, "operation")),
    ...members,
  ]);
}

export function AccessMatrix(): JSX.Element {
  const model = useModel();
  const { access, summary } = model.data;
  const { identities, not_measured = [] } = access ?? { identities: [] };
  const columns = useMemo((): Column<Row>[] => [
    {
      label: "Operation",
      value: ({ operation }) => operation.key,
      cell: ({ operation }) => <OperationLink operation={operation} />,
    },
    ...identities.map((name): Column<Row> => ({
      label: name,
      value: ({ cells }) => cellRank(cells.get(name)),
      cell: ({ cells }) => (
        <CellView cell={cells.get(name)} isHidden={not_measured.includes(name)} />
      ),
    })),
  ], [access]);
  const rows = useMemo(
    () => access === undefined ? [] : groupByTag(listRows(model, access), identities.length + 1),
    [access],
  );
  const [figure] = accessFigure(summary);
  return (
    <>
      <h1>Who may do what</h1>
      {figure === undefined ? null : <p>{capitalized(figure.fact)}.</p>}
      {accessNotes(model.data).map((note) => <p key={note} class="muted">{note}</p>)}
      <p class="access-legend muted">
        <StateMark state="full">as expected</StateMark>
        <StateMark state="none">expected, not tried</StateMark>
        <span class="flag flag-alert">not as expected</span>
        <span>– nothing is expected</span>
      </p>
      <Table
        label="Operations by identity"
        style="access-matrix"
        columns={columns}
        rows={rows}
        rowKey={({ operation }) => operation.key}
      />
    </>
  );
}

export function OperationAccess(): JSX.Element | null {
  const model = useModel();
  const { data: { method, path } } = useOperation();
  const { operations = [], not_measured = [] } = model.data.access ?? {};
  const row = operations.find((one) => one.method === method && one.path === path);
  if (row === undefined) return null;
  const columns: readonly Column<Cell>[] = [
    {
      label: "Identity",
      value: ({ identity }) => identity,
      cell: (one) => <bdi>{one.identity}</bdi>,
    },
    {
      label: "Outcome",
      value: cellRank,
      cell: (cell) => <CellView cell={cell} isHidden={not_measured.includes(cell.identity)} />,
    },
    numberColumn("Allowed", ({ allowed }) => allowed),
    numberColumn("Refused", ({ refused }) => refused),
    numberColumn("Other answers", ({ other }) => other),
  ];
  return (
    <section>
      <h2>Who may do it?</h2>
      <Table
        label="Who may do it?"
        name={`access ${method} ${path}`}
        columns={columns}
        rows={row.cells}
        rowKey={({ identity }) => identity}
      />
    </section>
  );
}
