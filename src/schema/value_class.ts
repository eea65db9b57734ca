import type { Json } from "../values/json.ts";
import type { ValueClassName } from "../values/value_class_name.ts";
import type { Subschema } from "./schema_node.ts";

/** A class of a schema, and the counters that tell how often a value of it came. */
export interface SchemaClass {
  readonly name: ValueClassName;
  /** The pointer of what names it, from the schema: `/enum/2`, `/minimum`, empty for the schema itself. */
  readonly pointer: string;
  /** The only value, or the boundary, where there is one; of a class between limits, these as keywords. */
  readonly value?: Json;
  /** The types of its values, as bits of `json_type.ts`; 0 for an alternative, which may have any. */
  readonly types: number;
  /** The property that is present or absent, or the alternative. */
  readonly schema?: Subschema;
  /** Its counter, among those for the classes of the schema. */
  readonly slot: number;
  /** The counter that its own is subtracted from: what is absent is not counted one by one. */
  readonly total?: number;
}

/** A counter for classes of a schema, as hits files name it. */
export interface ClassCounter {
  readonly name: ValueClassName | "object";
  /** Changes where its class says something else. */
  readonly says: Json;
}

/** Everything that the classes of one schema need to be counted and listed. */
export interface SchemaClasses {
  readonly classes: readonly SchemaClass[];
  readonly counters: readonly ClassCounter[];
  /** The counters of the members of `enum`: of scalars by value, of lists and objects by their canonical text. */
  readonly members: ReadonlyMap<Json, number> | undefined;
  readonly composites: ReadonlyMap<string, number>;
  readonly booleans: number;
  readonly nulls: number;
  readonly number: NumberClasses | undefined;
  readonly text: TextClasses | undefined;
  readonly items: ItemClasses | undefined;
  /** The counter of valid objects; negative without optional properties. */
  readonly objects: number;
  /** The optional properties, each followed by its counter: side by side in memory, as `properties` has them. */
  readonly properties: readonly (string | number)[];
  /** The counter of the first alternative, by the keyword. */
  readonly alternatives: ReadonlyMap<string, number>;
  /** True if nothing else is counted. */
  readonly isAlternativesOnly: boolean;
  /** The same for schemas whose values are counted alike; undefined for one that is counted by itself. */
  readonly shareKey: string | undefined;
}

/** Limits of numbers, both inclusive, and the counters; negative where there is no such class. */
export interface NumberClasses {
  readonly low: number;
  readonly high: number;
  readonly atLow: number;
  readonly atHigh: number;
  readonly between: number;
  /** Negative, zero and positive, one after the other; negative where limits tell numbers apart. */
  readonly signs: number;
}

/** Limits of lengths, and the counters. */
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
