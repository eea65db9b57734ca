import type { SchemaNode } from "./schema_node.ts";
import type { SchemaClasses } from "./value_class.ts";

/** A keyword of a unit, and the place of its counters in the unit's block. */
export interface UnitKeyword {
  readonly node: SchemaNode;
  readonly keyword: string;
  /** The index of the `valid` counter; the `invalid` counter is next. */
  readonly slot: number;
}

/** An example, or an alternative of a `discriminator`, and the index of its counter in the unit's block. */
export interface UnitTally {
  readonly schema_path: string;
  readonly slot: number;
}

/** The value classes of a schema; their counters are in the unit's block, from `slot` on. */
export interface UnitClasses {
  readonly node: SchemaNode;
  readonly classes: SchemaClasses;
  readonly slot: number;
}

/** A schema that is compiled as a whole, described by its counters. */
export interface CountedUnit {
  readonly root: SchemaNode;
  readonly size: number;
  /** The length of the unit's block: its counters, then one place for each reference to another unit. */
  readonly blockLength: number;
  readonly keywords: readonly UnitKeyword[];
  /** Its examples, and the alternatives of its discriminators. */
  readonly tallies: readonly UnitTally[];
  /** The schemas whose value classes are counted; empty if value classes are not measured. */
  readonly classes: readonly UnitClasses[];
}
