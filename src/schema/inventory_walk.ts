import { enterScope, type Scope, scopeKey } from "./scope.ts";
import { getOrAdd } from "../values/collections.ts";
import type { Position, Satisfiability } from "../values/position.ts";
import { canBeSent, listExamples, type SchemaExample } from "./examples.ts";
import { keywordSatisfiability, type SchemaJudge } from "./judge.ts";
import { positionsBelow } from "./part_positions.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import { type UsableKeyword, usableKeywords } from "./usable_keywords.ts";

export interface InventoryKeyword {
  readonly node: SchemaNode;
  readonly keyword: string;
  readonly schema_path: string;
  readonly satisfiability: Satisfiability;
}

/** The contribution of a schema to a parameter: every keyword and example that it reaches, each once. */
export interface Inventory {
  /** In document order, with the targets of references in the places of the references. */
  readonly keywords: readonly InventoryKeyword[];
  readonly examples: readonly SchemaExample[];
  /** The examples that no request can carry in their positions; they are not counted. */
  readonly unsendable: readonly SchemaExample[];
  /** Schemas that are or contain a reference, with its target. */
  readonly references: ReadonlyMap<SchemaNode, SchemaNode>;
}

/** The schemas and examples reached only through cuts, each with the number of its cut. */
export interface CutInventory {
  readonly nodes: ReadonlyMap<SchemaNode, number>;
  readonly examples: ReadonlyMap<string, number>;
}

const NO_CHILDREN: readonly Visit[] = [];

/** A keyword of an inventory. Its pointer is built on demand, because totals don't need it. */
class Entry implements InventoryKeyword {
  readonly node: SchemaNode;
  readonly keyword: string;
  satisfiability: Satisfiability;
  /** True if a value can reach the keyword in one of the positions visited so far. */
  isReached = false;
  #path: string | undefined;

  constructor(node: SchemaNode, keyword: string, satisfiability: Satisfiability) {
    this.node = node;
    this.keyword = keyword;
    this.satisfiability = satisfiability;
  }

  get schema_path(): string {
    return this.#path ??= this.node.schemaPath(this.keyword);
  }
}

interface VisitedSchema {
  readonly positions: unknown[];
  readonly entries: Entry[];
  unsendable: readonly SchemaExample[];
}

interface Visit {
  readonly node: SchemaNode;
  readonly position: Position;
  readonly scope: Scope;
}

interface Frame extends Visit {
  readonly entries: Entry[];
  readonly names: readonly string[];
  readonly used: readonly UsableKeyword[];
  nextName: number;
  nextUsed: number;
  children: readonly Visit[];
  nextChild: number;
}

/** Visits everything that schemas reach, keyword by keyword; without recursion, because nesting has no limit. */
export class InventoryWalk {
  readonly #judge: SchemaJudge;
  readonly #keywords: Entry[] = [];
  readonly #examples: SchemaExample[] = [];
  readonly #references = new Map<SchemaNode, SchemaNode>();
  readonly #visited = new Map<SchemaNode, VisitedSchema>();
  readonly #open: Frame[] = [];
  readonly #cutNumber: ((node: SchemaNode) => number | undefined) | undefined;
  readonly #cuts: { readonly visit: Visit; readonly cut: number }[] = [];

  /** @param cutNumber Returns the number of a schema at which the walk is cut, and undefined for others. */
  constructor(judge: SchemaJudge, cutNumber?: (node: SchemaNode) => number | undefined) {
    this.#judge = judge;
    this.#cutNumber = cutNumber;
  }

  walk(schema: SchemaNode, position: Position): Inventory {
    const dynamic = schema.graph.references.dynamic;
    this.#enter({ node: schema, position, scope: dynamic ? [schema.resource] : [] });
    return this.#visitOpen();
  }

