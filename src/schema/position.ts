import { ANY_TYPE } from "../json_type.ts";

/** What decoding can yield at a place of a request (semantics, section 5: text positions and JSON positions). */
export interface SchemaPosition {
  /** The types that decoding can yield here, as bits of `json_type.ts`; every type in JSON. */
  readonly types: number;
  /** True where the instance is JSON, and so is everything below it. */
  readonly json: boolean;
  /** The position of a property's value. */
  property(name: string): SchemaPosition;
  /** The position of an item. */
  item(index: number): SchemaPosition;
}

/** A place inside JSON, where every type can stand. */
export const JSON_PLACE: SchemaPosition = {
  types: ANY_TYPE,
  json: true,
  property: () => JSON_PLACE,
  item: () => JSON_PLACE,
};

/** Stands for the name of a property that is not declared. */
export const UNDECLARED = "\u0000";

/** Stands for the names of the properties that match a pattern. */
export function namesMatching(pattern: string): string {
  return UNDECLARED + pattern;
}

/** How a subschema's instance relates to the instance of the schema around it. */
export type Relation = "in_place" | "property" | "item" | "name";

/** The position of a subschema's instance. */
export function positionBelow(
  position: SchemaPosition,
  relation: Relation,
  name: string,
): SchemaPosition {
  if (position.json || relation === "in_place") return position;
  if (relation === "property") return position.property(name);
  if (relation === "item") return position.item(Number(name));
  return JSON_PLACE;
}
