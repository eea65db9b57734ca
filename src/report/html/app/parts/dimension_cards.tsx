/** @jsxImportSource preact */
import type { JSX } from "preact";
import { formatPercent } from "../../../percent.ts";
import { DIMENSION_WORDING } from "../../../wording/dimension_wording.ts";
import type { DimensionFacts } from "../model/dimensions.ts";
import { routeLink } from "../model/route.ts";
import { Bar } from "./bar.tsx";

interface Props {
  readonly dimensions: readonly DimensionFacts[];
  /** True for the numbers of one operation. */
  readonly small?: boolean;
}

/** Percentages side by side, each with its counts and its definition, which leads to its rules. */
export function DimensionCards({ dimensions, small = false }: Props): JSX.Element {
  return (
    <dl class={small ? "dimensions dimensions-small" : "dimensions"}>
      {dimensions.map(({ dimension, label, percent, full, partial, total, text }) => (
        <div key={dimension} class="dimension">
          <dt>{label}</dt>
          <dd>
            <span class="percent">{formatPercent(percent)}</span>
            <Bar full={full} partial={partial} total={total} />
            <span class="counts">{text}</span>
            <a class="definition" href={routeLink("definitions", "", { at: dimension })}>
              {DIMENSION_WORDING[dimension].definition}
            </a>
          </dd>
        </div>
      ))}
    </dl>
  );
}
