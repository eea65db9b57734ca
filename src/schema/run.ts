import type { SchemaUnit } from "./schema_unit.ts";
import type { Resource } from "./reference.ts";

/** How deep references may nest in one instance; deeper parts are accepted as they are. */
export const MAX_DEPTH = 400;

/** Numbers that are counted up, in blocks. One store serves a whole map, so that they lie close together. */
export class CounterStore {
  /** All blocks, one after the other; replaced when it grows. */
  counts: Float64Array = new Float64Array(256);
  #used = 0;

  /** Where a new block of zeros begins. */
  allocate(size: number): number {
    const base = this.#used;
    this.#used += size;
    if (this.#used > this.counts.length) {
      const counts = new Float64Array(Math.max(this.#used, this.counts.length * 2));
      counts.set(this.counts);
      this.counts = counts;
    }
    return base;
  }
}

const NO_BASES = new Int32Array(0);

/**
 * The counters of one parameter: a block per schema unit that was evaluated, allocated when the unit is first
 * reached. A block holds `valid, invalid` per keyword, then the hits of each example.
 */
export class Counters {
  /** What holds the blocks. */
  readonly store: CounterStore;
  /** The units in the order of their blocks. */
  readonly units: SchemaUnit[] = [];
  /** The unit of the first block: the parameter's own schema, which every hit asks for. */
  #first: SchemaUnit | undefined;
  #firstBase = 0;
  #bases: Int32Array = NO_BASES; // of the other units, by id: the block's start plus one, 0 where there is none

  /** Starts without blocks. */
  constructor(store: CounterStore = new CounterStore()) {
    this.store = store;
  }

  /** Where a unit's block begins. */
  baseOf(unit: SchemaUnit): number {
    if (unit === this.#first) return this.#firstBase;
    const known = unit.id < this.#bases.length ? this.#bases[unit.id] as number : 0;
    return known === 0 ? this.#allocate(unit) : known - 1;
  }

  #allocate(unit: SchemaUnit): number {
    const base = this.store.allocate(unit.size);
    this.units.push(unit);
    if (this.#first === undefined) {
      this.#first = unit;
      this.#firstBase = base;
      return base;
    }
    if (unit.id >= this.#bases.length) {
      const bases = new Int32Array(Math.max(unit.id + 1, this.#bases.length * 2));
      bases.set(this.#bases);
      this.#bases = bases;
    }
    this.#bases[unit.id] = base + 1;
    return base;
  }
}

const NOWHERE = new Counters();

/** The state of one evaluation. */
export class Run {
  /** What is counted into. */
  counters: Counters = NOWHERE;
  /** What holds them. It serves all counters of a map, so that it is at hand where they have to be fetched. */
  store: CounterStore = NOWHERE.store;
  /** The counters while something is evaluated that counts nothing. */
  readonly silent: Counters = new Counters();
  /** How many references are open. */
  depth = 0;
  /** True where a part nested deeper than {@linkcode MAX_DEPTH} was left out. */
  tooDeep = false;
  /** The schema resources entered, outermost first; kept only where references are dynamic. */
  scope: Resource[] = [];

  #active: Map<SchemaUnit, Set<unknown>> | undefined;

  /** The instances under evaluation in a unit that comes back to itself in place. */
  activeIn(unit: SchemaUnit): Set<unknown> {
    this.#active ??= new Map();
    let active = this.#active.get(unit);
    if (active === undefined) this.#active.set(unit, active = new Set());
    return active;
  }

  /** Begins an evaluation, whatever became of the last one. */
  start(counters: Counters, store: CounterStore): void {
    this.counters = counters;
    this.store = store;
    this.depth = 0;
    this.tooDeep = false;
    if (this.scope.length > 0) this.scope = [];
    this.#active = undefined;
  }
}
