import type { SchemaNode, Subschema } from "../schema/schema_node.ts";
import type { SchemaClass } from "../schema/value_class.ts";
import { findReachableClasses, type ReachableClasses } from "../schema/value_inventory.ts";
import { getOrAdd } from "../values/collections.ts";
import type { Json } from "../values/json.ts";
import type { ValueClassName } from "../values/value_class_name.ts";
import type { ParameterPlan } from "./parameter_plan.ts";

export interface NamedClass {
  readonly schema_path: string;
  readonly instance_path: string;
  readonly class: ValueClassName;
  /** The value itself or the boundary, if the class has one; for a class between limits, the keywords of the limits. */
  readonly value?: Json;
}

const parameterPlaces = new WeakMap<ParameterPlan, readonly ReachableClasses[]>();

/** Returns the places of a parameter's values that have classes; none if a path condition fixes the value. */
export function findValuePlaces(plan: ParameterPlan): readonly ReachableClasses[] {
  return getOrAdd(parameterPlaces, plan, () => listPlaces(plan));
}

function listPlaces(plan: ParameterPlan): readonly ReachableClasses[] {
  const { schema, itemSchema, positions, itemPositions, condition, model: { location } } = plan;
  if (condition !== undefined) return [];
  const places = findReachableClasses([
    ...positions.map((position) => [schema, position, ""] as const),
    ...itemPositions.map((position) => [itemSchema, position, "/*"] as const),
  ], plan.schemas.inventory.judge);
  const isText = location === "body" && !positions.some(({ json }) => json);
  if (location === "query" || location === "form_data" || location === "body" && !isText) {
    return places;
  }
  // A path has no empty segment, an empty body counts as no body, and header fields contain only ASCII.
  const isNeverEmpty = isText || location === "path";
  const impossibleClass = isNeverEmpty ? "empty" : "non_ascii";
  return places.map((place) =>
    isText && place.instance_path !== "" ? place : {
      ...place,
      classes: place.classes.filter(({ name, value }) =>
        name !== impossibleClass && !(isNeverEmpty && value === "")
      ),
    }
  );
}

/** Returns the name of a class. `path` is the pointer of its schema. */
export function nameClass(
  { instance_path }: ReachableClasses,
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

/** A class with the schema that counts it; undefined for the class of requests without the parameter. */
export interface ParameterClass {
  readonly name: NamedClass;
  readonly node: SchemaNode | undefined;
  readonly schemaClass: SchemaClass | undefined;
}

/** Returns the selected classes of a parameter's values, in report order. */
export function listClasses(
  plan: ParameterPlan,
  isSelected: (node: SchemaNode | undefined, schemaClass: SchemaClass | undefined) => boolean,
): ParameterClass[] {
  const list: ParameterClass[] = [];
  const defaultClass = defaultLeftOutClass(plan);
  if (defaultClass !== undefined && isSelected(undefined, undefined)) {
    list.push({ name: defaultClass, node: undefined, schemaClass: undefined });
  }
  for (const place of findValuePlaces(plan)) {
    const { node, classes } = place;
    const selected = classes.filter((schemaClass) => isSelected(node, schemaClass));
    if (selected.length === 0) continue;
    const path = node.schemaPath();
    for (const schemaClass of selected) {
      list.push({ name: nameClass(place, schemaClass, path), node, schemaClass });
    }
  }
  return list;
}

/** The maximum length of a chain of references. */
const MAX_STEPS = 50;

/** Returns the class of requests without the parameter if its schema has a default; undefined for bodies and others. */
export function defaultLeftOutClass(
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
