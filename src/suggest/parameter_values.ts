import type { OperationPlan } from "../map/coverage_plan.ts";
import type { ParameterPlan } from "../map/parameter_plan.ts";
import type { Json } from "../values/json.ts";
import { JSON_POSITION, type Position } from "../values/position.ts";
import { type Demand, match } from "./values/facts.ts";
import type { Place } from "./values/places.ts";
import { concreteMediaType } from "./write/write_body.ts";

export function demandsOn({ schema }: ParameterPlan): readonly Demand[] {
  return [match(schema ?? true)];
}

export function sentPositions(plan: ParameterPlan): readonly Position[] {
  return plan.positions.length === 0 ? [JSON_POSITION] : plan.positions;
}

/** Texts that can't be a path segment: the empty text, and dot segments, which URLs leave out. */
const UNSENDABLE_SEGMENTS: readonly Json[] = ["", ".", ".."];

export function unsendableValues({ model }: ParameterPlan): readonly Json[] {
  return model.location === "path" ? UNSENDABLE_SEGMENTS : [];
}

/** Returns the root places of a parameter: its value, and the items of sequential JSON. */
export function listRoots(plan: ParameterPlan, base: Json | undefined): Place[] {
  const demands = demandsOn(plan);
  const roots: Place[] = plan.positions.map((position) => ({
    demands,
    position,
    depth: 0,
    excluded: unsendableValues(plan),
    recorded: base,
    wrap: (value) => [value],
    wrapRecorded: (value) => value,
  }));
  const { itemSchema } = plan;
  if (itemSchema === undefined) return roots;
  const items = plan.itemPositions.map((position): Place => ({
    demands: [match(itemSchema)],
    position,
    depth: 1,
    excluded: [],
    recorded: undefined,
    wrap: (value) => [[value]],
    wrapRecorded: (value) => [value],
  }));
  return [...roots, ...items];
}

/** Returns the media type to send for each body; in Swagger 2.0, JSON if `consumes` has it, else the first one. */
export function bodyMediaTypes(
  { parameters }: Pick<OperationPlan, "parameters">,
): ReadonlyMap<ParameterPlan, string> {
  const bodies = parameters.filter(({ model: { location } }) => location === "body");
  const types = bodies.map(({ model: { mediaType, consumes = [] } }) =>
    mediaType ?? consumes.find((one) => /json/.test(one)) ?? consumes[0] ?? "application/json"
  );
  return new Map(bodies.map((body, index) => [body, concreteMediaType(types[index] ?? "", types)]));
}
