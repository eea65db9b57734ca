import { joinPointer, memberOf, pointerTokens } from "../values/json_pointer.ts";
import type { Place } from "../schema/place.ts";
import type { CountedUnit } from "../schema/counted_unit.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import type { ParameterPlan } from "./parameter_plan.ts";

/** The unit of a schema by its pointer as users see it; undefined if it isn't found. */
export function findUnit(
  plan: CoveragePlan,
  parameter: ParameterPlan,
  path: string,
): CountedUnit | undefined {
  const { schemas } = parameter;
  // A parameter's own schema has a dialect of its own in Swagger 2.0, so it is asked first.
  for (const schema of [parameter.schema, parameter.itemSchema]) {
    if (typeof schema === "object" && schema.pathOf("") === path) {
      return schemas.program.unit(schema);
    }
  }
  const place = placeAt(plan, path);
  const schema = place && schemas.schema(place);
  return typeof schema === "object" ? schemas.program.unit(schema) : undefined;
}

/** The place of a pointer as users see it; undefined if no document of the description has that label. */
export function placeAt(plan: CoveragePlan, path: string): Place | undefined {
  const hash = path.startsWith("/") || path === "" ? -1 : path.indexOf("#");
  const label = hash < 0 ? "" : path.slice(0, hash);
  const tokens = pointerTokens(hash < 0 ? path : path.slice(hash + 1));
  for (const document of plan.documents.documents.values()) {
    if (document.label !== label) continue;
    let value = document.value;
    for (const token of tokens) value = memberOf(value, token);
    return { value, document, pointer: joinPointer(tokens) };
  }
  return undefined;
}
