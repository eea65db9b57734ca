import { appendTo } from "../values/collections.ts";
import { positionalCount } from "./keywords/arrays.ts";
import type { Relation } from "../values/keyword_table.ts";
import type { PropertyRange, Where } from "./position.ts";
import { isObject, type SchemaNode, type Subschema } from "./schema_node.ts";
import { usableKeywords } from "./usable_keywords.ts";

/** The number of steps after which a search assumes that paths converge. */
const MAX_STEPS = 10_000;

/** True if one schema can reach the same place of a value by several paths, or if finding out would take too long. */
export function pathsConverge(start: SchemaNode): boolean {
  return start.pathsConverge ??= !keepsApart(start) && new Search(start).meets();
}

/** True for most schemas, by their keywords alone: none applies schemas in place, or two schemas to one part. */
function keepsApart(node: SchemaNode): boolean {
  return node.target === undefined && !node.graph.references.dynamic &&
    usableKeywords(node).every(({ definition }) =>
      definition.subschemas === undefined || definition.staysApart === true
    );
}

/** The subschemas of one schema that apply to parts of the instance, by part. */
interface Below {
  readonly properties: Map<string, SchemaNode[]>;
  /** The schemas for undeclared properties. */
  readonly others: SchemaNode[];
  /** The schemas by index; those of the last index also apply to all later items. */
  readonly items: Map<number, SchemaNode[]>;
  lastItem: number;
  readonly names: SchemaNode[];
}

interface Reached {
  readonly node: SchemaNode;
  readonly from: Reached | undefined;
}

/** Marks all schemas that two converging paths have in common. Returns true. */
function meetAbove(one: Reached, other: Reached): true {
  const above = new Set<Reached>();
  for (let at: Reached | undefined = one; at !== undefined; at = at.from) above.add(at);
  for (let at: Reached | undefined = other; at !== undefined; at = at.from) {
    if (above.has(at)) at.node.pathsConverge = true;
  }
  return true;
}

class Search {
  readonly #start: SchemaNode;
  #steps: number;
  readonly #numbers = new Map<SchemaNode, number>();
  readonly #visited = new Set<string>();
  readonly #open: (readonly SchemaNode[])[] = [];
  readonly #reached = new Set<SchemaNode>();

  constructor(start: SchemaNode) {
    this.#start = start;
    this.#steps = Math.min(MAX_STEPS, start.graph.stepsForWays);
    start.graph.stepsForWays -= this.#steps;
  }

  meets(): boolean {
    const found = this.#search();
    this.#start.graph.stepsForWays += Math.max(0, this.#steps);
    // If no paths converge from here, none do from a part of it: a chain of references is searched only once.
    if (!found) { for (const node of this.#reached) node.pathsConverge = false; }
    return found;
  }

  #search(): boolean {
    this.#open.push([this.#start]);
    for (let together = this.#open.pop(); together !== undefined; together = this.#open.pop()) {
      if (this.#meetAt(together)) return true;
    }
    return false;
  }

  /** True if paths converge among schemas at one place; otherwise, adds the places below it to the open ones. */
  #meetAt(together: readonly SchemaNode[]): boolean {
    const visited = new Map<SchemaNode, Reached>();
    const below: Below[] = [];
    const open: SchemaNode[] = [...together];
    /** For each schema of `open`, the one that applies it; undefined for those of `together`. */
    const appliers: (Reached | undefined)[] = together.map(() => undefined);
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const reached: Reached = { node, from: appliers.pop() };
      const other = visited.get(node.plain);
      if (other !== undefined) return meetAbove(other, reached);
      if (--this.#steps < 0) return true;
      if (node.pathsConverge === true) return meetAbove(reached, reached);
      visited.set(node.plain, reached);
      this.#reached.add(node);
      const { dynamicReference } = node.dialect;
      if (dynamicReference !== undefined && node.schema[dynamicReference] !== undefined) {
        return meetAbove(reached, reached);
      }
      const target = node.target;
      if (typeof target === "object") open.push(target);
      const found = this.#schemasBelow(node, open);
      while (appliers.length < open.length) appliers.push(reached);
      if (found !== undefined) below.push(found);
    }
    this.#addBelow(below);
    return this.#steps < 0;
  }

  /** Returns the subschemas that apply to parts; adds those that apply in place to `open`. */
  #schemasBelow(node: SchemaNode, open: SchemaNode[]): Below | undefined {
    let below: Below | undefined;
    const visit = (child: Subschema, relation: Relation, where: Where): void => {
      if (typeof child !== "object") return;
      this.#steps--;
      if (relation === "in_place") open.push(child);
      else {
        below ??= { properties: new Map(), others: [], items: new Map(), lastItem: -1, names: [] };
        addTo(below, child, relation, where, node);
      }
    };
    for (const { definition, value } of usableKeywords(node)) {
      definition.subschemas?.(value, node, visit);
    }
    return below;
  }

