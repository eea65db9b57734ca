import { examplesOf } from "./examples.ts";
import type { SchemaExample } from "./examples.ts";
import { enterScope, satisfiabilityOf, SchemaJudge } from "./judge.ts";
import type { Satisfiability } from "./keywords/keyword.ts";
import { JSON_PLACE, positionBelow } from "./position.ts";
import type { SchemaPosition } from "./position.ts";
import type { Resource } from "./reference.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import type { UsedKeyword } from "./usable_keywords.ts";
import { usableKeywords } from "./usable_keywords.ts";

/** A keyword that a parameter reaches. */
export interface InventoryKeyword {
  /** The schema that holds it. */
  readonly node: SchemaNode;
  /** Its name. */
  readonly keyword: string;
  /** Its pointer as users see it. */
  readonly schema_path: string;
  /** Whether it can pass and fail. */
  readonly satisfiability: Satisfiability;
}

/** What a schema brings to a parameter: every keyword and example that it reaches, each once. */
export interface Inventory {
  /** In the order of the document, references followed where they stand. */
  readonly keywords: readonly InventoryKeyword[];
  /** Likewise. */
  readonly examples: readonly SchemaExample[];
  /** Schemas that are references, or hold one, with what it leads to. */
  readonly references: ReadonlyMap<SchemaNode, SchemaNode>;
}

/** How many keywords and examples count. */
export interface InventoryTotals {
  /** Keywords that are Normal. */
  readonly keywords: number;
  /** Examples. */
  readonly examples: number;
}

const EMPTY: Inventory = { keywords: [], examples: [], references: new Map() };

/** Takes stock of schemas: what each reaches, listed or only counted. */
export class SchemaInventory {
  readonly #judge = new SchemaJudge();
  readonly #lists = new Map<SchemaNode, Map<SchemaPosition, Inventory>>();

