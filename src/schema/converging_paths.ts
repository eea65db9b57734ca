import { appendTo, getOrAdd } from "../values/collections.ts";
import { positionalCount } from "./keywords/arrays.ts";
import type { Relation } from "../values/keyword_table.ts";
import type { PartSelector, PropertyRange } from "./part_positions.ts";
import { isObject, type SchemaNode, type Subschema } from "./schema_node.ts";
import { referenced } from "./scope.ts";
import { decideComponents } from "./strong_components.ts";
import { inPlaceSchemas, usableKeywords } from "./usable_keywords.ts";

/** True if a schema leads back to itself without descending into the instance: `A: { allOf: [{ $ref: A }] }`. */
export function hasInPlaceCycle(start: SchemaNode): boolean {
  decideComponents(start, {
    next: (node) => inPlaceSchemas(node, referenced(node)),
    isDecided: (node) => node.isInPlaceCycle !== undefined,
    decide(members, isCycle) {
      for (const { vertex } of members) vertex.isInPlaceCycle = isCycle;
    },
  });
  return start.isInPlaceCycle === true;
}

/** The number of steps after which a search assumes that paths converge. */
const MAX_STEPS = 10_000;

/** True if one schema can reach the same place of a value by several paths, or if finding out would take too long. */
export function pathsConverge(start: SchemaNode): boolean {
  return start.pathsConverge ??= !hasDisjointParts(start) && new ConvergenceSearch(start).run();
}

/** True for most schemas, by their keywords alone: none applies schemas in place, or two schemas to one part. */
function hasDisjointParts(node: SchemaNode): boolean {
  return node.target === undefined && !node.graph.references.dynamic &&
    usableKeywords(node).every(({ definition }) =>
      definition.subschemas === undefined || definition.hasDisjointParts === true
    );
}

interface PartSchemas {
  readonly properties: Map<string, SchemaNode[]>;
  readonly others: SchemaNode[];
  /** The schemas by index; those of the last index also apply to all later items. */
  readonly items: Map<number, SchemaNode[]>;
  lastItem: number;
  readonly names: SchemaNode[];
}

interface Step {
  readonly node: SchemaNode;
  readonly applier: Step | undefined;
}

/** Marks all schemas that two converging paths have in common. Returns true. */
function markConverging(first: Step, second: Step): true {
  const path = new Set<Step>();
  for (let at: Step | undefined = first; at !== undefined; at = at.applier) path.add(at);
  for (let at: Step | undefined = second; at !== undefined; at = at.applier) {
    if (path.has(at)) at.node.pathsConverge = true;
  }
  return true;
}

class ConvergenceSearch {
  readonly #start: SchemaNode;
  #steps: number;
  readonly #numbers = new Map<SchemaNode, number>();
  readonly #visited = new Set<string>();
  readonly #openGroups: (readonly SchemaNode[])[] = [];
  readonly #reached = new Set<SchemaNode>();

  constructor(start: SchemaNode) {
    this.#start = start;
    this.#steps = Math.min(MAX_STEPS, start.graph.convergenceBudget);
    start.graph.convergenceBudget -= this.#steps;
  }

  run(): boolean {
    const found = this.#search();
    this.#start.graph.convergenceBudget += Math.max(0, this.#steps);
    // If no paths converge from here, none do from a part of it: a chain of references is searched only once.
    if (!found) { for (const node of this.#reached) node.pathsConverge = false; }
    return found;
  }

  #search(): boolean {
    this.#openGroups.push([this.#start]);
    for (let group = this.#openGroups.pop(); group !== undefined; group = this.#openGroups.pop()) {
      if (this.#convergesIn(group)) return true;
    }
    return false;
  }

  /** True if paths converge among schemas at one place; otherwise, adds the places below it to the open ones. */
  #convergesIn(group: readonly SchemaNode[]): boolean {
    const visited = new Map<SchemaNode, Step>();
    const below: PartSchemas[] = [];
    const open: SchemaNode[] = [...group];
    /** For each schema of `open`, the one that applies it; undefined for those of `group`. */
    const appliers: (Step | undefined)[] = group.map(() => undefined);
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const reached: Step = { node, applier: appliers.pop() };
      const other = visited.get(node.plain);
      if (other !== undefined) return markConverging(other, reached);
      if (--this.#steps < 0) return true;
      if (node.pathsConverge === true) return markConverging(reached, reached);
      visited.set(node.plain, reached);
      this.#reached.add(node);
      const { dynamicReference } = node.dialect;
      if (dynamicReference !== undefined && node.schema[dynamicReference] !== undefined) {
        return markConverging(reached, reached);
      }
      const target = node.target;
      if (typeof target === "object") open.push(target);
      const found = this.#partSchemas(node, open);
      while (appliers.length < open.length) appliers.push(reached);
      if (found !== undefined) below.push(found);
    }
    this.#addBelow(below);
    return this.#steps < 0;
  }

  /** Returns the subschemas that apply to parts; adds those that apply in place to `open`. */
  #partSchemas(node: SchemaNode, open: SchemaNode[]): PartSchemas | undefined {
    let parts: PartSchemas | undefined;
    const visit = (child: Subschema, relation: Relation, part: PartSelector): void => {
      if (typeof child !== "object") return;
      this.#steps--;
      if (relation === "in_place") open.push(child);
      else {
        parts ??= { properties: new Map(), others: [], items: new Map(), lastItem: -1, names: [] };
        addPart(parts, child, relation, part, node);
      }
    };
    for (const { definition, value } of usableKeywords(node)) {
      definition.subschemas?.(value, node, visit);
    }
    return parts;
  }

  #addBelow(below: readonly PartSchemas[]): void {
    const [only] = below;
    if (only === undefined) return;
    if (below.length === 1 && hasSingleSchemas(only)) return;
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

  #add(group: readonly SchemaNode[]): void {
    if (group.length < 2 || !this.#spend(group.length)) return;
    const key = group.map((node) => getOrAdd(this.#numbers, node, () => this.#numbers.size))
      .sort((one, other) => one - other).join();
    if (this.#visited.has(key)) return;
    this.#visited.add(key);
    this.#openGroups.push(group);
  }
}

function addPart(
  parts: PartSchemas,
  child: SchemaNode,
  relation: Relation,
  part: PartSelector,
  node: SchemaNode,
): void {
  if (relation === "name") parts.names.push(child);
  else if (typeof part === "string") appendTo(parts.properties, part, child);
  else if (typeof part === "number") addItem(parts, child, part);
  else if ("from" in part) {
    const last = Math.max(part.from, positionalCount(node));
    for (let index = part.from; index <= last; index++) addItem(parts, child, index);
  } else {
    parts.others.push(child);
    for (const name of declaredInRange(part, node)) appendTo(parts.properties, name, child);
  }
}

function addItem(parts: PartSchemas, child: SchemaNode, index: number): void {
  parts.lastItem = Math.max(parts.lastItem, index);
  appendTo(parts.items, index, child);
}

/** Returns the declared properties that another keyword of the schema also applies to, by a pattern of names. */
function declaredInRange(range: PropertyRange, node: SchemaNode): string[] {
  const declared = node.schema["properties"];
  if (range.pattern === undefined || !isObject(declared)) return [];
  return Object.keys(declared).filter((name) => range.has(name));
}

/** True if no two subschemas apply to the same part, as in nearly all schemas. */
function hasSingleSchemas({ properties, others, items, names }: PartSchemas): boolean {
  if (others.length > 1 || names.length > 1) return false;
  for (const list of properties.values()) if (list.length > 1) return false;
  for (const list of items.values()) if (list.length > 1) return false;
  return true;
}
