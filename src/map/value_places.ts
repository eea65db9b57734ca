import type { SchemaNode, Subschema } from "../schema/schema_node.ts";
import type { SchemaClass } from "../schema/value_class.ts";
import { type ValuePlace, valuePlaces } from "../schema/value_inventory.ts";
import { getOrAdd } from "../values/collections.ts";
import type { Json } from "../values/json.ts";
import type { ValueClassName } from "../values/value_class_name.ts";
import type { ParameterPlan } from "./parameter_plan.ts";

/** A class of a parameter's values, as reports and gaps name it. */
export interface NamedClass {
  readonly schema_path: string;
  readonly instance_path: string;
  readonly class: ValueClassName;
  /** The value itself, or the boundary, where the class has one; of a class between limits, these as keywords. */
  readonly value?: Json;
}

const parameterPlaces = new WeakMap<ParameterPlan, readonly ValuePlace[]>();

/** The places of a parameter's values that have classes; none where every request carries the same value. */
export function findValuePlaces(plan: ParameterPlan): readonly ValuePlace[] {
  return getOrAdd(parameterPlaces, plan, () => listPlaces(plan));
}

function listPlaces(plan: ParameterPlan): readonly ValuePlace[] {
  const { schema, itemSchema, positions, itemPositions, condition, model: { location } } = plan;
  if (condition !== undefined) return [];
  const places = valuePlaces([
    ...positions.map((position) => [schema, position, ""] as const),
    ...itemPositions.map((position) => [itemSchema, position, "/*"] as const),
  ], plan.schemas.inventory.judge);
  const isText = location === "body" && !positions.some(({ json }) => json);
  if (location === "query" || location === "form_data" || location === "body" && !isText) {
    return places;
  }
  // A path has no empty segment, an empty text is no body, and header fields hold nothing but ASCII.
  const isNeverEmpty = isText || location === "path";
  const left = isNeverEmpty ? "empty" : "non_ascii";
  return places.map((place) =>
    isText && place.instance_path !== "" ? place : {
      ...place,
      classes: place.classes.filter(({ name, value }) =>
        name !== left && !(isNeverEmpty && value === "")
      ),
    }
  );
}

/** The name of a class at its place; `path` is the pointer of the schema. */
export function nameClass(
  { instance_path }: ValuePlace,
  { name, pointer, value }: SchemaClass,
  path: string,
): NamedClass {
  return {
    schema_path: path + pointer,
    instance_path: name === "present" || name === "absent"
      ? instance_path + pointer.slice("/properties".length)
      : instance_path,
    class: name,
    ...(value !== undefined && { value }),
  };
}

/** A class with what counts it; the one of a parameter that is left out has no schema. */
export interface ParameterClass {
  readonly name: NamedClass;
  readonly node: SchemaNode | undefined;
  readonly own: SchemaClass | undefined;
}

/** The classes of a parameter's values that are wanted, in the order of reports. */
export function listClasses(
  plan: ParameterPlan,
  isWanted: (node: SchemaNode | undefined, own: SchemaClass | undefined) => boolean,
): ParameterClass[] {
  const found: ParameterClass[] = [];
  const byDefault = defaultLeftOut(plan);
  if (byDefault !== undefined && isWanted(undefined, undefined)) {
    found.push({ name: byDefault, node: undefined, own: undefined });
  }
  for (const place of findValuePlaces(plan)) {
    const { node, classes } = place;
    const wanted = classes.filter((own) => isWanted(node, own));
    if (wanted.length === 0) continue;
    const path = node.schemaPath();
    for (const own of wanted) found.push({ name: nameClass(place, own, path), node, own });
  }
  return found;
}

/** References in a row beyond which nothing is looked up. */
const MAX_STEPS = 50;

/** The class of requests without a parameter whose schema has a default; undefined for others, and for bodies. */
export function defaultLeftOut(
  { schema, model: { required, location } }: ParameterPlan,
): NamedClass | undefined {
  if (required || location === "body" || location === "path") return undefined;
  let node: Subschema | undefined = schema;
  for (let step = 0; step < MAX_STEPS && typeof node === "object"; step++) {
    if (!node.isReferenceOnly && Object.hasOwn(node.schema, "default")) {
      return {
        schema_path: node.schemaPath("default"),
        instance_path: "",
        class: "default_left_out",
        value: node.schema["default"] as Json,
      };
    }
    node = node.target;
  }
  return undefined;
}
