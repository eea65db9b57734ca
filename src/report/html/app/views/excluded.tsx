/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { ReportExclusion } from "../../../report.ts";
import { formatAmount } from "../../../wording/amounts.ts";
import { excludedAmounts, exclusionOrigin } from "../../../wording/exclusion_wording.ts";
import { routeLink } from "../model/route.ts";
import { OperationLink } from "../parts/names.tsx";
import { useShown } from "../parts/use_shown.tsx";
import type { ViewProps } from "./view.ts";

/** How many operations an exclusion names here; the list of operations has all. */
const OPERATIONS = 5;

function Row({ model, exclusion, index }: {
  readonly model: ViewProps["model"];
  readonly exclusion: ReportExclusion;
  readonly index: number;
}): JSX.Element {
  const { pattern, reason, schema_path, stale } = exclusion;
  const operations = model.operations.filter(({ data }) => data.excluded === index);
  return (
    <tr class={stale === null ? undefined : "exclusion-stale"}>
      <th scope="row">
        <code>
          <bdi>{pattern}</bdi>
        </code>
        {schema_path === undefined ? null : (
          <div class="muted small">
            <code>
              <bdi>{schema_path}</bdi>
            </code>
          </div>
        )}
      </th>
      <td>
        {reason === null ? <span class="muted">no reason given</span> : <bdi>{reason}</bdi>}
        {stale === null ? null : (
          <p class="exclusion-warning">
            <span class="flag flag-alert">stale</span> <bdi>{stale}</bdi>
          </p>
        )}
      </td>
      <td>
        <bdi>{exclusionOrigin(exclusion)}</bdi>
      </td>
      <td>
        {excludedAmounts(exclusion)}
        {operations.length === 0 ? null : (
          <ul class="exclusion-operations">
            {operations.slice(0, OPERATIONS).map((operation) => (
              <li key={operation.key}>
                <OperationLink operation={operation} />
              </li>
            ))}
            {operations.length > OPERATIONS
              ? (
                <li>
                  <a href={routeLink("operations", "", { state: "excluded" })}>
                    and {formatAmount(operations.length - OPERATIONS, "more operation")}
                  </a>
                </li>
              )
              : null}
          </ul>
        )}
      </td>
    </tr>
  );
}

/** What is left out of every number, who says so, why, and whether it was covered nonetheless. */
export function Excluded({ model }: ViewProps): JSX.Element {
  const { exclusions = [] } = model.data;
  const shown = useShown("exclusions", exclusions.length);
  return (
    <>
      <h1>Excluded</h1>
      <p class="muted">
        Left out of every percentage and gap. What counts and what is left out add up to the whole
        description.
      </p>
      {exclusions.length === 0 ? <p class="calm">Nothing: the whole description counts.</p> : (
        <>
          <div class="scroll" role="region" aria-label="Exclusions" tabIndex={0}>
            <table class="plain exclusions">
              <thead>
                <tr>
                  <th scope="col">Excluded</th>
                  <th scope="col">Reason</th>
                  <th scope="col">Source</th>
                  <th scope="col">Leaves out</th>
                </tr>
              </thead>
              <tbody>
                {exclusions.slice(0, shown.count).map((exclusion, index) => (
                  <Row key={index} model={model} exclusion={exclusion} index={index} />
                ))}
              </tbody>
            </table>
          </div>
          {shown.more}
        </>
      )}
    </>
  );
}
