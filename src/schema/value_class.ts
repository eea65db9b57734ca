import type { Json } from "../values/json.ts";
import type { ValueClassName } from "../values/value_class_name.ts";
import type { Subschema } from "./schema_node.ts";

export interface SchemaClass {
  readonly name: ValueClassName;
  /** The pointer from the schema to what defines the class: `/enum/2`, `/minimum`, empty for the schema itself. */
  readonly pointer: string;
  /** The only value or the boundary, if there is one; for a class between limits, the limits as keywords. */
  readonly value?: Json;
  /** The types of its values, as bits of `json_type.ts`; 0 for an alternative, which may have any type. */
  readonly types: number;
  /** The schema of the property that is present or absent, or of the alternative. */
  readonly schema?: Subschema;
  /** The index of its counter among the class counters of the schema. */
  readonly slot: number;
  /** The index of a counter from which its own is subtracted, because absent properties aren't counted one by one. */
  readonly total?: number;
}

/** A counter for classes of a schema, as it is identified in hits files. */
export interface ClassCounter {
  readonly name: ValueClassName | "object";
  /** A value that changes when the meaning of the class changes. */
  readonly meaning: Json;
}

export interface SchemaClasses {
  readonly classes: readonly SchemaClass[];
  readonly counters: readonly ClassCounter[];
  /** The counters of `enum` members: scalars by value, and (`composites`) lists and objects by canonical text. */
  readonly members: ReadonlyMap<Json, number> | undefined;
  readonly composites: ReadonlyMap<string, number>;
  readonly booleans: number;
  readonly nulls: number;
  readonly number: NumberClasses | undefined;
  readonly text: TextClasses | undefined;
  readonly items: ItemClasses | undefined;
  /** The counter of valid objects; negative without optional properties. */
  readonly objects: number;
  /** The optional properties in the order of `properties`, each followed by its counter; contiguous in memory. */
  readonly properties: readonly (string | number)[];
  /** The counter of the first alternative, by keyword. */
  readonly alternatives: ReadonlyMap<string, number>;
  readonly hasOnlyAlternatives: boolean;
  /** A key that schemas which count in the same way have in common; undefined if the counting can't be shared. */
  readonly shareKey: string | undefined;
}

/** Inclusive limits of numbers, and the counters, which are negative for classes that don't exist. */
export interface NumberClasses {
  readonly low: number;
  readonly high: number;
  readonly atLow: number;
  readonly atHigh: number;
  readonly between: number;
  /** The first of the counters of negative, zero and positive; negative if there are limits instead. */
  readonly signs: number;
}

/** Limits of lengths, and the counters, which are negative for classes that don't exist. */
export interface TextClasses {
  readonly low: number;
  readonly high: number;
  readonly empty: number;
  readonly atLow: number;
  readonly atHigh: number;
  readonly between: number;
  readonly nonAscii: number;
}

export interface ItemClasses {
  readonly high: number;
  readonly none: number;
  readonly one: number;
  readonly several: number;
  readonly atHigh: number;
}
