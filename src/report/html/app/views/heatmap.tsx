import type { JSX } from "preact";
import { type GapCounts, gapShare } from "../../../gap_counts.ts";
import {
  coverageLevel,
  formatAmount,
  formatNumber,
  formatPercent,
  sentenceList,
} from "../../../wording/amounts.ts";
import { GAP_KINDS, GAP_WORDS, STATE_WORDS } from "../../../wording/gap_wording.ts";
import { errorText, type Operation, type OperationState } from "../model/model.ts";
import { type Group, groupOperations, naturalGrouping } from "../model/operation_filter.ts";
import { routeLink } from "../model/route.ts";
import { useModel } from "../parts/context.ts";

/** Groups to show in the overview. Further ones are only in the list of operations. */
const GROUPS = 12;

/** Cells per group: enough to show a pattern, few enough to draw at once. */
const CELLS = 150;

interface GroupFacts extends Group {
  readonly called: number;
  readonly gaps: Pick<GapCounts, "total" | "parts">;
}

function groupFacts(group: Group): GroupFacts {
  const { operations } = group;
  const sum = (count: "total" | "parts") =>
    operations.reduce((sum, { gaps }) => sum + gaps[count], 0);
  return {
    ...group,
    called: operations.filter(({ data }) => data.hits > 0).length,
    gaps: { total: sum("total"), parts: sum("parts") },
  };
}

const CELL_WORDS: Readonly<Record<OperationState, string>> = {
  excluded: "excluded",
  never: STATE_WORDS.none,
  gaps: STATE_WORDS.partial,
  complete: STATE_WORDS.full,
};

/** An operation as a cell. Hidden from screen readers: the list of operations has the same information. */
function Cell({ operation }: { readonly operation: Operation }): JSX.Element {
  const { data, state, errors } = operation;
  const degree = 100 * (1 - gapShare(operation.gaps));
  const words = state === "gaps" ? `${formatPercent(degree)} covered in full` : CELL_WORDS[state];
  return (
    <a
      class={`cell cell-${state === "gaps" ? coverageLevel(degree) : state}${
        errors.length === 0 ? "" : " cell-alert"
      }`}
      href={routeLink("operation", operation.key)}
      title={`${data.method} ${data.path}: ${words}${
        errors.length === 0 ? "" : `, answered ${sentenceList(errors.map(errorText))}`
      }`}
      tabIndex={-1}
    />
  );
}

function GroupRow({ group }: { readonly group: GroupFacts }): JSX.Element {
  const { name, operations, called, gaps } = group;
  const rest = operations.length - CELLS;
  return (
    <li>
      <a href={routeLink("operations", "", { in: name })}>
        <bdi>{name}</bdi>
      </a>
      <span class="cells" aria-hidden="true">
        {operations.slice(0, CELLS).map((operation) => (
          <Cell key={operation.key} operation={operation} />
        ))}
        {rest > 0 ? <span class="muted">+{formatNumber(rest)}</span> : null}
      </span>
      <span class="group-counts muted">
        {formatNumber(called)} of {formatNumber(operations.length)} called ·{" "}
        {formatPercent(100 * gapShare(gaps))} missing ({formatAmount(gaps.total, "gap")})
      </span>
    </li>
  );
}

function KindLinks(): JSX.Element {
  const model = useModel();
  const { partial } = model.data.summary.keywords;
  return (
    <ul class="kinds">
      {GAP_KINDS.filter((kind) => model.gaps[kind] > 0).map((kind) => (
        <li key={kind}>
          <a href={routeLink("gaps", "", { kind })}>
            {formatAmount(model.gaps[kind], GAP_WORDS[kind].gap)}
          </a>{" "}
          <span class="muted">
            {GAP_WORDS[kind].fate}
            {kind === "keyword" && partial > 0 ? `, ${formatNumber(partial)} of them partial` : ""}
          </span>
        </li>
      ))}
    </ul>
  );
}

const LEGEND = [
  ["never", STATE_WORDS.none],
  ["low", "below 50%"],
  ["medium", "below 80%"],
  ["high", "from 80%"],
  ["complete", STATE_WORDS.full],
] as const;

function Legend({ isAlarmed }: { readonly isAlarmed: boolean }): JSX.Element {
  return (
    <p class="legend muted" aria-hidden="true">
      {LEGEND.map(([name, text]) => (
        <span key={name}>
          <span class={`cell cell-${name}`} /> {text}
        </span>
      ))}
      {isAlarmed && (
        <span>
          <span class="cell cell-alert" /> answered 5xx
        </span>
      )}
    </p>
  );
}

/** Shows where the gaps are: groups of operations with one cell per operation, largest share of gaps first. */
export function Heatmap(): JSX.Element | null {
  const model = useModel();
  if (model.gaps.total === 0) return null;
  const counted = model.operations.filter(({ state }) => state !== "excluded");
  const groups = groupOperations(model, counted, naturalGrouping(model)).map(groupFacts)
    .toSorted((left, right) =>
      gapShare(right.gaps) - gapShare(left.gaps) || right.gaps.total - left.gaps.total
    );
  return (
    <section>
      <h2>Where the gaps are</h2>
      <KindLinks />
      <Legend isAlarmed={model.operations.some(({ errors }) => errors.length > 0)} />
      <ul class="groups">
        {groups.slice(0, GROUPS).map((group) => <GroupRow key={group.name} group={group} />)}
      </ul>
      {groups.length > GROUPS && (
        <p>
          <a href={routeLink("operations")}>All {formatNumber(groups.length)} groups</a>
        </p>
      )}
    </section>
  );
}
