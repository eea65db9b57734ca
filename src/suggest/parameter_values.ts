import type { ParameterPlan } from "../map/parameter_plan.ts";
import type { Json } from "../values/json.ts";
import { JSON_POSITION, type Position } from "../values/position.ts";
import { type Demand, match } from "./values/demand.ts";
import type { Place } from "./values/places.ts";

/** The schemas for a parameter's value; none if it has none. */
export function demandsOn({ schema }: ParameterPlan): readonly Demand[] {
  return [match(schema ?? true)];
}

export function positionsOf(plan: ParameterPlan): readonly Position[] {
  return plan.positions.length === 0 ? [JSON_POSITION] : plan.positions;
}

/** The roots of the places of a parameter: its value, and the items of sequential JSON. */
export function rootsOf(plan: ParameterPlan, base: Json | undefined): Place[] {
  const demands = demandsOn(plan);
  const roots: Place[] = plan.positions.map((position) => ({
    demands,
    position,
    depth: 0,
    base,
    wrap: (value) => [value],
    wrapBase: (value) => value,
  }));
  const { itemSchema } = plan;
  if (itemSchema === undefined) return roots;
  const items = plan.itemPositions.map((position): Place => ({
    demands: [match(itemSchema)],
    position,
    depth: 1,
    base: undefined,
    wrap: (value) => [[value]],
    wrapBase: (value) => [value],
  }));
  return [...roots, ...items];
}

/** The media type of a body; in Swagger 2.0 the first that covtool reads. */
export function mediaTypeOf({ model: { mediaType, consumes = [] } }: ParameterPlan): string {
  return mediaType ?? consumes.find((one) => /json/.test(one)) ?? consumes[0] ?? "application/json";
}
