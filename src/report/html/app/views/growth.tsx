/// <reference lib="dom" />
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Timeline } from "../../../../map/results.ts";
import { formatAmount, formatPercent, formatSeconds } from "../../../wording/amounts.ts";
import { dimensionFigures } from "../../../figures.ts";
import { momentTicks } from "../model/moment_ticks.ts";
import { useModel } from "../parts/context.ts";
import { type Column, Table } from "../parts/table.tsx";

const ROWS = 8;

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

function timeColumns(
  moments: readonly number[],
  series: readonly Series[],
): readonly Column<number>[] {
  const moment = (index: number): number => moments[index] ?? 0;
  return [
    {
      label: "Time",
      value: moment,
      cell: (index) => index === 0 ? "First request" : formatSeconds(moment(index)),
    },
    ...series.map(({ name, values }): Column<number> => ({
      label: name,
      isNumber: true,
      value: (index) => values[index] ?? null,
      cell: (index) => formatPercent(values[index] ?? null),
    })),
  ];
}

export function Growth(): JSX.Element | null {
  const { timeline, traffic, summary } = useModel().data;
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
  const series = dimensionFigures(summary).filter(({ total }) => total > 0).map((
    { name, label, total },
  ) => ({ name: label, values: timeline[name].map((count) => 100 * count / total) }));
  const undated = undatedText(timeline);
  return (
    <section>
      <h2>Coverage over time</h2>
      <Chart moments={moments} series={series} />
      {undated === null ? null : <p class="muted small">{undated}</p>}
      <details class="chart-table">
        <summary>Show as a table</summary>
        <Table
          label="Coverage over time"
          columns={timeColumns(moments, series)}
          rows={sample(moments.length)}
          rowKey={(index) => index}
        />
      </details>
    </section>
  );
}

interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

/** The width of the chart in its own units: smaller on narrow screens, so that text keeps its size. */
const WIDE = 640;
const NARROW = 360;
const HEIGHT = 240;
const LEFT = 46;
const RIGHT = 88;
const TOP = 10;
const BOTTOM = 28;

/** The minimum distance between the names of two lines, so that both are readable. */
const NAME_HEIGHT = 17;

function useNarrow(): boolean {
  const query = matchMedia("(max-width: 560px)");
  const [isNarrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const listen = (): void => setNarrow(query.matches);
    query.addEventListener("change", listen);
    return () => query.removeEventListener("change", listen);
  }, []);
  return isNarrow;
}

const PERCENTS = [0, 20, 40, 60, 80, 100];

/** The heights of the names: at the ends of their lines, or moved as little as possible to avoid overlaps. */
function nameHeights(ends: readonly number[]): number[] {
  const order = ends.map((_, index) => index)
    .sort((left, right) => (ends[left] ?? 0) - (ends[right] ?? 0));
  const heights = [...ends];
  let free = TOP;
  for (const index of order) {
    heights[index] = Math.max(heights[index] ?? 0, free);
    free = (heights[index] ?? 0) + NAME_HEIGHT;
  }
  // Moves names that would be below the chart back up.
  let floor = HEIGHT - BOTTOM + 4;
  for (const index of order.toReversed()) {
    heights[index] = Math.min(heights[index] ?? 0, floor);
    floor = (heights[index] ?? 0) - NAME_HEIGHT;
  }
  return heights;
}

/** A chart of numbers that the table below it contains, so it is hidden from screen readers. */
function Chart({ moments, series }: {
  readonly moments: readonly number[];
  readonly series: readonly Series[];
}): JSX.Element {
  const width = useNarrow() ? NARROW : WIDE;
  const last = moments.at(-1) ?? 1;
  const x = (moment: number): number => LEFT + (width - LEFT - RIGHT) * moment / (last || 1);
  const y = (percent: number): number => TOP + (HEIGHT - TOP - BOTTOM) * (1 - percent / 100);
  /** A step line, because coverage stays the same until something new is covered. */
  const path = (values: readonly number[]): string =>
    values.map((value, index) => {
      const [across, up] = [x(moments[index] ?? 0).toFixed(1), y(value).toFixed(1)];
      return index === 0 ? `M${across} ${up}` : `H${across}V${up}`;
    }).join("");
  const heights = nameHeights(series.map(({ values }) => y(values.at(-1) ?? 0)));
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {PERCENTS.map((percent) => (
        <g key={percent} class="chart-grid">
          <path d={`M${LEFT} ${y(percent)}H${width - RIGHT}`} />
          <text x={LEFT - 8} y={y(percent) + 4} text-anchor="end">{percent}%</text>
        </g>
      ))}
      {momentTicks(last, width === WIDE ? 6 : 3).map(({ moment, label }) => (
        <text key={moment} x={x(moment)} y={HEIGHT - 8} text-anchor="middle">{label}</text>
      ))}
      {series.map(({ name, values }, index) => (
        <g key={name} class={`chart-series chart-series-${index}`}>
          <path d={path(values)} />
          <text x={width - RIGHT + 8} y={(heights[index] ?? 0) + 4}>{name}</text>
        </g>
      ))}
    </svg>
  );
}
