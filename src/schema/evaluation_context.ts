import type { Budget } from "./pattern/program.ts";
import { STEPS } from "./pattern.ts";
import type { CountedUnit, UnitKeyword } from "./counted_unit.ts";
import type { Resource } from "./reference.ts";
import { getOrAdd } from "../values/collections.ts";
import { countOverflowError } from "../values/errors.ts";
import type { Json } from "../values/json.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import type { Evaluated } from "./evaluated.ts";

export interface Remembered {
  readonly valid: boolean;
  /** The parts that the schema marked as evaluated; undefined if no keyword needs them. */
  readonly evaluated: Evaluated | undefined;
  /** The dynamic scope of the evaluation, if references are dynamic. */
  readonly scope: string;
  /** The previous result of the same schema; undefined for the first one. */
  readonly before: Remembered | undefined;
}

/** A place in a value, with the places below it, which are created on demand. */
export abstract class ValuePlace {
  #parts: Map<string | number, this> | undefined;
  #names: Map<string | number, this> | undefined;

  /** Returns the place of a property's value, or of an item. */
  part(key: string | number): this {
    return this.#below(this.#parts ??= new Map(), key);
  }

  name(key: string | number): this {
    return this.#below(this.#names ??= new Map(), key);
  }

  #below(places: Map<string | number, this>, key: string | number): this {
    return getOrAdd(places, key, () => new (this.constructor as new () => this)());
  }
}

/** A place in a value that schemas reach by several paths: nothing is counted or evaluated twice there. */
export class InstancePlace extends ValuePlace {
  readonly #counted = new Set<number>();
  #results: Map<CountedUnit, Remembered> | undefined;

  isFirst(counter: number): boolean {
    const { size } = this.#counted;
    return this.#counted.add(counter).size > size;
  }

  /** Returns the latest result of a schema at this place; each result links to the one before it. */
  lastResult(unit: CountedUnit): Remembered | undefined {
    return this.#results?.get(unit);
  }

  remember(unit: CountedUnit, result: Remembered): void {
    (this.#results ??= new Map()).set(unit, result);
  }
}

const MAX_SEARCH_DEPTH = 100;

/** True if a value is or contains a text that a recorder wrote in place of another. */
export function containsRedacted(value: Json, run: EvaluationContext, depth = 0): boolean {
  if (typeof value === "string") return isReplacedText(value) && run.leavesOut(value);
  if (typeof value !== "object" || value === null || depth > MAX_SEARCH_DEPTH) return false;
  return Object.values(value).some((member) => containsRedacted(member, run, depth + 1));
}

/** The minimum that a reference adds to the depth of an evaluation. */
const LEAST_WEIGHT = 3;

/** From this depth on (400 references at most), parts are accepted without evaluation, before the stack overflows. */
export const MAX_DEPTH: number = 400 * LEAST_WEIGHT;

/** The most references and alternatives in the evaluation of a value: about 0.3 s, during which nothing else runs. */
export const MAX_STEPS = 2_500_000;

/** The number of steps that a memoized reference counts as, because it takes about that much longer. */
export const REMEMBERING_STEPS = 20;

/** The additional depth of a reference where references are dynamic, because each is looked up in a scope. */
const DYNAMIC_WEIGHT = 2;

/** Returns the depth that a reference adds; `height` is the number of schemas nested in its target. */
export function referenceWeight(height: number, isDynamic: boolean): number {
  return Math.max(LEAST_WEIGHT, height) + (isDynamic ? DYNAMIC_WEIGHT : 0);
}

const NO_TIMES = new Float64Array(0);
const NO_COUNTS: Float64Array = new Float64Array(0);

/** Counters, allocated in blocks. A map has one store, so that they are close together in memory. */
export class CounterStore {
  /** All blocks, in sequence; replaced when the store grows. */
  counts: Float64Array = new Float64Array(256);
  /** The time at which the current request was sent, in seconds since 1970; Infinity if unknown. */
  now = Infinity;
  /** Counters with a lower count may get a new time: 0 without times, 1 while times ascend, else Infinity. */
  fresh = 0;
  /** The number of requests that the current one represents; counts outside the store grow by it. */
  weight = 1;
  #used = 0;
  /** The time of the first count of each counter, as {@linkcode CounterStore.now}; empty until a time is known. */
  #firsts: Float64Array = NO_TIMES;
  #latest = -Infinity;
  #ordered = true;
  /** The counts of a weighted request, at the indexes of their counters; all zeros between requests. */
  #weighed = NO_COUNTS;
  /** The counters that the weighted request has changed; undefined between weighted requests. */
  #touched: number[] | undefined;
  /** The counters whose times the current value has changed, each followed by its previous time. */
  readonly #changed: number[] = [];

  /** Adds a block of zeros and returns its offset. */
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
    if (before < this.fresh) this.note(at);
  }

