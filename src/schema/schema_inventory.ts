import { getOrAdd } from "../values/collections.ts";
import { JSON_POSITION, type Position } from "../values/position.ts";
import { keywordCanBeCause } from "./causes/attribute_causes.ts";
import { type Inventory, InventoryWalk } from "./inventory_walk.ts";
import { declaredNames } from "./keywords/objects.ts";
import { SchemaJudge } from "./judge.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import { SchemaParts } from "./schema_parts.ts";

export interface InventoryTotals {
  readonly keywords: number;
  readonly causes: number;
  readonly examples: number;
  readonly properties: number;
}

export const NO_TOTALS: InventoryTotals = { keywords: 0, causes: 0, examples: 0, properties: 0 };

export const EMPTY_INVENTORY: Inventory = {
  keywords: [],
  examples: [],
  unsendable: [],
  references: new Map(),
};

export class SchemaInventory {
  readonly judge: SchemaJudge = new SchemaJudge();
  readonly #lists = new Map<SchemaNode, Map<Position, Inventory>>();

  list(schema: Subschema | undefined, positions: readonly Position[]): Inventory {
    const [position] = positions;
    if (typeof schema !== "object" || position === undefined) return EMPTY_INVENTORY;
    return positions.length === 1
      ? this.#list(schema, position)
      : this.union(positions.map((one) => [schema, one]));
  }

  #list(schema: SchemaNode, position: Position): Inventory {
    const lists = getOrAdd(this.#lists, schema, () => new Map());
    return getOrAdd(lists, position, () => this.#buildList(schema, position));
  }

  #buildList(schema: SchemaNode, position: Position): Inventory {
    const target = targetInJson(schema, position);
    return target === undefined
      ? new InventoryWalk(this.judge).walk(schema, position)
      : referenceInventory(schema, target, this.#list(target, position));
  }

  /** Lists everything that several schemas reach, each once, except cuts and what is only reached through cuts. */
  union(
    roots: Iterable<readonly [Subschema | undefined, Position]>,
    cutNumber?: (node: SchemaNode) => number | undefined,
  ): Inventory {
    const walk = new InventoryWalk(this.judge, cutNumber);
    let union = EMPTY_INVENTORY;
    for (const [schema, position] of roots) {
      if (typeof schema === "object") union = walk.walk(schema, position);
    }
    return union;
  }

  totals(schema: Subschema | undefined, positions: readonly Position[]): InventoryTotals {
    const [position] = positions;
    if (typeof schema !== "object" || position === undefined) return NO_TOTALS;
    if (positions.length > 1) return countInventory(this.list(schema, positions));
    const known = this.#lists.get(schema)?.get(position);
    if (known !== undefined) return countInventory(known);
    if (position.json && !schema.graph.references.dynamic) return this.#countJson(schema);
    return countInventory(this.#list(schema, position));
  }

  readonly #parts = new SchemaParts(this.judge);
  readonly #totals = new Map<SchemaNode, InventoryTotals>();

  #countJson(root: SchemaNode): InventoryTotals {
    const known = this.#totals.get(root);
    if (known !== undefined) return known;
    const sums = { keywords: 0, causes: 0, examples: 0, properties: 0 };
    let hasOptionalNames = false;
    for (const part of this.#parts.reachedFrom(root)) {
      sums.keywords += part.keywords;
      sums.causes += part.causes;
      sums.examples += part.examples;
      sums.properties += part.properties;
      hasOptionalNames ||= part.root.plain !== part.root;
    }
    // A schema that others refer to in different ways has only one set of keywords.
    const totals = hasOptionalNames ? countInventory(this.#list(root, JSON_POSITION)) : sums;
    this.#totals.set(root, totals);
    return totals;
  }
}

export function countInventory(list: Inventory): InventoryTotals {
  let keywords = 0;
  let causes = 0;
  let properties = 0;
  for (const { node, keyword, satisfiability } of list.keywords) {
    if (keyword === "properties") properties += declaredNames(node).length;
    if (satisfiability !== "Normal") continue;
    keywords++;
    if (keywordCanBeCause(node, keyword)) causes++;
  }
  return { keywords, causes, examples: list.examples.length, properties };
}

/** Returns the target of a schema that is only a reference, if all references to the target in JSON reach the same. */
function targetInJson(node: SchemaNode, position: Position): SchemaNode | undefined {
  if (!position.json || node.graph.references.dynamic) return undefined;
  for (const keyword in node.schema) if (keyword !== "$ref") return undefined;
  const target = node.target;
  return typeof target !== "object" || target.schema["$ref"] !== undefined ? undefined : target;
}

function referenceInventory(node: SchemaNode, target: SchemaNode, list: Inventory): Inventory {
  return {
    keywords: list.keywords,
    examples: list.examples,
    unsendable: list.unsendable,
    get references(): Inventory["references"] {
      return new Map([[node.plain, target.plain], ...list.references]);
    },
  };
}