  /** Everything that a schema reaches from a position. */
  list(schema: Subschema | undefined, position: SchemaPosition): Inventory {
    if (typeof schema !== "object") return EMPTY;
    let lists = this.#lists.get(schema);
    if (lists === undefined) this.#lists.set(schema, lists = new Map());
    let list = lists.get(position);
    if (list === undefined) {
      list = new Walk(this.#judge).from(schema, position);
      lists.set(position, list);
    }
    return list;
  }

  /** Everything that several schemas reach together, each keyword and example once. */
  union(roots: Iterable<readonly [Subschema | undefined, SchemaPosition]>): Inventory {
    const walk = new Walk(this.#judge);
    let union = EMPTY;
    for (const [schema, position] of roots) {
      if (typeof schema === "object") union = walk.from(schema, position);
    }
    return union;
  }

  /** How much of it counts. */
  totals(schema: Subschema | undefined, position: SchemaPosition): InventoryTotals {
    if (typeof schema !== "object") return { keywords: 0, examples: 0 };
    const own = keywordsOfLeaf(schema);
    if (own !== undefined) {
      let keywords = 0;
      for (const used of own) {
        if (satisfiabilityOf(used, schema, position, this.#judge) === "Normal") keywords++;
      }
      return { keywords, examples: examplesOf(schema).length };
    }
    if (position.json && !schema.graph.references.dynamic) return this.#countJson(schema);
    return countOf(this.list(schema, position));
  }

  // In JSON a schema's keywords mean the same wherever it is reached, so each schema that references lead to is
  // summed up once, and a total is the sum over what a root reaches.
  readonly #parts = new Map<SchemaNode, Part>();
  #stamp = 0;

  #countJson(root: SchemaNode): InventoryTotals {
    const start = this.#part(root);
    if (start.totals !== undefined) return start.totals;
    this.#discover(start);
    let keywords = 0;
    let examples = 0;
    let isWaiving = false;
    const stamp = ++this.#stamp;
    const open = [start];
    start.stamp = stamp;
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      keywords += part.keywords;
      examples += part.examples;
      isWaiving ||= part.root.plain !== part.root;
      for (const next of part.next) {
        if (next.stamp === stamp) continue;
        next.stamp = stamp;
        open.push(next);
      }
    }
    // One schema that several refer to in different ways is one set of keywords.
    return start.totals = isWaiving ? countOf(this.list(root, JSON_PLACE)) : { keywords, examples };
  }

  #part(node: SchemaNode): Part {
    let part = this.#parts.get(node);
    if (part !== undefined) return part;
    part = { root: node, next: [], keywords: 0, examples: 0, scanned: false, stamp: 0 };
    this.#parts.set(node, part);
    // A schema that was taken as written inside another one, and now has a reference of its own, is cut out of it.
    for (let outer = node.parent; outer !== undefined; outer = outer.parent) {
      const enclosing = this.#parts.get(outer);
      if (enclosing === undefined) continue;
      if (enclosing.scanned) {
        enclosing.scanned = false;
        this.#rescan.add(enclosing);
      }
      break;
    }
    return part;
  }

  readonly #rescan = new Set<Part>();

  #discover(start: Part): void {
    const stamp = ++this.#stamp;
    const open = [start];
    start.stamp = stamp;
    for (;;) {
      for (let part = open.pop(); part !== undefined; part = open.pop()) {
        if (!part.scanned) this.#scan(part);
        for (const next of part.next) {
          if (next.stamp === stamp) continue;
          next.stamp = stamp;
          open.push(next);
        }
      }
      if (this.#rescan.size === 0) return;
      for (const part of this.#rescan) {
        if (!part.scanned) this.#scan(part);
        if (part.stamp === stamp) open.push(part);
      }
      this.#rescan.clear();
    }
  }

  #scan(part: Part): void {
    part.scanned = true;
    part.keywords = 0;
    part.examples = 0;
    const next = new Set<Part>();
    const inside = new Set<SchemaNode>(); // a keyword may name a subschema more than once
    const open = [part.root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (typeof node.target === "object") next.add(this.#part(node.target));
      part.examples += examplesOf(node).length;
      for (const used of usableKeywords(node)) {
        if (satisfiabilityOf(used, node, JSON_PLACE, this.#judge) === "Normal") part.keywords++;
        used.definition.subschemas?.(used.value, node, (child) => {
          if (typeof child === "boolean") return;
          const own = this.#parts.get(child);
          if (own !== undefined) next.add(own);
          // A schema without a parent was reached by a reference first.
          else if (child.parent === undefined) next.add(this.#part(child));
          else if (!inside.has(child)) {
            inside.add(child);
            open.push(child);
          }
        });
      }
    }
    part.next = [...next];
  }
}

function countOf(list: Inventory): InventoryTotals {
  let keywords = 0;
  for (const keyword of list.keywords) if (keyword.satisfiability === "Normal") keywords++;
  return { keywords, examples: list.examples.length };
}

/** A schema with all that is written inside it, up to schemas that have references of their own. */
interface Part {
  readonly root: SchemaNode;
  next: readonly Part[];
  keywords: number;
  examples: number;
  scanned: boolean;
  stamp: number;
  totals?: InventoryTotals;
}

/**
 * The keywords of a schema that leads to no other; undefined for one that does. Most parameters have such a schema, and
 * need no walk.
 */
function keywordsOfLeaf(node: SchemaNode): readonly UsedKeyword[] | undefined {
  const { schema, dialect } = node;
  if (schema["$ref"] !== undefined) return undefined;
  if (dialect.dynamicReference !== undefined && dialect.dynamicReference in schema) {
    return undefined;
  }
  const used = usableKeywords(node);
  return used.some(({ definition }) => definition.subschemas !== undefined) ? undefined : used;
}

const NO_CHILDREN: readonly Visit[] = [];

/** A keyword on the list; its pointer is written when someone reads it, which totals never do. */
class Entry implements InventoryKeyword {
  readonly node: SchemaNode;
  readonly keyword: string;
  satisfiability: Satisfiability;

  constructor(node: SchemaNode, keyword: string, satisfiability: Satisfiability) {
    this.node = node;
    this.keyword = keyword;
    this.satisfiability = satisfiability;
  }

  get schema_path(): string {
    return this.node.pathOf(this.keyword);
  }
}

/** What a walk knows of a schema: the positions it was visited in, its keywords in their order. */
interface Visited {
  readonly positions: unknown[];
  readonly entries: Entry[];
}

/** A schema that is to be visited. */
interface Visit {
  readonly node: SchemaNode;
  readonly position: SchemaPosition;
  readonly scope: readonly Resource[];
}

/** A schema under visit: how far its keywords are done, and what the present one leads to. */
interface Frame extends Visit {
  readonly entries: Entry[];
  readonly names: readonly string[];
  readonly used: readonly UsedKeyword[];
  nextName: number;
  nextUsed: number;
  children: readonly Visit[];
  nextChild: number;
}

/** Goes through all that schemas reach, keyword by keyword; without recursion, since descriptions nest without bound. */
class Walk {
  readonly #judge: SchemaJudge;
  readonly #keywords: Entry[] = [];
  readonly #examples: SchemaExample[] = [];
  readonly #references = new Map<SchemaNode, SchemaNode>();
  readonly #visited = new Map<SchemaNode, Visited>();
  readonly #open: Frame[] = [];

  constructor(judge: SchemaJudge) {
    this.#judge = judge;
  }

  from(schema: SchemaNode, position: SchemaPosition): Inventory {
    const dynamic = schema.graph.references.dynamic;
    this.#enter({ node: schema, position, scope: dynamic ? [schema.resource] : [] });
    for (let frame = this.#open.at(-1); frame !== undefined; frame = this.#open.at(-1)) {
      const child = frame.children[frame.nextChild];
      if (child !== undefined) {
        frame.nextChild++;
        this.#enter(child);
      } else if (frame.nextName < frame.names.length) this.#step(frame);
      else this.#open.pop();
    }
    return {
      keywords: this.#keywords,
      examples: this.#examples,
      references: this.#references,
    };
  }

  #enter({ node, position, scope }: Visit): void {
    const { plain } = node;
    let visited = this.#visited.get(plain);
    if (visited === undefined) {
      this.#visited.set(plain, visited = { positions: [], entries: [] });
      this.#examples.push(...examplesOf(node));
    }
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

  /** Takes the next keyword of a schema, and notes what it leads to. */
  #step(frame: Frame): void {
    const { node, position, scope } = frame;
    const name = frame.names[frame.nextName++] as string; // the caller has seen that there is one
    const next = frame.used[frame.nextUsed];
    const used = next?.definition.name === name ? next : undefined;
    if (used !== undefined) this.#add(frame, used);
    const isReference = name === "$ref" || name === node.dialect.dynamicReference;
    if (!isReference && used?.definition.subschemas === undefined) return;
    const children: Visit[] = [];
    const lead = (child: Subschema | undefined, at: SchemaPosition) => {
      if (typeof child !== "object") return;
      const entered = scope.length === 0 ? scope : enterScope(scope, child.resource);
      children.push({ node: child, position: at, scope: entered });
    };
    if (isReference) {
      const target = name === "$ref" ? node.target : node.graph.dynamicTarget(node, scope);
      if (typeof target === "object") this.#references.set(node.plain, target.plain);
      lead(target, position);
    }
    used?.definition.subschemas?.(used.value, node, (child, relation, below) => {
      lead(child, positionBelow(position, relation, below));
    });
    frame.children = children;
    frame.nextChild = 0;
  }

  #add(frame: Frame, used: UsedKeyword): void {
    const { node, position, scope, entries } = frame;
    this.#judge.scope = scope;
    const satisfiability = satisfiabilityOf(used, node, position, this.#judge);
    const entry = entries[frame.nextUsed++];
    if (entry === undefined) {
      const added = new Entry(node.plain, used.definition.name, satisfiability);
      entries.push(added);
      this.#keywords.push(added);
    } else if (entry.satisfiability !== satisfiability) entry.satisfiability = "Normal";
  }

  #positions: Map<SchemaPosition, number> | undefined;

  #key(node: SchemaNode, position: SchemaPosition, scope: readonly Resource[]): string {
    const positions = this.#positions ??= new Map();
    let number = positions.get(position);
    if (number === undefined) positions.set(position, number = positions.size);
    const waived = JSON.stringify([...node.waived]);
    return `${number} ${waived} ${scope.map((resource) => resource.uri).join(" ")}`;
  }
}
