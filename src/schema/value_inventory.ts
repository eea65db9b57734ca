import { getOrAdd } from "../values/collections.ts";
import { escapeToken, unescapeToken } from "../values/json_pointer.ts";
import { ARRAY } from "../values/json_type.ts";
import type { Position } from "../values/position.ts";
import type { Judge } from "./keywords/keyword.ts";
import { canBeSent } from "./examples.ts";
import { positionsBelow } from "./part_positions.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import { referenced } from "./scope.ts";
import { listSubschemas, usableKeywords } from "./usable_keywords.ts";
import type { SchemaClass } from "./value_class.ts";
import { findClasses } from "./value_classes.ts";

export interface ReachableClasses {
  readonly node: SchemaNode;
  /** RFC 6901 pointer into the value, by the shortest path; `*` for items and undeclared names. */
  readonly instance_path: string;
  readonly classes: readonly SchemaClass[];
}

/** The keywords with schemas that a valid value need not match as a whole. */
export const UNREQUIRED: ReadonlySet<string> = new Set(["not", "if", "contains", "propertyNames"]);

interface Visit {
  readonly node: SchemaNode;
  readonly position: Position;
  readonly path: string;
}

/** A place during the search; a schema may be reached in several positions. */
interface Place {
  readonly node: SchemaNode;
  readonly instance_path: string;
  readonly positions: Position[];
  readonly classes: Set<SchemaClass>;
}

/** Finds the classes of all schemas that values can reach, the nearest first; without schemas that have no classes. */
export function findReachableClasses(
  roots: Iterable<readonly [schema: Subschema | undefined, position: Position, path: string]>,
  judge: Judge,
): ReachableClasses[] {
  const search = new PlaceSearch(judge);
  for (const [node, position, path] of roots) search.enqueue(node, position, path);
  return search.search();
}

class PlaceSearch {
  readonly #judge: Judge;
  readonly #places = new Map<SchemaNode, Place>();
  #next: Visit[] = [];

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  enqueue(node: Subschema | undefined, position: Position, path: string): void {
    if (typeof node === "object") this.#next.push({ node, position, path });
  }

  /** Visits all schemas of one place before those below it, so that the first path to a schema is the shortest. */
  search(): ReachableClasses[] {
    while (this.#next.length > 0) {
      for (const visit of this.#next.splice(0)) this.#visit(visit);
    }
    return [...this.#places.values()].flatMap(({ node, instance_path, classes }) =>
      classes.size === 0 ? [] : [{ node, instance_path, classes: [...classes] }]
    );
  }

  #visit({ node, position, path }: Visit): void {
    const place = getOrAdd(this.#places, node.plain, () => ({
      node: node.plain,
      instance_path: path,
      positions: [],
      classes: new Set<SchemaClass>(),
    }));
    if (place.positions.includes(position)) return;
    place.positions.push(position);
    if (!position.json && position.types === 0) return;
    const classes = this.#judge.canPass(node, position) ? findClasses(node)?.classes ?? [] : [];
    for (const valueClass of classes) {
      if (canOccur(valueClass, node, position, this.#judge)) place.classes.add(valueClass);
    }
    for (const target of referenced(node)) {
      if (typeof target === "object") this.#visit({ node: target, position, path });
    }
    for (const { definition, value } of usableKeywords(node)) {
      if (definition.subschemas === undefined || UNREQUIRED.has(definition.name)) continue;
      definition.subschemas(value, node, (child, relation, part) => {
        if (typeof child !== "object") return;
        const isNamed = typeof part === "string" && relation === "property";
        for (const below of positionsBelow(position, relation, part)) {
          if (relation === "in_place") this.#visit({ node: child, position: below, path });
          else this.enqueue(child, below, `${path}/${isNamed ? escapeToken(part) : "*"}`);
        }
      });
    }
  }
}

function canOccur(
  { name, types, schema, value }: SchemaClass,
  node: SchemaNode,
  position: Position,
  judge: Judge,
): boolean {
  if (name === "alternative") return judge.canPass(schema ?? true, position);
  if (!position.json) {
    if ((types & position.types) === 0) return false;
    if (name === "enum" && value !== undefined && !canBeSent(value, position)) return false;
    if (name === "no_items" && (position.neverEmpty & ARRAY) !== 0) return false;
    if (name === "one_item" && position.neverSingle) return false;
  }
  if (WITH_ITEMS.has(name)) return canHaveItems(node, position, judge);
  if (name !== "present" && name !== "absent") return true;
  return positionsBelow(position, "property", decodedName(schema, position)).some((below) =>
    judge.canPass(schema ?? true, below)
  );
}

const WITH_ITEMS: ReadonlySet<string> = new Set(["one_item", "several_items", "max_items"]);

/** False if the schema of all items can't pass. */
function canHaveItems(node: SchemaNode, position: Position, judge: Judge): boolean {
  return listSubschemas(node).every(({ schema, keyword, relation, part }) =>
    keyword !== "items" || typeof part !== "object" || !("from" in part) || part.from > 0 ||
    positionsBelow(position, relation, part).some((below) => judge.canPass(schema, below))
  );
}

/** Returns the name of a property, by the pointer of its schema; empty in JSON, where the name doesn't matter. */
function decodedName(schema: Subschema | undefined, position: Position): string {
  if (typeof schema !== "object" || position.json) return "";
  return unescapeToken(schema.pointer.slice(schema.pointer.lastIndexOf("/") + 1));
}
