import type { Evaluated } from "../evaluated.ts";
import { ValuePlace } from "../evaluation_context.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";
import { Cause, type CauseGroup, type Found, type Rule } from "./cause.ts";

export interface PlaceResult {
  /** The causes; undefined where the schema accepts the place. */
  readonly causes: CauseGroup | undefined;
  /** The parts that it marked as evaluated; undefined if nothing asked for them. */
  readonly evaluated: Evaluated | undefined;
  readonly scope: string;
}

/** A place of the instance that several ways may lead to, with the results of the schemas that references lead to. */
export class CausePlace extends ValuePlace {
  readonly results: Map<SchemaNode, PlaceResult[]> = new Map();
}

export interface Alternative {
  readonly schema: Subschema;
  readonly valid: boolean;
  /** The parts that it marked as evaluated; undefined if nothing asks for them. */
  readonly seen: Evaluated | undefined;
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
  /** True once there are more causes than matter. */
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
  /** A cause that nothing takes back, where only a single one matters. */
  #certain: Rule | undefined;
  /** The groups whose causes nothing takes back. */
  readonly #settled = new Set<CauseGroup>();

  /** Starts again, at a whole instance; where only a single cause matters, a second one ends the search. */
  start(isSingle: boolean): void {
    // Only what a search that broke off has left behind: setting a length takes long.
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
      // Groups hold each other, so that there are far more ways into one than groups.
      if (this.#settled.has(found)) return;
      this.#settled.add(found);
      for (const item of found.items) this.#settle(item);
    } else if (this.#certain === undefined) this.#certain = found.rule;
    else if (this.#certain !== found.rule) this.isDone = true;
  }

  /** Takes back what was found since. */
  dropFrom(size: number): void {
    if (this.#found.length > size) this.#found.length = size;
  }

  /** Takes back and returns what was found since. */
  takeFrom(size: number): readonly Found[] {
    return this.#found.length === size ? NONE : this.#found.splice(size);
  }

  groupFrom(size: number): CauseGroup {
    const group: CauseGroup = { items: this.takeFrom(size) };
    this.#found.push(group);
    return group;
  }

  /** The causes, each keyword once with the first place that it refuses, in the order in which they were found. */
  causes(): Cause[] {
    const found = this.#found;
    if (found.length > 1) return distinct(found);
    const [only] = found;
    return only === undefined ? [] : only instanceof Cause ? [only] : distinct(found);
  }
}

const NONE: readonly Found[] = [];
const NO_STEPS: readonly string[] = [];

/** Each cause once; a group that comes again adds nothing. */
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
        open.push(found.items[index] as Found); // within its bounds
      }
    }
  }
  return [...causes.values()];
}