  /** Visits what is behind the cuts, in the order of their numbers, and returns what is only there. */
  walkCuts(): CutInventory {
    const nodes = new Map<SchemaNode, number>();
    const examples = new Map<string, number>();
    this.#stopsAtCuts = false;
    for (const { visit, cut } of this.#cuts.sort((left, right) => left.cut - right.cut)) {
      const count = this.#examples.length;
      this.#currentCut = { number: cut, nodes };
      this.#enter(visit);
      this.#visitOpen();
      for (const { schema_path } of this.#examples.slice(count)) examples.set(schema_path, cut);
    }
    return { nodes, examples };
  }

  #stopsAtCuts = true;
  #currentCut: { readonly number: number; readonly nodes: Map<SchemaNode, number> } | undefined;

  #visitOpen(): Inventory {
    for (let frame = this.#open.at(-1); frame !== undefined; frame = this.#open.at(-1)) {
      const child = frame.children[frame.nextChild];
      if (child !== undefined) {
        frame.nextChild++;
        this.#enter(child);
      } else if (frame.nextName < frame.names.length) this.#visitKeyword(frame);
      else this.#open.pop();
    }
    return {
      keywords: this.#keywords,
      examples: this.#examples,
      unsendable: Array.from(this.#visited.values(), ({ unsendable }) => unsendable).flat(),
      references: this.#references,
    };
  }

  #enter({ node, position, scope }: Visit): void {
    const { plain } = node;
    const cut = this.#stopsAtCuts ? this.#cutNumber?.(plain) : undefined;
    if (cut !== undefined) {
      this.#cuts.push({ visit: { node, position, scope }, cut });
      return;
    }
    let visited = this.#visited.get(plain);
    if (visited === undefined) {
      this.#currentCut?.nodes.set(plain, this.#currentCut.number);
      visited = { positions: [], entries: [], unsendable: listExamples(node) };
      this.#visited.set(plain, visited);
    }
    this.#addExamples(visited, position);
    const key = scope.length === 0 && plain === node ? position : this.#key(node, position, scope);
    if (visited.positions.includes(key)) return;
    visited.positions.push(key);
    this.#open.push({
      node,
      position,
      scope,
      entries: visited.entries,
      names: Object.keys(node.schema),
      used: usableKeywords(node),
      nextName: 0,
      nextUsed: 0,
      children: NO_CHILDREN,
      nextChild: 0,
    });
  }

  #addExamples(visited: VisitedSchema, position: Position): void {
    if (visited.unsendable.length === 0) return;
    const unsendable: SchemaExample[] = [];
    for (const example of visited.unsendable) {
      (canBeSent(example.value, position) ? this.#examples : unsendable).push(example);
    }
    visited.unsendable = unsendable;
  }

  #visitKeyword(frame: Frame): void {
    const { node, position, scope } = frame;
    const name = frame.names[frame.nextName++] as string; // The caller has checked that there is one.
    const next = frame.used[frame.nextUsed];
    const used = next?.definition.name === name ? next : undefined;
    if (used !== undefined) this.#addKeyword(frame, used);
    const isReference = name === "$ref" || name === node.dialect.dynamicReference;
    if (!isReference && used?.definition.subschemas === undefined) return;
    const children: Visit[] = [];
    const addChild = (child: Subschema | undefined, at: Position) => {
      if (typeof child !== "object") return;
      const childScope = scope.length === 0 ? scope : enterScope(scope, child.resource);
      children.push({ node: child, position: at, scope: childScope });
    };
    if (isReference) {
      const target = name === "$ref" ? node.target : node.graph.dynamicTarget(node, scope);
      if (typeof target === "object") this.#references.set(node.plain, target.plain);
      addChild(target, position);
    }
    used?.definition.subschemas?.(used.value, node, (child, relation, part) => {
      for (const below of positionsBelow(position, relation, part)) addChild(child, below);
    });
    frame.children = children;
    frame.nextChild = 0;
  }

  #addKeyword(frame: Frame, used: UsableKeyword): void {
    const { node, position, scope, entries } = frame;
    this.#judge.scope = scope;
    const satisfiability = keywordSatisfiability(used, node, position, this.#judge);
    const isReached = position.json || position.types !== 0;
    let entry = entries[frame.nextUsed++];
    if (entry === undefined) {
      entry = new Entry(node.plain, used.definition.name, satisfiability);
      entries.push(entry);
      this.#keywords.push(entry);
    } else if (!entry.isReached) {
      entry.satisfiability = satisfiability; // Positions without values don't count.
    } else if (isReached && entry.satisfiability !== satisfiability) {
      entry.satisfiability = "Normal";
    }
    if (isReached) entry.isReached = true;
  }

  #positions: Map<Position, number> | undefined;

  #key(node: SchemaNode, position: Position, scope: Scope): string {
    const positions = this.#positions ??= new Map();
    const number = getOrAdd(positions, position, () => positions.size);
    const optional = JSON.stringify([...node.optional]);
    return `${number} ${optional} ${scopeKey(scope)}`;
  }
}
