/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { PageParameter } from "../../page_data.ts";
import { examplesOf, type Model, type Operation } from "../model/model.ts";
import { spotName } from "../model/spot.ts";
import { formatNumber } from "../../../wording/amounts.ts";
import { CoveredBy } from "../parts/covered_by.tsx";
import { ExclusionNote } from "../parts/exclusion_note.tsx";
import { LineLink } from "../parts/line_link.tsx";
import { RequestLink } from "../parts/request_link.tsx";
import { StateMark } from "../parts/state_mark.tsx";
import { useShown } from "../parts/use_shown.tsx";
import type { SourceState } from "../parts/use_source.ts";
import { Value } from "../parts/value.tsx";

interface Props {
  readonly model: Model;
  readonly operation: Operation;
  readonly parameter: PageParameter;
  readonly index: number;
  readonly source: SourceState;
  readonly onlyMissing: boolean;
  /** The example that the address leads to, by its row; null where it leads to none of these. */
  readonly target: number | null;
}

/** The documented values of a parameter, used or not. */
export function ExampleTable(props: Props): JSX.Element | null {
  const { model, operation, parameter, index, source, onlyMissing, target } = props;
  const examples = examplesOf(model.data, parameter).filter(({ hits, exclusion }) =>
    !onlyMissing || (hits === 0 && exclusion === null)
  );
  const wanted = target === null ? 0 : examples.findIndex(({ row }) => row === target) + 1;
  const shown = useShown(
    `examples ${operation.key} ${index} ${onlyMissing}`,
    examples.length,
    80,
    wanted,
  );
  if (examples.length === 0) return null;
  return (
    <>
      <div
        class="scroll"
        role="region"
        aria-label={`Examples of ${parameter.location} ${parameter.parameter}`}
        tabIndex={0}
      >
        <table class="plain examples">
          <thead>
            <tr>
              <th scope="col">Example</th>
              <th scope="col" class="number">Hits</th>
              <th scope="col">State</th>
              <th scope="col" class="number">Line</th>
            </tr>
          </thead>
          <tbody>
            {examples.slice(0, shown.count).map((
              { row, pointer, value, hits, exclusion, tests },
            ) => (
              <tr
                key={pointer}
                id={spotName("example", index, row)}
                class={target === row ? "target" : undefined}
                tabIndex={-1}
              >
                <th scope="row" title={pointer}>
                  <Value json={value} />
                </th>
                <td class="number">{formatNumber(hits)}</td>
                <td>
                  <StateMark
                    state={exclusion !== null ? "excluded" : hits > 0 ? "full" : "none"}
                  >
                    {hits > 0 ? "used" : "never used"}
                  </StateMark>
                  <ExclusionNote exclusion={exclusion} />
                  {hits > 0 || exclusion !== null ? null : (
                    <RequestLink
                      model={model}
                      operation={operation}
                      at={spotName("example", index, row)}
                      subject={`example ${value.slice(0, 40).toWellFormed()}`}
                    />
                  )}
                  {tests === null ? null : <CoveredBy model={model} lists={[["", tests]]} />}
                </td>
                <td class="number">
                  <LineLink
                    operation={operation}
                    position={source instanceof Object ? source.positionOf(pointer) : null}
                    what={`example ${value.slice(0, 40).toWellFormed()}`}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.more}
    </>
  );
}
