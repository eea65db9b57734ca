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
  readonly countsByName?: ReadonlyMap<string, number>;
  readonly examples: number;
}

export interface PartRules {
  isPart(node: SchemaNode): boolean;
  isCountedByName(keyword: string): boolean;
}

interface Part extends SchemaPart {
  next: readonly Part[];
  keywords: number;
  causes: number;
  properties: number;
  countsByName?: Map<string, number>;
  examples: number;
  isScanned: boolean;
  stamp: number;
}

/** Totals schemas for JSON bodies, where a keyword has the same effect everywhere, so that each schema counts once. */
export class SchemaParts {
  readonly #judge: SchemaJudge;
  readonly #rules: PartRules | undefined;
  readonly #parts = new Map<SchemaNode, Part>();
  readonly #rescan = new Set<Part>();
  #stamp = 0;

  constructor(judge: SchemaJudge, rules?: PartRules) {
    this.#judge = judge;
    this.#rules = rules;
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
  groupByCut(
    root: SchemaNode,
    cutNumber: (node: SchemaNode) => number | undefined,
  ): Map<number | undefined, SchemaPart[]> {
    const start = this.#part(root);
    this.#discover(start);
    const visited = new Set<Part>();
    const cuts: { readonly part: Part; readonly cut: number }[] = [];
    const groups = new Map<number | undefined, SchemaPart[]>();
    const follow = (from: Part, outerCut: number | undefined) => {
      const open = [from];
      for (let part = open.pop(); part !== undefined; part = open.pop()) {
        if (visited.has(part)) continue;
        const cut = outerCut === undefined ? cutNumber(part.root) : undefined;
        if (cut !== undefined) {
          cuts.push({ part, cut });
          continue;
        }
        visited.add(part);
        appendTo(groups, outerCut, part);
        open.push(...part.next);
      }
    };
    follow(start, undefined);
    for (const { part, cut } of cuts.sort((left, right) => left.cut - right.cut)) {
      follow(part, cut);
    }
    return groups;
  }

  #part(node: SchemaNode): Part {
    let part = this.#parts.get(node);
    if (part !== undefined) return part;
    const zeros = { keywords: 0, causes: 0, properties: 0, examples: 0 };
    part = { root: node, next: [], ...zeros, isScanned: false, stamp: 0 };
    this.#parts.set(node, part);
    // A schema that was scanned as nested in another one, but is referred to, becomes a part of its own.
    for (let outer = node.parent; outer !== undefined; outer = outer.parent) {
      const enclosing = this.#parts.get(outer);
      if (enclosing === undefined) continue;
      if (enclosing.isScanned) {
        enclosing.isScanned = false;
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
        if (!part.isScanned) this.#scan(part);
        for (const next of part.next) {
          if (next.stamp === stamp) continue;
          next.stamp = stamp;
          open.push(next);
        }
      }
      if (this.#rescan.size === 0) return;
      for (const part of this.#rescan) {
        if (!part.isScanned) this.#scan(part);
        if (part.stamp === stamp) open.push(part);
      }
      this.#rescan.clear();
    }
  }

  #scan(part: Part): void {
    part.isScanned = true;
    part.keywords = 0;
    part.causes = 0;
    part.properties = 0;
    part.countsByName?.clear();
    part.examples = 0;
    const next = new Set<Part>();
    const nested = new Set<SchemaNode>(); // A keyword may pass a subschema more than once.
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
          const known = this.#parts.get(child);
          if (known !== undefined) next.add(known);
          // A schema without a parent was reached by a reference first.
          else if (child.parent === undefined || this.#rules?.isPart(child)) {
            next.add(this.#part(child));
          } else if (!nested.has(child)) {
            nested.add(child);
            open.push(child);
          }
        });
        if (keywordSatisfiability(used, node, JSON_POSITION, this.#judge) !== "Normal") continue;
        part.keywords++;
        if (canBeCause(used, holdsFalse)) part.causes++;
        this.#countByName(part, used.definition.name);
      }
    }
    part.next = [...next];
  }

  #countByName(part: Part, keyword: string): void {
    if (this.#rules === undefined || !this.#rules.isCountedByName(keyword)) return;
    const counts = part.countsByName ??= new Map();
    counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
  }
}
