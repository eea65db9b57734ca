/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { PageParameter } from "../../page_data.ts";
import { examplesOf, type Model } from "../model/model.ts";
import { formatCount } from "../model/words.ts";
import { StateMark } from "../parts/state_mark.tsx";
import { useShown } from "../parts/use_shown.tsx";
import { Value } from "../parts/value.tsx";

interface Props {
  readonly model: Model;
  readonly parameter: PageParameter;
  readonly onlyMissing: boolean;
}

/** The documented values of a parameter, used or not. */
export function ExampleTable({ model, parameter, onlyMissing }: Props): JSX.Element | null {
  const examples = examplesOf(model.data, parameter).filter(({ hits }) =>
    !onlyMissing || hits === 0
  );
  const shown = useShown(`examples ${parameter.schema_path} ${onlyMissing}`, examples.length);
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
            </tr>
          </thead>
          <tbody>
            {examples.slice(0, shown.count).map(({ pointer, value, hits }) => (
              <tr key={pointer}>
                <th scope="row" title={pointer}>
                  <Value json={value} />
                </th>
                <td class="number">{formatCount(hits)}</td>
                <td>
                  <StateMark state={hits > 0 ? "full" : "none"}>
                    {hits > 0 ? "used" : "never used"}
                  </StateMark>
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
