import type { EvaluatedParts } from "../evaluated.ts";
import { ValuePlace } from "../evaluation_context.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";
import { Cause, type CauseGroup, type Found, type Rule } from "./cause.ts";

export interface PlaceResult {
  /** The causes; undefined if the instance is valid. */
  readonly causes: CauseGroup | undefined;
  /** The parts that the schema marked as evaluated; undefined if no keyword needs them. */
  readonly evaluated: EvaluatedParts | undefined;
  readonly scope: string;
}

/** A place in the instance that several paths can lead to, with the results of referenced schemas. */
export class CausePlace extends ValuePlace {
  readonly results: Map<SchemaNode, PlaceResult[]> = new Map();
}

export interface Alternative {
  readonly schema: Subschema;
  readonly valid: boolean;
  /** The parts that the schema marked as evaluated; undefined if no keyword needs them. */
  readonly seen: EvaluatedParts | undefined;
  readonly found: readonly Found[];
}

/** Collects the causes found in one evaluation; causes that turn out not to matter are removed. */
export class CauseCollector {
  /** The path to the current part: names and indexes, as pointers show them. */
  readonly path: string[] = [];
  /** The current part, as a place with memoized results; undefined if no paths converge. */
  place: CausePlace | undefined = undefined;
  /** The outcomes of the alternatives being evaluated, innermost last. */
  readonly alternatives: Alternative[][] = [];
  /** The parts that the current keywords mark as evaluated, innermost last. */
  readonly marked: (EvaluatedParts | undefined)[] = [];
  /** The sizes when checks that count for several keywords began, innermost last. */
  readonly begun: { readonly size: number; dropped: boolean }[] = [];
  /** The number of enclosing keywords that may remove causes found in them. */
  tentative = 0;
  /** True if there are more causes than needed, which ends the search. */
  isDone = false;
  readonly #found: Found[] = [];
  readonly #lists: readonly unknown[][] = [
    this.path,
    this.alternatives,
    this.marked,
    this.begun,
    this.#found,
  ];
  #isSingle = false;
  /** A cause that will not be removed, if only a single one matters. */
  #certain: Rule | undefined;
  /** The groups whose causes will not be removed. */
  readonly #settled = new Set<CauseGroup>();

  /** Resets the collector for a new instance; if only a single cause matters, a second one ends the search. */
  start(isSingle: boolean): void {
    // Only lists that an aborted search has left behind: setting a length is slow.
    for (const list of this.#lists) if (list.length > 0) list.length = 0;
    this.place = undefined;
    this.tentative = 0;
    this.isDone = false;
    this.#isSingle = isSingle;
    this.#certain = undefined;
    if (this.#settled.size > 0) this.#settled.clear();
  }

  get size(): number {
    return this.#found.length;
  }

  add(rule: Rule): void {
    this.#add(new Cause(rule, this.path.length === 0 ? NO_STEPS : this.path.slice()));
  }

  addFound(found: readonly Found[]): void {
    for (const one of found) this.#add(one);
  }

  #add(found: Found): void {
    this.#found.push(found);
    if (this.#isSingle && this.tentative === 0) this.#settle(found);
  }

  #settle(found: Found): void {
    if (!(found instanceof Cause)) {
      // Groups contain each other, so that there can be far more paths to groups than groups.
      if (this.#settled.has(found)) return;
      this.#settled.add(found);
      for (const item of found.items) this.#settle(item);
    } else if (this.#certain === undefined) this.#certain = found.rule;
    else if (this.#certain !== found.rule) this.isDone = true;
  }

  /** Removes the causes found since the collector had this size. */
  dropFrom(size: number): void {
    if (this.#found.length > size) this.#found.length = size;
  }

  /** Removes and returns the causes found since the collector had this size. */
  takeFrom(size: number): readonly Found[] {
    return this.#found.length === size ? NONE : this.#found.splice(size);
  }

  groupFrom(size: number): CauseGroup {
    const group: CauseGroup = { items: this.takeFrom(size) };
    this.#found.push(group);
    return group;
  }

  /** Returns each keyword once, with the first part that it makes invalid, in the order in which they were found. */
  causes(): Cause[] {
    const found = this.#found;
    if (found.length > 1) return distinct(found);
    const [only] = found;
    return only === undefined ? [] : only instanceof Cause ? [only] : distinct(found);
  }
}

const NONE: readonly Found[] = [];
const NO_STEPS: readonly string[] = [];

/** Returns each cause once, and visits each group once. */
function distinct(all: readonly Found[]): Cause[] {
  const causes = new Map<Rule, Cause>();
  const groups = new Set<CauseGroup>();
  const open = [...all].reverse();
  for (let found = open.pop(); found !== undefined; found = open.pop()) {
    if (found instanceof Cause) {
      if (!causes.has(found.rule)) causes.set(found.rule, found);
    } else if (!groups.has(found)) {
      groups.add(found);
      for (let index = found.items.length - 1; index >= 0; index--) {
        open.push(found.items[index] as Found); // The index is within bounds.
      }
    }
  }
  return [...causes.values()];
}
