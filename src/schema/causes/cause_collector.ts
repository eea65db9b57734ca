import { joinPointer } from "../../values/json_pointer.ts";
import type { Evaluated } from "../evaluated.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";
import type { Cause, CauseGroup, Found } from "./cause.ts";
import type { CausePlace } from "./cause_place.ts";

/** The outcome of one alternative of `anyOf` or `oneOf`. */
export interface Alternative {
  readonly schema: Subschema;
  readonly valid: boolean;
  /** Its causes; none if it is valid. */
  readonly found: readonly Found[];
}

/** The causes found so far in one evaluation; what turns out not to matter is taken back. */
export class CauseCollector {
  /** The names and indexes on the way to the part that is being evaluated, as pointers show them. */
  readonly path: string[] = [];
  /** The same as a place that remembers results; undefined where one way at most leads to each place. */
  place: CausePlace | undefined = undefined;
  /** The outcomes of the alternatives being evaluated, innermost last. */
  readonly alternatives: Alternative[][] = [];
  /** The parts that the keywords being checked mark as evaluated, innermost last. */
  readonly marked: (Evaluated | undefined)[] = [];
  /** The sizes at which checks that count for several keywords began, innermost last. */
  readonly begun: { readonly size: number; dropped: boolean }[] = [];
  /** The number of keywords around that may yet take back what is found in them. */
  tentative = 0;
  /** True once there are as many causes as were asked for. */
  isDone = false;
  #found: Found[] = [];
  #certain: Cause[] = [];
  #limit = Infinity;

  /** Starts again, at a whole instance; `limit` is the number of causes that are enough. */
  start(limit: number): void {
    this.path.length = 0;
    this.place = undefined;
    this.alternatives.length = 0;
    this.marked.length = 0;
    this.begun.length = 0;
    this.tentative = 0;
    this.isDone = false;
    this.#found = [];
    this.#certain = [];
    this.#limit = limit;
  }

  /** The number of finds, to come back to. */
  get size(): number {
    return this.#found.length;
  }

  /** Adds a keyword that fails by itself. */
  add(node: SchemaNode, keyword: string): void {
    this.addFound([{ node: node.plain, keyword, instance: joinPointer(this.path) }]);
  }

  /** Adds what was found before. */
  addFound(found: readonly Found[]): void {
    for (const one of found) this.#found.push(one);
    if (this.tentative > 0 || this.#limit === Infinity) return;
    this.#certain = distinct([...this.#certain, ...found]);
    if (this.#certain.length >= this.#limit) this.isDone = true;
  }

  /** Takes back what was found since. */
  dropFrom(size: number): void {
    if (this.#found.length > size) this.#found.length = size;
  }

  /** Takes back and returns what was found since. */
  takeFrom(size: number): Found[] {
    return this.#found.splice(size);
  }

  /** Makes one group of what was found since. */
  groupFrom(size: number): CauseGroup {
    const group: CauseGroup = { items: this.takeFrom(size) };
    this.#found.push(group);
    return group;
  }

  /** The causes, each keyword once with the first place that it refuses, in the order in which they were found. */
  causes(): Cause[] {
    return distinct(this.#found);
  }
}

/** Each cause once; a group that comes again adds nothing. */
function distinct(all: readonly Found[]): Cause[] {
  const causes: Cause[] = [];
  const known = new Map<SchemaNode, Set<string>>();
  const groups = new Set<CauseGroup>();
  const open = [...all].reverse();
  for (let found = open.pop(); found !== undefined; found = open.pop()) {
    if ("items" in found) {
      if (groups.has(found)) continue;
      groups.add(found);
      for (let index = found.items.length - 1; index >= 0; index--) {
        open.push(found.items[index] as Found); // within its bounds
      }
      continue;
    }
    let keywords = known.get(found.node);
    if (keywords === undefined) known.set(found.node, keywords = new Set());
    if (keywords.has(found.keyword)) continue;
    keywords.add(found.keyword);
    causes.push(found);
  }
  return causes;
}
