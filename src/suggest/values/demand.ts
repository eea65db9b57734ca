import type { Json } from "../../values/json.ts";
import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";

/** A schema that a value has to match, or must not match. */
export interface Demand {
  readonly schema: Subschema;
  /** False if the value must not match it. */
  readonly holds: boolean;
}

/** A keyword of a schema that a value is to break. */
export interface Breach {
  readonly node: SchemaNode;
  readonly keyword: string;
}

/** A decision about a schema that leaves a choice: the index of an alternative, or of a branch. */
export interface Route {
  readonly node: SchemaNode;
  readonly keyword: string;
  readonly index: number;
}

/** A property or an item that a value is to have. */
export type Step = string | number;

/** Wishes about a value beside the schemas that it has to match. */
export interface Wish {
  /** The number of the value among those that show different things, from 0. */
  readonly variant: number;
  /** True for objects with all optional properties. */
  readonly isFull: boolean;
  /** Decisions that are taken already. */
  readonly routes: readonly Route[];
  /** The keywords to break. */
  readonly breaches: readonly Breach[];
  /** True if a schema with a broken keyword says nothing else: in an alternative, it may fail in several at once. */
  readonly breaksFreely: boolean;
  /** A property or an item that it has to have. */
  readonly includes: Step | undefined;
  /** True if the value at that place is going to be replaced, so that it may be anything. */
  readonly isHole: boolean;
  /** Values that it must not equal. */
  readonly excluded: readonly Json[];
}

/** The smallest value, without more wishes. */
export const LEAST: Wish = {
  variant: 0,
  isFull: false,
  routes: [],
  breaches: [],
  breaksFreely: false,
  includes: undefined,
  isHole: false,
  excluded: [],
};

/** A demand to match a schema. */
export function match(schema: Subschema): Demand {
  return { schema, holds: true };
}

/** A demand not to match a schema. */
export function mismatch(schema: Subschema): Demand {
  return { schema, holds: false };
}
