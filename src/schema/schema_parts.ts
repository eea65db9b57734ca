import { JSON_POSITION } from "../values/position.ts";
import { canBeCause } from "./causes/attribute_causes.ts";
import { listExamples } from "./examples.ts";
import { declaredNames } from "./keywords/objects.ts";
import { keywordSatisfiability, type SchemaJudge } from "./judge.ts";
import type { SchemaNode } from "./schema_node.ts";
import { usableKeywords } from "./usable_keywords.ts";
import { appendTo } from "../values/collections.ts";

/** A schema with everything nested in it, except schemas that are referred to, which are parts of their own. */
export interface SchemaPart {
  readonly root: SchemaNode;
  readonly keywords: number;
  readonly causes: number;
  readonly properties: number;
  /** The number of keywords by name, for names that are counted separately; absent if there are none. */
  readonly named?: ReadonlyMap<string, number>;
  readonly examples: number;
}

export interface Apart {
  isPart(node: SchemaNode): boolean;
  isNamed(keyword: string): boolean;
}

interface Part extends SchemaPart {
  next: readonly Part[];
  keywords: number;
  causes: number;
  properties: number;
  named?: Map<string, number>;
  examples: number;
  scanned: boolean;
  stamp: number;
}

/** Totals schemas for JSON bodies, where a keyword has the same effect everywhere, so that each schema counts once. */
export class SchemaParts {
  readonly #judge: SchemaJudge;
  readonly #apart: Apart | undefined;
  readonly #parts = new Map<SchemaNode, Part>();
  readonly #rescan = new Set<Part>();
  #stamp = 0;

  constructor(judge: SchemaJudge, apart?: Apart) {
    this.#judge = judge;
    this.#apart = apart;
  }

  /** Yields the parts that a schema reaches, each once, beginning with its own. */
  *reachedFrom(root: SchemaNode): Generator<SchemaPart, void, undefined> {
    const start = this.#part(root);
    this.#discover(start);
    const stamp = ++this.#stamp;
    start.stamp = stamp;
    const open = [start];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      yield part;
      for (const next of part.next) {
        if (next.stamp === stamp) continue;
        next.stamp = stamp;
        open.push(next);
      }
    }
  }

  /** Groups the parts that a schema reaches by the number of the first cut that leads to them; undefined for no cut. */
  divide(
    root: SchemaNode,
    cutNumber: (node: SchemaNode) => number | undefined,
  ): Map<number | undefined, SchemaPart[]> {
    const start = this.#part(root);
    this.#discover(start);
    const seen = new Set<Part>();
    const cuts: { readonly part: Part; readonly cut: number }[] = [];
    const divided = new Map<number | undefined, SchemaPart[]>();
    const follow = (from: Part, within: number | undefined) => {
      const open = [from];
      for (let part = open.pop(); part !== undefined; part = open.pop()) {
        if (seen.has(part)) continue;
        const cut = within === undefined ? cutNumber(part.root) : undefined;
        if (cut !== undefined) {
          cuts.push({ part, cut });
          continue;
        }
        seen.add(part);
        appendTo(divided, within, part);
        open.push(...part.next);
      }
    };
    follow(start, undefined);
    for (const { part, cut } of cuts.sort((left, right) => left.cut - right.cut)) {
      follow(part, cut);
    }
    return divided;
  }

  #part(node: SchemaNode): Part {
    let part = this.#parts.get(node);
    if (part !== undefined) return part;
    const nothing = { keywords: 0, causes: 0, properties: 0, examples: 0 };
    part = { root: node, next: [], ...nothing, scanned: false, stamp: 0 };
    this.#parts.set(node, part);
    // A schema that was scanned as nested in another one, but is referred to, becomes a part of its own.
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
    part.causes = 0;
    part.properties = 0;
    part.named?.clear();
    part.examples = 0;
    const next = new Set<Part>();
    const inside = new Set<SchemaNode>(); // A keyword may pass a subschema more than once.
    const open = [part.root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (typeof node.target === "object") next.add(this.#part(node.target));
      part.examples += listExamples(node).length;
      if (!node.isReferenceOnly) part.properties += declaredNames(node).length;
      for (const used of usableKeywords(node)) {
        let holdsFalse = false;
        used.definition.subschemas?.(used.value, node, (child) => {
          if (typeof child === "boolean") {
            holdsFalse ||= !child;
            return;
          }
          const own = this.#parts.get(child);
          if (own !== undefined) next.add(own);
          // A schema without a parent was reached by a reference first.
          else if (child.parent === undefined || this.#apart?.isPart(child)) {
            next.add(this.#part(child));
          } else if (!inside.has(child)) {
            inside.add(child);
            open.push(child);
          }
        });
        if (keywordSatisfiability(used, node, JSON_POSITION, this.#judge) !== "Normal") continue;
        part.keywords++;
        if (canBeCause(used, holdsFalse)) part.causes++;
        this.#name(part, used.definition.name);
      }
    }
    part.next = [...next];
  }

  #name(part: Part, keyword: string): void {
    if (this.#apart === undefined || !this.#apart.isNamed(keyword)) return;
    const named = part.named ??= new Map();
    named.set(keyword, (named.get(keyword) ?? 0) + 1);
  }
}
