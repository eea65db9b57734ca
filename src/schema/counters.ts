import { countOverflowError } from "../values/errors.ts";
import type { SchemaNode } from "./schema_node.ts";
import type { SchemaClasses } from "./value_class.ts";

export interface UnitKeyword {
  readonly node: SchemaNode;
  readonly keyword: string;
  /** The index of the `valid` counter; the `invalid` counter is next. */
  readonly slot: number;
}

/** An example, or an alternative of a `discriminator`, and the index of its counter in the unit's block. */
export interface UnitTally {
  readonly schema_path: string;
  readonly slot: number;
}

/** The value classes of a schema; their counters are in the unit's block, from `slot` on. */
export interface UnitClasses {
  readonly node: SchemaNode;
  readonly classes: SchemaClasses;
  readonly slot: number;
}

export interface CountedUnit {
  readonly root: SchemaNode;
  readonly size: number;
  /** The length of the unit's block: its counters, then one place for each reference to another unit. */
  readonly blockLength: number;
  readonly keywords: readonly UnitKeyword[];
  readonly tallies: readonly UnitTally[];
  /** The schemas whose value classes are counted; empty if value classes are not measured. */
  readonly classes: readonly UnitClasses[];
}

const NO_NUMBERS: Float64Array = new Float64Array(0);

/** Counters, allocated in blocks. A map has one store, so that they are close together in memory. */
export class CounterStore {
  /** All blocks, in sequence; replaced when the store grows. */
  counts: Float64Array = new Float64Array(256);
  /** The time at which the current request was sent, in seconds since 1970; Infinity if unknown. */
  requestTime = Infinity;
  /** Counters with a lower count may get a new time: 0 without times, 1 while times ascend, else Infinity. */
  timedBelow = 0;
  /** The number of requests that the current one represents; counts outside the store grow by it. */
  weight = 1;
  #used = 0;
  /** The time of the first count of each counter, in seconds since 1970; empty until a time is known. */
  #firstTimes: Float64Array = NO_NUMBERS;
  #latestTime = -Infinity;
  #isAscending = true;
  /** The counts of a weighted request, at the indexes of their counters; all zeros between requests. */
  #weighted = NO_NUMBERS;
  /** The counters that the weighted request has changed; undefined between weighted requests. */
  #countedIndexes: number[] | undefined;
  /** The counters whose times the current value has changed, each followed by its previous time. */
  readonly #changedTimes: number[] = [];

  allocate(size: number): number {
    const base = this.#used;
    this.#used += size;
    this.#grow();
    return base;
  }