  /** Adds each set of several schemas that apply to the same part. */
  #addBelow(below: readonly Below[]): void {
    const [only] = below;
    if (only === undefined) return;
    if (below.length === 1 && isSingle(only)) return;
    const names = new Set<string>();
    let lastItem = -1;
    for (const { properties, lastItem: last } of below) {
      for (const name of properties.keys()) names.add(name);
      lastItem = Math.max(lastItem, last);
    }
    for (const name of names) {
      if (!this.#spend(below.length)) return;
      this.#add(below.flatMap(({ properties, others }) => properties.get(name) ?? others));
    }
    this.#add(below.flatMap(({ others }) => others));
    this.#add(below.flatMap(({ names }) => names));
    for (let index = 0; index <= lastItem; index++) {
      if (!this.#spend(below.length)) return;
      this.#add(below.flatMap(({ items, lastItem }) => items.get(Math.min(index, lastItem)) ?? []));
    }
  }

  #spend(steps: number): boolean {
    this.#steps -= steps;
    return this.#steps >= 0;
  }

  #add(together: readonly SchemaNode[]): void {
    if (together.length < 2 || !this.#spend(together.length)) return;
    const key = together.map((node) => this.#nodeNumber(node)).sort((one, other) => one - other)
      .join();
    if (this.#visited.has(key)) return;
    this.#visited.add(key);
    this.#open.push(together);
  }

  #nodeNumber(node: SchemaNode): number {
    const number = this.#numbers.get(node) ?? this.#numbers.size;
    this.#numbers.set(node, number);
    return number;
  }
}

function addTo(
  below: Below,
  child: SchemaNode,
  relation: Relation,
  where: Where,
  node: SchemaNode,
): void {
  if (relation === "name") below.names.push(child);
  else if (typeof where === "string") appendTo(below.properties, where, child);
  else if (typeof where === "number") addItem(below, child, where);
  else if ("from" in where) {
    const last = Math.max(where.from, positionalCount(node));
    for (let index = where.from; index <= last; index++) addItem(below, child, index);
  } else {
    below.others.push(child);
    for (const name of declaredIn(where, node)) appendTo(below.properties, name, child);
  }
}

function addItem(below: Below, child: SchemaNode, index: number): void {
  below.lastItem = Math.max(below.lastItem, index);
  appendTo(below.items, index, child);
}

/** Returns the declared properties that another keyword of the schema also applies to, by a pattern of names. */
function declaredIn(range: PropertyRange, node: SchemaNode): string[] {
  const declared = node.schema["properties"];
  if (range.pattern === undefined || !isObject(declared)) return [];
  return Object.keys(declared).filter((name) => range.has(name));
}

/** True if no two subschemas apply to the same part, as in nearly all schemas. */
function isSingle({ properties, others, items, names }: Below): boolean {
  if (others.length > 1 || names.length > 1) return false;
  for (const list of properties.values()) if (list.length > 1) return false;
  for (const list of items.values()) if (list.length > 1) return false;
  return true;
}
