import { usableKeywords } from "./usable_keywords.ts";
import type { SchemaNode } from "./schema_node.ts";

/** True if a schema comes back to itself without descending into the instance: `A: { allOf: [{ $ref: A }] }`. */
export function hasInPlaceCycle(start: SchemaNode): boolean {
  if (start.comesBackInPlace === undefined) decideAll(start);
  return start.comesBackInPlace === true;
}

/** A schema whose parts are being visited. */
interface Visit {
  readonly node: SchemaNode;
  /** When it was first seen. */
  readonly order: number;
  /** The parts that are still to be visited. */
  readonly parts: SchemaNode[];
  /** The earliest schema, by order, that it leads back to as far as is known. */
  earliest: number;
  /** True if it is a part of itself. */
  holdsItself: boolean;
}

/**
 * Decides for a schema and all that it leads to, each of them once, so that a chain of references takes steps in
 * proportion to its length: schemas come back to themselves where they form a cycle, which is what Tarjan's algorithm
 * finds. It has a stack of its own, since descriptions may nest deeper than calls can.
 */
function decideAll(start: SchemaNode): void {
  const orders = new Map<SchemaNode, number>();
  /** Schemas that may yet turn out to be in a cycle with one that is visited now. */
  const candidates: SchemaNode[] = [];
  const path: Visit[] = [];
  const enter = (node: SchemaNode): void => {
    const order = orders.size;
    orders.set(node, order);
    candidates.push(node);
    path.push({ node, order, parts: inPlaceParts(node), earliest: order, holdsItself: false });
  };
  enter(start);
  for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
    const part = visit.parts.pop();
    if (part === undefined) {
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) parent.earliest = Math.min(parent.earliest, visit.earliest);
      if (visit.earliest === visit.order) decide(visit, candidates);
      continue;
    }
    if (part === visit.node) visit.holdsItself = true;
    // What is decided leads back to nothing that is being visited.
    if (part.comesBackInPlace !== undefined) continue;
    const order = orders.get(part);
    if (order === undefined) enter(part);
    else visit.earliest = Math.min(visit.earliest, order);
  }
}

/** Decides for all schemas of a cycle, of which `first` was seen first, or for a schema that is in none. */
function decide(first: Visit, candidates: SchemaNode[]): void {
  const comesBack = candidates.at(-1) !== first.node || first.holdsItself;
  for (let node = candidates.pop(); node !== undefined; node = candidates.pop()) {
    node.comesBackInPlace = comesBack;
    if (node === first.node) return;
  }
}

function inPlaceParts(node: SchemaNode): SchemaNode[] {
  const parts: SchemaNode[] = [];
  const target = node.target;
  if (typeof target === "object") parts.push(target);
  const dynamic = node.dialect.dynamicReference;
  if (dynamic !== undefined && typeof node.schema[dynamic] === "string") {
    const found = node.graph.dynamicTarget(node, []);
    if (typeof found === "object") parts.push(found);
  }
  for (const { definition, value } of usableKeywords(node)) {
    definition.subschemas?.(value, node, (child, relation) => {
      if (relation === "in_place" && typeof child === "object") parts.push(child);
    });
  }
  return parts;
}
