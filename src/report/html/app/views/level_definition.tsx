/** @jsxImportSource preact */
import type { JSX } from "preact";
import { formatNumber } from "../../../wording/amounts.ts";
import { criterionName } from "../../../wording/tcl_wording.ts";
import type { Model } from "../model/model.ts";

/** The criteria of the test coverage level with their counts; nothing for reports of older versions. */
export function LevelDefinition({ model }: { readonly model: Model }): JSX.Element | null {
  const { tcl_criteria } = model.data;
  if (tcl_criteria === undefined) return null;
  return (
    <section>
      <h2 id="tcl" tabIndex={-1}>Test coverage level</h2>
      <p>
        <strong>
          The highest of seven levels whose criteria, and those of all levels below, are covered.
        </strong>
      </p>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col">Criterion</th>
            <th scope="col">Covered</th>
          </tr>
        </thead>
        <tbody>
          {tcl_criteria.map(({ criterion, level, covered, total, measured }) => (
            <tr key={criterion}>
              <td>{level}</td>
              <th scope="row">{criterionName(criterion)}</th>
              <td>
                {covered === null || total === null
                  ? "not measured"
                  : total === 0
                  ? "nothing to cover"
                  : `${formatNumber(covered)} of ${formatNumber(total)}${
                    measured ? "" : ", not all measured"
                  }`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