  begin(at: number | null): void {
    if (at === null) {
      this.now = Infinity;
      this.fresh = 0;
      this.#ordered = false;
      return;
    }
    this.now = at;
    this.fresh = this.#ordered && at >= this.#latest ? 1 : Infinity;
    if (at > this.#latest) this.#latest = at;
  }

  /** Records the current time as the first time of a counter, unless it has an earlier one. */
  note(index: number): void {
    if (this.#touched !== undefined) {
      this.#touched.push(index);
      return;
    }
    const before = this.firstAt(index);
    if (this.now >= before) return;
    this.#changed.push(index, before);
    this.noteAt(index, this.now);
  }

  /** Counts a request that represents several: counts it once, then adds its counts multiplied by the weight. */
  weigh(weight: number, countOne: () => void): void {
    const { counts, fresh } = this;
    if (this.#weighed.length < counts.length) this.#weighed = new Float64Array(counts.length);
    const touched: number[] = [];
    this.counts = this.#weighed;
    this.fresh = 1;
    this.weight = weight;
    this.#touched = touched;
    try {
      countOne();
    } finally {
      this.#touched = undefined;
      this.weight = 1;
      this.fresh = fresh;
      this.#weighed = this.counts;
      this.counts = counts;
      this.#grow();
    }
    this.#addWeighed(weight, touched);
  }

  #addWeighed(weight: number, touched: readonly number[]): void {
    const [counts, weighed] = [this.counts, this.#weighed];
    let isExact = true;
    for (const at of touched) {
      const sum = (counts[at] as number) + (weighed[at] as number) * weight;
      isExact &&= sum <= Number.MAX_SAFE_INTEGER;
    }
    for (const at of touched) {
      const before = counts[at] as number;
      if (isExact && weighed[at] !== 0) { // Zero if the count was taken back.
        counts[at] = before + (weighed[at] as number) * weight;
        if (before < this.fresh) this.noteAt(at, this.now);
      }
      weighed[at] = 0;
    }
    if (!isExact) throw countOverflowError();
  }

  /** Begins a value whose counts may be taken back. */
  beginValue(): void {
    if (this.#changed.length > 0) this.#changed.length = 0;
  }

  /** Takes back the counts of the current value; `countAgain` must count exactly the same again. */
  takeBack(countAgain: () => void): void {
    const { counts, fresh } = this;
    const outer = this.#touched;
    const changed = this.#changed.splice(0);
    const touched: number[] = [];
    this.counts = new Float64Array(counts.length);
    this.fresh = 1;
    this.#touched = touched;
    try {
      countAgain();
      for (const at of touched) counts[at] = (counts[at] as number) - (this.counts[at] as number);
    } finally {
      this.#touched = outer;
      this.fresh = fresh;
      this.counts = counts;
    }
    for (let at = changed.length - 2; at >= 0; at -= 2) {
      this.#firsts[changed[at] as number] = changed[at + 1] as number; // The list consists of pairs.
    }
  }

  noteAt(index: number, time: number): void {
    if (index >= this.#firsts.length) {
      if (time === Infinity) return;
      const firsts = new Float64Array(this.counts.length).fill(Infinity);
      firsts.set(this.#firsts);
      this.#firsts = firsts;
    }
    if (time < (this.#firsts[index] as number)) this.#firsts[index] = time;
  }

  firstAt(index: number): number {
    return this.#firsts[index] ?? Infinity;
  }

  /** Records that counters were merged, with times that may be later than those of future requests. */
  mix(): void {
    this.#ordered = false;
  }
}

/** Up to this many units are searched in order; more are looked up in a map. */
const FEW_UNITS = 8;

export interface DeclaringSchema {
  schemaPath(keyword: string): string;
}

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
  properties: Map<DeclaringSchema, PropertyMarks> | undefined = undefined;
  // Most parameters have few units, and frequent callers cache the base.
  readonly #bases: number[] = [];
  #baseByUnit: Map<CountedUnit, number> | undefined;

  constructor(store: CounterStore = new CounterStore()) {
    this.store = store;
  }

  base(unit: CountedUnit): number {
    const { units } = this;
    const base = units.length <= FEW_UNITS
      ? this.#bases[units.indexOf(unit)]
      : this.#byUnit().get(unit);
    return base ?? this.#allocate(unit);
  }

  /** Returns the keyword that a counter belongs to. */
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

  #byUnit(): Map<CountedUnit, number> {
    return this.#baseByUnit ??= new Map(
      this.units.map((unit, index) => [unit, this.#bases[index] as number]), // Each unit has a base.
    );
  }

  #allocate(unit: CountedUnit): number {
    const base = this.store.allocate(unit.room);
    this.units.push(unit);
    this.#bases.push(base);
    this.#baseByUnit?.set(unit, base);
    return base;
  }
}

/** A placeholder until there are counters; nothing is counted here. */
export const NO_COUNTERS: Counters = new Counters();

const NO_STEPS: string[] = [];

export class EvaluationContext {
  counters: Counters = NO_COUNTERS;
  store: CounterStore = NO_COUNTERS.store;
  /** The sum of the weights of the open references. */
  depth = 0;
  /** The remaining steps; negative if there were too many. */
  left: number = MAX_STEPS;
  /** True while the values are parts of one body, which share their steps. */
  isShared = false;
  /** True while all texts in the value are known to be ASCII. */
  isAscii = false;
  /** True if a part that is nested deeper than {@linkcode MAX_DEPTH} was not evaluated. */
  tooDeep = false;
  /** True if a text was skipped that a recorder wrote in place of a value. */
  replaced = false;
  /** True if a text was not matched against a pattern, because it would have taken too long. */
  unjudged = false;
  /** The index of the counters of the first keyword that failed by itself; negative if there is none. */
  fault = -1;
  /** The index of the counters of the next such keyword with other counters; negative if there is none. */
  otherFault = -1;
  /** The path to the part where the first keyword failed: names and indexes, innermost first. */
  faultSteps: string[] = NO_STEPS;
  /** True if there was a failure for which {@linkcode EvaluationContext.fail} was not called. */
  hasUnclearFault = false;
  /** The number of enclosing keywords whose failure may not be due to subschemas, so that these record none. */
  muted = 0;
  /** The budget for matching all patterns together. */
  readonly allowance: Budget = { steps: STEPS };
  /** The entered schema resources, outermost first; only maintained if references are dynamic. */
  scope: Resource[] = [];
  /** The current place, if several paths lead to it. */
  place: InstancePlace | undefined = undefined;
  /** The number of properties of large objects, cached for repeated use. */
  large: Map<object, number> | undefined = undefined;

  readonly #findDocumented: () => ReadonlySet<string>;
  #documented: ReadonlySet<string> | undefined;
  #active: Map<CountedUnit, Set<unknown>> | undefined;
  readonly #resources = new Map<Resource, number>();

  /** @param findDocumented Finds documented values that look like a replacement by a recorder. */
  constructor(findDocumented: () => ReadonlySet<string>) {
    this.#findDocumented = findDocumented;
  }

  /** Skips a text that a recorder may have written in place of another, unless it is documented. True if skipped. */
  leavesOut(text: string): boolean {
    if ((this.#documented ??= this.#findDocumented()).has(text)) return false;
    this.replaced = true;
    return true;
  }

  /** Returns the instances that are being evaluated in a unit that refers to itself in place. */
  activeIn(unit: CountedUnit): Set<unknown> {
    return getOrAdd(this.#active ??= new Map(), unit, () => new Set());
  }

  get scopeKey(): string {
    const numbers = this.scope.map((resource) =>
      getOrAdd(this.#resources, resource, () => this.#resources.size)
    );
    return [...new Set(numbers)].join();
  }

  /** The current place, created if there is none. */
  get currentPlace(): InstancePlace {
    return this.place ??= new InstancePlace();
  }

  /** Accepts the target of a reference without evaluation, because it is too large or too deep. Returns true. */
  accept(): true {
    if (this.left >= 0) this.tooDeep = true;
    return true;
  }

  /** Records that a keyword failed by itself; `index` is that of its counters. */
  fail(index: number): void {
    if (this.muted > 0) return;
    if (this.fault < 0) this.fault = index;
    else if (this.otherFault < 0 && this.fault !== index) this.otherFault = index;
  }

  /** Records a failure that may not be due to the recorded keywords. */
  failUnclearly(): void {
    if (this.muted === 0) this.hasUnclearFault = true;
  }

  /**
   * Records the step to a part that failed; `before` is the {@linkcode EvaluationContext.fault} before its evaluation.
   * Keywords evaluate parts themselves: a function in between takes a fifth more stack, which limits the depth.
   */
  failBelow(step: string, before: number): void {
    if (before >= 0 || this.fault < 0) return;
    if (this.faultSteps === NO_STEPS) this.faultSteps = [step];
    else this.faultSteps.push(step);
  }

  share<Result>(evaluate: () => Result): Result {
    this.left = MAX_STEPS;
    this.isShared = true;
    try {
      return evaluate();
    } finally {
      this.isShared = false;
    }
  }

  /** Begins an evaluation, however the last one ended. */
  start(counters: Counters, store: CounterStore): void {
    this.counters = counters;
    // Fields are only written if they change, because the garbage collector tracks writes.
    if (this.store !== store) this.store = store;
    this.depth = 0;
    store.beginValue();
    if (!this.isShared && this.left !== MAX_STEPS) this.left = MAX_STEPS;
    this.tooDeep = false;
    this.replaced = false;
    this.unjudged = false;
    this.fault = -1;
    this.otherFault = -1;
    if (this.faultSteps !== NO_STEPS) this.faultSteps = NO_STEPS;
    this.hasUnclearFault = false;
    this.muted = 0;
    if (this.allowance.steps !== STEPS) this.allowance.steps = STEPS;
    if (this.scope.length > 0) this.scope = [];
    if (this.place !== undefined) this.place = undefined;
    if (this.large !== undefined) this.large = undefined;
    if (this.#active !== undefined) this.#active = undefined;
  }
}
