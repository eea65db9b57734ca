import type { EvaluatedParts } from "../evaluated_parts.ts";
import { ValuePlace } from "../evaluation_context.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";
import { Cause, type CauseGroup, type CauseOrGroup, type Rule } from "./cause.ts";

export interface PlaceResult {
  /** The causes; undefined if the instance is valid. */
  readonly causes: CauseGroup | undefined;
  /** The parts that the schema marked as evaluated; undefined if no keyword needs them. */
  readonly evaluated: EvaluatedParts | undefined;
  readonly scope: string;
}

export class CausePlace extends ValuePlace {
  readonly results: Map<SchemaNode, PlaceResult[]> = new Map();
}

export interface Alternative {
  readonly schema: Subschema;
  readonly valid: boolean;
  /** The parts that the schema marked as evaluated; undefined if no keyword needs them. */
  readonly evaluated: EvaluatedParts | undefined;
  readonly causes: readonly CauseOrGroup[];
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
  readonly evaluatedParts: (EvaluatedParts | undefined)[] = [];
  /** The sizes when checks that count for several keywords began, innermost last. */
  readonly openChecks: { readonly size: number; dropped: boolean }[] = [];
  /** The number of enclosing keywords that may remove causes found in them. */
  tentativeLevels = 0;
  /** True if there are more causes than needed, which ends the search. */
  isDone = false;
  readonly #causes: CauseOrGroup[] = [];
  readonly #lists: readonly unknown[][] = [
    this.path,
    this.alternatives,
    this.evaluatedParts,
    this.openChecks,
    this.#causes,
  ];
  #isSingle = false;
  /** A cause that will not be removed, if only a single one matters. */
  #certainRule: Rule | undefined;
  readonly #certainGroups = new Set<CauseGroup>();

  /** Resets the collector for a new instance; if only a single cause matters, a second one ends the search. */
  start(isSingle: boolean): void {
    // Only lists that an aborted search has left behind: setting a length is slow.
    for (const list of this.#lists) if (list.length > 0) list.length = 0;
    this.place = undefined;
    this.tentativeLevels = 0;
    this.isDone = false;
    this.#isSingle = isSingle;
    this.#certainRule = undefined;
    if (this.#certainGroups.size > 0) this.#certainGroups.clear();
  }

  get size(): number {
    return this.#causes.length;
  }

  add(rule: Rule): void {
    this.#add(new Cause(rule, this.path.length === 0 ? NO_STEPS : this.path.slice()));
  }

  addAll(causes: readonly CauseOrGroup[]): void {
    for (const cause of causes) this.#add(cause);
  }

  #add(cause: CauseOrGroup): void {
    this.#causes.push(cause);
    if (this.#isSingle && this.tentativeLevels === 0) this.#addCertain(cause);
  }

  #addCertain(cause: CauseOrGroup): void {
    if (!(cause instanceof Cause)) {
      // Groups contain each other, so that there can be far more paths to groups than groups.
      if (this.#certainGroups.has(cause)) return;
      this.#certainGroups.add(cause);
      for (const item of cause.items) this.#addCertain(item);
    } else if (this.#certainRule === undefined) this.#certainRule = cause.rule;
    else if (this.#certainRule !== cause.rule) this.isDone = true;
  }

  /** Removes the causes found since the collector had this size. */
  dropFrom(size: number): void {
    if (this.#causes.length > size) this.#causes.length = size;
  }

  removeFrom(size: number): readonly CauseOrGroup[] {
    return this.#causes.length === size ? NONE : this.#causes.splice(size);
  }

  groupFrom(size: number): CauseGroup {
    const group: CauseGroup = { items: this.removeFrom(size) };
    this.#causes.push(group);
    return group;
  }

  /** Returns each keyword once, with the first part that it makes invalid, in the order in which they were found. */
  causes(): Cause[] {
    const causes = this.#causes;
    if (causes.length > 1) return distinctCauses(causes);
    const [only] = causes;
    return only === undefined ? [] : only instanceof Cause ? [only] : distinctCauses(causes);
  }
}

const NONE: readonly CauseOrGroup[] = [];
const NO_STEPS: readonly string[] = [];

function distinctCauses(items: readonly CauseOrGroup[]): Cause[] {
  const causes = new Map<Rule, Cause>();
  const groups = new Set<CauseGroup>();
  const open = [...items].reverse();
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item instanceof Cause) {
      if (!causes.has(item.rule)) causes.set(item.rule, item);
    } else if (!groups.has(item)) {
      groups.add(item);
      for (let index = item.items.length - 1; index >= 0; index--) {
        open.push(item.items[index] as CauseOrGroup); // The index is within bounds.
      }
    }
  }
  return [...causes.values()];
}
