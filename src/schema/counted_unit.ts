import type { SchemaNode } from "./schema_node.ts";

/** A keyword of a unit, and the place of its counters in the unit's block. */
export interface UnitKeyword {
  /** The schema that holds the keyword. */
  readonly node: SchemaNode;
  /** Its name. */
  readonly keyword: string;
  /** The index of its `valid` counter; `invalid` follows. */
  readonly slot: number;
}

/** An example of a unit, and where its counter is in the unit's block. */
export interface UnitExample {
  /** The pointer of the example. */
  readonly schema_path: string;
  /** The index of its counter. */
  readonly slot: number;
}

/** A schema that is compiled as a whole, as its counters know it. */
export interface CountedUnit {
  /** The schema. */
  readonly root: SchemaNode;
  /** The number of the unit's counters. */
  readonly size: number;
  /** The length of the unit's block: its counters, then a place for each reference that leads out of it. */
  readonly room: number;
  /** Its keywords. */
  readonly keywords: readonly UnitKeyword[];
  /** Its examples. */
  readonly examples: readonly UnitExample[];
}