  #grow(): void {
    if (this.#used <= this.counts.length) return;
    const counts = new Float64Array(Math.max(this.#used, this.counts.length * 2));
    counts.set(this.counts);
    this.counts = counts;
  }

  count(at: number): void {
    const before = this.counts[at] as number;
    this.counts[at] = before + 1;
    if (before < this.timedBelow) this.addRequestTime(at);
  }

  beginRequest(time: number | null): void {
    if (time === null) {
      this.requestTime = Infinity;
      this.timedBelow = 0;
      this.#isAscending = false;
      return;
    }
    this.requestTime = time;
    this.timedBelow = this.#isAscending && time >= this.#latestTime ? 1 : Infinity;
    if (time > this.#latestTime) this.#latestTime = time;
  }

  /** Records the current time as the first time of a counter, unless it has an earlier one. */
  addRequestTime(index: number): void {
    if (this.#countedIndexes !== undefined) {
      this.#countedIndexes.push(index);
      return;
    }
    const before = this.firstTime(index);
    if (this.requestTime >= before) return;
    this.#changedTimes.push(index, before);
    this.addTime(index, this.requestTime);
  }

  /** Counts a request that represents several: counts it once, then adds its counts multiplied by the weight. */
  countWeighted(weight: number, countOnce: () => void): void {
    const { counts, timedBelow } = this;
    if (this.#weighted.length < counts.length) this.#weighted = new Float64Array(counts.length);
    const indexes: number[] = [];
    this.counts = this.#weighted;
    this.timedBelow = 1;
    this.weight = weight;
    this.#countedIndexes = indexes;
    try {
      countOnce();
    } finally {
      this.#countedIndexes = undefined;
      this.weight = 1;
      this.timedBelow = timedBelow;
      this.#weighted = this.counts;
      this.counts = counts;
      this.#grow();
    }
    this.#addWeighted(weight, indexes);
  }

  #addWeighted(weight: number, indexes: readonly number[]): void {
    const [counts, weighed] = [this.counts, this.#weighted];
    let isExact = true;
    for (const at of indexes) {
      const sum = (counts[at] as number) + (weighed[at] as number) * weight;
      isExact &&= sum <= Number.MAX_SAFE_INTEGER;
    }
    for (const at of indexes) {
      const before = counts[at] as number;
      if (isExact && weighed[at] !== 0) { // Zero if the count was taken back.
        counts[at] = before + (weighed[at] as number) * weight;
        if (before < this.timedBelow) this.addTime(at, this.requestTime);
      }
      weighed[at] = 0;
    }
    if (!isExact) throw countOverflowError();
  }

  /** Begins a value whose counts may be taken back. */
  beginValue(): void {
    if (this.#changedTimes.length > 0) this.#changedTimes.length = 0;
  }

  /** Takes back the counts of the current value; `countAgain` must count exactly the same again. */
  revertValue(countAgain: () => void): void {
    const { counts, timedBelow } = this;
    const outer = this.#countedIndexes;
    const changedTimes = this.#changedTimes.splice(0);
    const indexes: number[] = [];
    this.counts = new Float64Array(counts.length);
    this.timedBelow = 1;
    this.#countedIndexes = indexes;
    try {
      countAgain();
      for (const at of indexes) counts[at] = (counts[at] as number) - (this.counts[at] as number);
    } finally {
      this.#countedIndexes = outer;
      this.timedBelow = timedBelow;
      this.counts = counts;
    }
    for (let at = changedTimes.length - 2; at >= 0; at -= 2) {
      this.#firstTimes[changedTimes[at] as number] = changedTimes[at + 1] as number; // The list consists of pairs.
    }
  }

  addTime(index: number, time: number): void {
    if (index >= this.#firstTimes.length) {
      if (time === Infinity) return;
      const firsts = new Float64Array(this.counts.length).fill(Infinity);
      firsts.set(this.#firstTimes);
      this.#firstTimes = firsts;
    }
    if (time < (this.#firstTimes[index] as number)) this.#firstTimes[index] = time;
  }

  firstTime(index: number): number {
    return this.#firstTimes[index] ?? Infinity;
  }

  /** Records that counters were merged, with times that may be later than those of future requests. */
  noteMerge(): void {
    this.#isAscending = false;
  }
}

const MAX_SEARCHED_UNITS = 8;

/** The properties that a schema declares, each with a mark if it occurred, which is cheaper than a set of names. */
export interface PropertyMarks {
  /** An entry is undefined for a property that isn't sent in the direction of the schema. */
  readonly names: readonly (string | undefined)[];
  readonly marks: Uint8Array;
}

/** The counters of one parameter, one block per unit; its keywords have two counters each: `valid` and `invalid`. */
export class Counters {
  readonly store: CounterStore;
  readonly units: CountedUnit[] = [];
  /** The declared properties that values had, by the schema that declares them; undefined if not measured. */
  properties: Map<SchemaNode, PropertyMarks> | undefined = undefined;
  // Most parameters have few units, and frequent callers cache the base.
  readonly #bases: number[] = [];
  #baseByUnit: Map<CountedUnit, number> | undefined;

  constructor(store: CounterStore = new CounterStore()) {
    this.store = store;
  }

  base(unit: CountedUnit): number {
    const { units } = this;
    if (units.length <= MAX_SEARCHED_UNITS) {
      return this.#bases[units.indexOf(unit)] ?? this.#allocate(unit);
    }
    // Each unit has a base.
    this.#baseByUnit ??= new Map(units.map((one, at) => [one, this.#bases[at] as number]));
    return this.#baseByUnit.get(unit) ?? this.#allocate(unit);
  }

  keywordAt(index: number): UnitKeyword {
    let at = this.#bases.length - 1;
    while (at >= 0 && (this.#bases[at] as number) > index) at--; // Bases ascend.
    const { keywords } = this.units[at] as CountedUnit; // Each counter is in a block.
    const slot = index - (this.#bases[at] as number);
    // Keywords are in the order of their counters; counters of examples and classes are between them.
    let [low, high] = [0, keywords.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((keywords[middle] as UnitKeyword).slot > slot) high = middle;
      else low = middle;
    }
    return keywords[low] as UnitKeyword; // The search stays within the bounds.
  }

  #allocate(unit: CountedUnit): number {
    const base = this.store.allocate(unit.blockLength);
    this.units.push(unit);
    this.#bases.push(base);
    this.#baseByUnit?.set(unit, base);
    return base;
  }
}

/** A placeholder until there are counters; nothing is counted here. */
export const NO_COUNTERS: Counters = new Counters();
