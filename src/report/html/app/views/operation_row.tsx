/** @jsxImportSource preact */
import type { JSX } from "preact";
import { type DimensionFacts, dimensionsOf } from "../model/dimensions.ts";
import { changeOf, type OperationChange } from "../model/changes.ts";
import { exclusionOf, type Model, type Operation } from "../model/model.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { STATE_WORDS } from "../../../wording/state_words.ts";
import { Bar } from "../parts/bar.tsx";
import { levelClass } from "../parts/level_class.ts";
import { ExclusionNote } from "../parts/exclusion_note.tsx";
import { OperationLink } from "../parts/names.tsx";
import { StateMark } from "../parts/state_mark.tsx";

const MARKS = { never: "none", gaps: "partial", complete: "full", excluded: "excluded" } as const;

function Measure({ facts }: { readonly facts: DimensionFacts }): JSX.Element {
  const { dimension, label, percent, full, partial, total, text } = facts;
  return (
    <td class={`measure col-${dimension}`} data-label={label}>
      {total === 0 ? <span class="muted" title={text}>–</span> : (
        <span title={text}>
          <span class={`counts ${levelClass(percent)}`}>
            {formatNumber(full + partial)}/{formatNumber(total)}
          </span>
          <Bar full={full} partial={partial} total={total} />
        </span>
      )}
    </td>
  );
}

interface FlagsProps {
  readonly operation: Operation;
  readonly change: OperationChange;
}

/** What sets an operation apart: deprecated, server errors, statuses that are not documented, what changed since the baseline. */
export function Flags({ operation, change }: FlagsProps): JSX.Element | null {
  const { deprecated, undocumented_responses } = operation.data;
  const statuses = undocumented_responses.map(({ status_code }) => status_code).join(", ");
  const errors = operation.data.responses.filter(({ status_code, hits }) =>
    hits > 0 && status_code.startsWith("5")
  ).map(({ status_code }) => status_code).join(", ");
  const { isAdded, fresh } = change;
  if (!deprecated && statuses === "" && errors === "" && !isAdded && fresh === 0) return null;
  return (
    <span class="flags">
      {deprecated ? <span class="flag">deprecated</span> : null}
      {isAdded ? <span class="flag">added</span> : null}
      {fresh === 0 ? null : <span class="flag flag-alert">{formatAmount(fresh, "new gap")}</span>}
      {errors === "" ? null : <span class="flag flag-alert">server error {errors}</span>}
      {statuses === "" ? null : <span class="flag flag-alert">undocumented {statuses}</span>}
    </span>
  );
}

/** One operation in the list. */
export function OperationRow(
  { model, operation }: { readonly model: Model; readonly operation: Operation },
): JSX.Element {
  const { data, state, gaps } = operation;
  const exclusion = exclusionOf(model.data, data);
  const [, ...measures] = dimensionsOf(data.summary, model.data.exclusions !== undefined);
  return (
    <tr class={`state-${state}`}>
      <th scope="row" class="col-path">
        <div class="row-name">
          <StateMark state={MARKS[state]}>
            <span class="unseen">
              {state === "excluded" ? "excluded" : STATE_WORDS[MARKS[state]]}
            </span>
          </StateMark>
          <div>
            <div class="row-title">
              <OperationLink operation={operation} />
              <Flags operation={operation} change={changeOf(model, operation)} />
            </div>
            <ExclusionNote exclusion={exclusion} />
            {data.operation_id === null ? null : (
              <div class="muted small operation-id">
                <bdi>{data.operation_id}</bdi>
              </div>
            )}
          </div>
        </div>
      </th>
      <td class="col-hits number" data-label="Hits">
        {data.hits === 0 ? <span class="muted">never</span> : formatNumber(data.hits)}
      </td>
      {measures.map((facts) => <Measure key={facts.dimension} facts={facts} />)}
      <td class="col-gaps number" data-label="Gaps" title={formatAmount(gaps.total, "gap")}>
        {gaps.total === 0 ? <span class="muted">none</span> : formatNumber(gaps.total)}
      </td>
    </tr>
  );
}
