import type { SchemaNode } from "./schema_node.ts";
import type { SchemaClasses } from "./value_class.ts";

/** A keyword of a unit, and the place of its counters in the unit's block. */
export interface UnitKeyword {
  readonly node: SchemaNode;
  readonly keyword: string;
  /** The index of its `valid` counter; `invalid` follows. */
  readonly slot: number;
}

/** An example, or an alternative that `discriminator` names, and where its counter is in the unit's block. */
export interface UnitTally {
  readonly schema_path: string;
  readonly slot: number;
}

/** The counters of the classes of a schema: in the unit's block, from `slot` on. */
export interface UnitClasses {
  readonly node: SchemaNode;
  readonly classes: SchemaClasses;
  readonly slot: number;
}

/** A schema that is compiled as a whole, as its counters know it. */
export interface CountedUnit {
  readonly root: SchemaNode;
  readonly size: number;
  /** The length of the unit's block: its counters, then a place for each reference that leads out of it. */
  readonly room: number;
  readonly keywords: readonly UnitKeyword[];
  /** Its examples, and the alternatives among which `discriminator` chooses. */
  readonly tallies: readonly UnitTally[];
  /** The schemas whose classes of values are counted; none where nobody asks for them. */
  readonly classes: readonly UnitClasses[];
}
