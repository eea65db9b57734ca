/** @jsxImportSource preact */
import type { JSX } from "preact";
import { formatPercent } from "../../../percent.ts";
import type { Timeline } from "../../../../map/results.ts";
import { dimensionsOf } from "../model/dimensions.ts";
import type { Model } from "../model/model.ts";
import { formatAmount, formatSeconds } from "../../../wording/amounts.ts";
import { Chart } from "../parts/chart.tsx";

/** Rows of the table: as many as somebody reads. */
const ROWS = 8;

/** Every so many moments, the first and the last among them. */
function sample(length: number): number[] {
  const rows = Math.min(length, ROWS);
  return Array.from({ length: rows }, (_, row) => Math.round(row * (length - 1) / (rows - 1)));
}

function undatedText({ undated }: Timeline): string | null {
  const count = Object.values(undated).reduce((sum, one) => sum + one, 0);
  return count === 0
    ? null
    : `${formatAmount(count, "item")} covered only by requests without timestamps ${
      count === 1 ? "isn't" : "aren't"
    } charted.`;
}

/** How coverage grew while the traffic went on; a quiet sentence where its times are not known. */
export function Growth({ model }: { readonly model: Model }): JSX.Element | null {
  const { timeline, traffic, summary } = model.data;
  if (traffic.recorded === 0) return null;
  if (timeline === null) {
    return (
      <section>
        <h2>Coverage over time</h2>
        <p class="calm">
          {traffic.first_at === null
            ? "The traffic has no timestamps."
            : "All requests have the same timestamp."}
        </p>
      </section>
    );
  }
  const moments = timeline.at.map((at) => at - (timeline.at[0] ?? 0));
  const series = dimensionsOf(summary).filter(({ total }) => total > 0).map((
    { dimension, label, total },
  ) => ({
    name: label,
    values: timeline[dimension].map((count) => 100 * count / total),
  }));
  const undated = undatedText(timeline);
  return (
    <section>
      <h2>Coverage over time</h2>
      <Chart moments={moments} series={series} />
      {undated === null ? null : <p class="muted small">{undated}</p>}
      <details class="chart-table">
        <summary>Show as a table</summary>
        <div class="scroll" role="region" aria-label="Coverage over time" tabIndex={0}>
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ name }) => <th key={name} scope="col" class="number">{name}</th>)}
              </tr>
            </thead>
            <tbody>
              {sample(moments.length).map((index) => (
                <tr key={index}>
                  <th scope="row">
                    {index === 0 ? "First request" : formatSeconds(moments[index] ?? 0)}
                  </th>
                  {series.map(({ name, values }) => (
                    <td key={name} class="number">{formatPercent(values[index] ?? null)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}
