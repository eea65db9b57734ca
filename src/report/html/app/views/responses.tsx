/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { LinePosition } from "../../description_view.ts";
import type { ReportExclusion, TestIndexes } from "../../../report.ts";
import type { Model, Operation } from "../model/model.ts";
import { type Spot, spotName } from "../model/spot.ts";
import { formatNumber, formatSeconds } from "../../../wording/amounts.ts";
import { statusAdvice, statusText } from "../../../wording/status_wording.ts";
import { CoveredBy } from "../parts/covered_by.tsx";
import { ExclusionNote } from "../parts/exclusion_note.tsx";
import { LineLink } from "../parts/line_link.tsx";
import { StateMark } from "../parts/state_mark.tsx";
import type { SourceState } from "../parts/use_source.ts";
import { ResponseContent } from "./response_content.tsx";

interface Elapsed {
  readonly mean: number;
  readonly max: number;
}

interface RowProps {
  readonly model: Model;
  readonly operation: Operation;
  /** What names the row in an address; null for what is not documented. */
  readonly id: string | null;
  readonly target: boolean;
  readonly tests: TestIndexes;
  readonly position: LinePosition | null;
  readonly status: string;
  readonly hits: number;
  readonly elapsed: Elapsed | null;
  readonly exclusion: ReportExclusion | null;
}

function Row(props: RowProps): JSX.Element {
  const { model, operation, id, target, status, hits, elapsed, tests, position } = props;
  const { exclusion } = props;
  const hint = hits === 0 && exclusion === null ? statusAdvice(status) : "";
  return (
    <tr id={id ?? undefined} class={target ? "target" : undefined} tabIndex={-1}>
      <th scope="row">
        <code>{status}</code> <span class="muted">{statusText(status)}</span>
      </th>
      <td>
        {id !== null
          ? (
            <StateMark state={exclusion !== null ? "excluded" : hits > 0 ? "full" : "none"}>
              {hits > 0 ? "returned" : "never returned"}
            </StateMark>
          )
          : <span class="flag flag-alert">not documented</span>}
        <ExclusionNote exclusion={exclusion} />
        {hint === "" ? null : <span class="advice muted">{hint}</span>}
        <CoveredBy model={model} lists={[["", tests]]} />
      </td>
      <td class="number">{formatNumber(hits)}</td>
      <td class="number">{elapsed === null ? "–" : formatSeconds(elapsed.mean)}</td>
      <td class="number">{elapsed === null ? "–" : formatSeconds(elapsed.max)}</td>
      <td class="number">
        <LineLink operation={operation} position={position} what={`response ${status}`} />
      </td>
    </tr>
  );
}

interface Props {
  readonly model: Model;
  readonly operation: Operation;
  readonly source: SourceState;
  readonly spot: Spot | null;
}

/** The responses of an operation: documented ones, with their times, and undocumented ones. */
export function Responses({ model, operation, source, spot }: Props): JSX.Element {
  const { responses, undocumented_responses, summary } = operation.data;
  const { exclusions = [] } = model.data;
  const positions = source instanceof Object ? source.positionsOfOperation(operation.index) : [];
  const empty = responses.length === 0 && undocumented_responses.length === 0;
  return (
    <section>
      <h2>Responses</h2>
      {summary.responses.measured
        ? null
        : <p class="muted">Not measured: the traffic has no responses.</p>}
      {empty
        ? <p class="calm">None documented.</p>
        : (
          <div class="scroll" role="region" aria-label="Responses" tabIndex={0}>
            <table class="plain">
              <thead>
                <tr>
                  <th scope="col">Status</th>
                  <th scope="col">State</th>
                  <th scope="col" class="number">Hits</th>
                  <th scope="col" class="number">Mean</th>
                  <th scope="col" class="number">Slowest</th>
                  <th scope="col" class="number">Line</th>
                </tr>
              </thead>
              <tbody>
                {responses.map(({ status_code, hits, elapsed, covered_by, excluded }, index) => (
                  <Row
                    key={status_code}
                    model={model}
                    operation={operation}
                    id={spotName("response", index)}
                    target={spot?.kind === "response" && spot.index === index}
                    status={status_code}
                    hits={hits}
                    elapsed={elapsed}
                    exclusion={excluded === undefined ? null : exclusions[excluded] ?? null}
                    tests={covered_by ?? []}
                    position={positions[index + 1] ?? null}
                  />
                ))}
                {undocumented_responses.map(({ status_code, hits, covered_by }) => (
                  <Row
                    key={`undocumented ${status_code}`}
                    model={model}
                    operation={operation}
                    id={null}
                    target={false}
                    status={status_code}
                    hits={hits}
                    elapsed={null}
                    exclusion={null}
                    tests={covered_by ?? []}
                    position={null}
                  />
                ))}
              </tbody>
            </table>
          </div>
        )}
      <ResponseContent model={model} operation={operation} source={source} />
    </section>
  );
}
