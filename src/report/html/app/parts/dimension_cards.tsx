/** @jsxImportSource preact */
import type { JSX } from "preact";
import { formatPercent } from "../../../percent.ts";
import {
  DIMENSION_WORDING,
  ENFORCEMENT_WORDING,
  RESPONSE_KEYWORDS_WORDING,
} from "../../../wording/dimension_wording.ts";
import type { DimensionFacts, FigureFacts } from "../model/dimensions.ts";
import { routeLink } from "../model/route.ts";
import { Bar } from "./bar.tsx";
import { levelClass } from "./level_class.ts";

interface Props {
  readonly dimensions: readonly DimensionFacts[];
  /** Null where it is not measured. */
  readonly enforcement: FigureFacts | null;
  /** The keywords of responses; null where there are none, or nothing is to be said of them. */
  readonly returned: FigureFacts | null;
  /** True for the numbers of one operation. */
  readonly small?: boolean;
}

interface CardProps {
  readonly facts: FigureFacts;
  /** The name of its definition. */
  readonly name: string;
  readonly definition: string;
}

function Card({ facts, name, definition }: CardProps): JSX.Element {
  const { label, percent, full, partial, total, text } = facts;
  return (
    <div class="dimension">
      <dt>{label}</dt>
      <dd>
        <span class={`percent ${levelClass(percent)}`}>{formatPercent(percent)}</span>
        <Bar full={full} partial={partial} total={total} />
        <span class="counts">{text}</span>
        <a class="definition" href={routeLink("definitions", "", { at: name })}>{definition}</a>
      </dd>
    </div>
  );
}

/** Percentages side by side, each with its counts and its definition, which leads to its rules. */
export function DimensionCards(
  { dimensions, enforcement, returned, small = false }: Props,
): JSX.Element {
  const more = [enforcement, returned].filter((facts) => facts !== null).length;
  const classes = [
    "dimensions",
    ...(small ? ["dimensions-small"] : []),
    ...(more === 0 ? [] : [more === 1 ? "dimensions-more" : "dimensions-most"]),
  ];
  return (
    <dl class={classes.join(" ")}>
      {dimensions.map((facts) => (
        <Card
          key={facts.dimension}
          facts={facts}
          name={facts.dimension}
          definition={DIMENSION_WORDING[facts.dimension].definition}
        />
      ))}
      {enforcement === null ? null : (
        <Card
          facts={enforcement}
          name="enforcement"
          definition={ENFORCEMENT_WORDING.definition}
        />
      )}
      {returned === null ? null : (
        <Card
          facts={returned}
          name="response_keywords"
          definition={RESPONSE_KEYWORDS_WORDING.definition}
        />
      )}
    </dl>
  );
}
