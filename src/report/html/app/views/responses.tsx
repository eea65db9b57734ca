/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { Operation } from "../model/model.ts";
import { formatCount, formatSeconds, statusText } from "../model/words.ts";
import { StateMark } from "../parts/state_mark.tsx";

interface Elapsed {
  readonly mean: number;
  readonly max: number;
}

interface RowProps {
  readonly status: string;
  readonly hits: number;
  readonly elapsed: Elapsed | null;
  readonly documented: boolean;
}

function Row({ status, hits, elapsed, documented }: RowProps): JSX.Element {
  return (
    <tr>
      <th scope="row">
        <code>{status}</code> <span class="muted">{statusText(status)}</span>
      </th>
      <td>
        {documented
          ? (
            <StateMark state={hits > 0 ? "full" : "none"}>
              {hits > 0 ? "seen" : "never seen"}
            </StateMark>
          )
          : <span class="flag flag-alert">not documented</span>}
      </td>
      <td class="number">{formatCount(hits)}</td>
      <td class="number">{elapsed === null ? "–" : formatSeconds(elapsed.mean)}</td>
      <td class="number">{elapsed === null ? "–" : formatSeconds(elapsed.max)}</td>
    </tr>
  );
}

/** The responses of an operation: documented ones, with their times, and undocumented ones. */
export function Responses({ operation }: { readonly operation: Operation }): JSX.Element {
  const { responses, undocumented_responses, summary } = operation.data;
  const empty = responses.length === 0 && undocumented_responses.length === 0;
  return (
    <section>
      <h2>Responses</h2>
      {summary.responses.measured
        ? null
        : <p class="muted">Not measured: nothing that was recorded has a response.</p>}
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
                </tr>
              </thead>
              <tbody>
                {responses.map(({ status_code, hits, elapsed }) => (
                  <Row
                    key={status_code}
                    status={status_code}
                    hits={hits}
                    elapsed={elapsed}
                    documented
                  />
                ))}
                {undocumented_responses.map(({ status_code, hits }) => (
                  <Row
                    key={`undocumented ${status_code}`}
                    status={status_code}
                    hits={hits}
                    elapsed={null}
                    documented={false}
                  />
                ))}
              </tbody>
            </table>
          </div>
        )}
    </section>
  );
}
