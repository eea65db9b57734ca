import type { Budget } from "./pattern/program.ts";
import { MAX_PATTERN_STEPS } from "./pattern.ts";
import type { CountedUnit, UnitKeyword } from "./counted_unit.ts";
import type { Resource } from "./reference.ts";
import { getOrAdd } from "../values/collections.ts";
import { countOverflowError } from "../values/errors.ts";
import type { Json } from "../values/json.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import type { EvaluatedParts } from "./evaluated.ts";

export interface Memo {
  readonly valid: boolean;
  /** The parts that the schema marked as evaluated; undefined if no keyword needs them. */
  readonly evaluated: EvaluatedParts | undefined;
  /** The dynamic scope of the evaluation, if references are dynamic. */
  readonly scope: string;
  /** The previous result of the same schema; undefined for the first one. */
  readonly previous: Memo | undefined;
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
  #results: Map<CountedUnit, Memo> | undefined;

  markCounted(counter: number): boolean {
    const { size } = this.#counted;
    return this.#counted.add(counter).size > size;
  }

  /** Returns the latest result of a schema at this place; each result links to the one before it. */
  lastResult(unit: CountedUnit): Memo | undefined {
    return this.#results?.get(unit);
  }

  addResult(unit: CountedUnit, result: Memo): void {
    (this.#results ??= new Map()).set(unit, result);
  }
}

const MAX_SEARCH_DEPTH = 100;

/** True if a value is or contains a text that a recorder wrote in place of another. */
export function containsReplaced(value: Json, run: EvaluationContext, depth = 0): boolean {
  if (typeof value === "string") return isReplacedText(value) && run.skipsText(value);
  if (typeof value !== "object" || value === null || depth > MAX_SEARCH_DEPTH) return false;
  return Object.values(value).some((member) => containsReplaced(member, run, depth + 1));
}

/** The minimum that a reference adds to the depth of an evaluation. */
const MIN_WEIGHT = 3;

/** From this depth on (400 references at most), parts are accepted without evaluation, before the stack overflows. */
export const MAX_DEPTH: number = 400 * MIN_WEIGHT;

/** The most references and alternatives in the evaluation of a value: about 0.3 s, during which nothing else runs. */
export const MAX_STEPS = 2_500_000;

/** The number of steps that a memoized reference counts as, because it takes about that much longer. */
export const MEMO_STEPS = 20;

/** The additional depth of a reference where references are dynamic, because each is looked up in a scope. */
const DYNAMIC_WEIGHT = 2;

/** Returns the depth that a reference adds; `height` is the number of schemas nested in its target. */
export function referenceWeight(height: number, isDynamic: boolean): number {
  return Math.max(MIN_WEIGHT, height) + (isDynamic ? DYNAMIC_WEIGHT : 0);
}

const NO_TIMES = new Float64Array(0);
const NO_COUNTS: Float64Array = new Float64Array(0);

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
  #firstTimes: Float64Array = NO_TIMES;
  #latestTime = -Infinity;
  #isAscending = true;
  /** The counts of a weighted request, at the indexes of their counters; all zeros between requests. */
  #weighted = NO_COUNTS;
  /** The counters that the weighted request has changed; undefined between weighted requests. */
  #countedIndexes: number[] | undefined;
  /** The counters whose times the current value has changed, each followed by its previous time. */
  readonly #changedTimes: number[] = [];

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

/** Up to this many units are searched in order; more are looked up in a map. */
const MAX_SEARCHED_UNITS = 8;

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
    const base = units.length <= MAX_SEARCHED_UNITS
      ? this.#bases[units.indexOf(unit)]
      : this.#indexBases().get(unit);
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

  #indexBases(): Map<CountedUnit, number> {
    return this.#baseByUnit ??= new Map(
      this.units.map((unit, index) => [unit, this.#bases[index] as number]), // Each unit has a base.
    );
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

const NO_STEPS: string[] = [];

export class EvaluationContext {
  counters: Counters = NO_COUNTERS;
  store: CounterStore = NO_COUNTERS.store;
  /** The sum of the weights of the open references. */
  depth = 0;
  /** The remaining steps; negative if there were too many. */
  stepsLeft: number = MAX_STEPS;
  /** True while the values are parts of one body, which share their steps. */
  sharesSteps = false;
  /** True while all texts in the value are known to be ASCII. */
  isAscii = false;
  /** True if a part that is nested deeper than {@linkcode MAX_DEPTH} was not evaluated. */
  isTooDeep = false;
  /** True if a text was skipped that a recorder wrote in place of a value. */
  hasSkippedText = false;
  /** True if a text was not matched against a pattern, because it would have taken too long. */
  hasUntestedText = false;
  /** The index of the counters of the first keyword that failed by itself; negative if there is none. */
  fault = -1;
  /** The index of the counters of the next such keyword with other counters; negative if there is none. */
  otherFault = -1;
  /** The path to the part where the first keyword failed: names and indexes, innermost first. */
  faultSteps: string[] = NO_STEPS;
  /** True if there was a failure for which {@linkcode EvaluationContext.fail} was not called. */
  hasUnclearFault = false;
  /** The number of enclosing keywords whose failure may not be due to subschemas, so that these record none. */
  mutedLevels = 0;
  /** The budget for matching all patterns together. */
  readonly patternBudget: Budget = { steps: MAX_PATTERN_STEPS };
  /** The entered schema resources, outermost first; only maintained if references are dynamic. */
  scope: Resource[] = [];
  /** The current place, if several paths lead to it. */
  place: InstancePlace | undefined = undefined;
  /** The number of properties of large objects, cached for repeated use. */
  propertyCounts: Map<object, number> | undefined = undefined;

  readonly #findDocumentedTexts: () => ReadonlySet<string>;
  #documentedTexts: ReadonlySet<string> | undefined;
  #activeInstances: Map<CountedUnit, Set<unknown>> | undefined;
  readonly #resources = new Map<Resource, number>();

  /** @param findDocumentedTexts Finds documented values that look like a replacement by a recorder. */
  constructor(findDocumentedTexts: () => ReadonlySet<string>) {
    this.#findDocumentedTexts = findDocumentedTexts;
  }

  /** Skips a text that a recorder may have written in place of another, unless it is documented. True if skipped. */
  skipsText(text: string): boolean {
    if ((this.#documentedTexts ??= this.#findDocumentedTexts()).has(text)) return false;
    this.hasSkippedText = true;
    return true;
  }

  /** Returns the instances that are being evaluated in a unit that refers to itself in place. */
  activeInstances(unit: CountedUnit): Set<unknown> {
    return getOrAdd(this.#activeInstances ??= new Map(), unit, () => new Set());
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
  acceptUnevaluated(): true {
    if (this.stepsLeft >= 0) this.isTooDeep = true;
    return true;
  }

  /** Records that a keyword failed by itself; `index` is that of its counters. */
  fail(index: number): void {
    if (this.mutedLevels > 0) return;
    if (this.fault < 0) this.fault = index;
    else if (this.otherFault < 0 && this.fault !== index) this.otherFault = index;
  }

  /** Records a failure that may not be due to the recorded keywords. */
  failUnclearly(): void {
    if (this.mutedLevels === 0) this.hasUnclearFault = true;
  }

  /**
   * Records the step to a part that failed; `faultBefore` is the {@linkcode EvaluationContext.fault} before that.
   * Keywords evaluate parts themselves: a function in between takes a fifth more stack, which limits the depth.
   */
  addFaultStep(step: string, faultBefore: number): void {
    if (faultBefore >= 0 || this.fault < 0) return;
    if (this.faultSteps === NO_STEPS) this.faultSteps = [step];
    else this.faultSteps.push(step);
  }

  shareSteps<Result>(evaluate: () => Result): Result {
    this.stepsLeft = MAX_STEPS;
    this.sharesSteps = true;
    try {
      return evaluate();
    } finally {
      this.sharesSteps = false;
    }
  }

  /** Begins an evaluation, however the last one ended. */
  start(counters: Counters, store: CounterStore): void {
    this.counters = counters;
    // Fields are only written if they change, because the garbage collector tracks writes.
    if (this.store !== store) this.store = store;
    this.depth = 0;
    store.beginValue();
    if (!this.sharesSteps && this.stepsLeft !== MAX_STEPS) this.stepsLeft = MAX_STEPS;
    this.isTooDeep = false;
    this.hasSkippedText = false;
    this.hasUntestedText = false;
    this.fault = -1;
    this.otherFault = -1;
    if (this.faultSteps !== NO_STEPS) this.faultSteps = NO_STEPS;
    this.hasUnclearFault = false;
    this.mutedLevels = 0;
    if (this.patternBudget.steps !== MAX_PATTERN_STEPS) {
      this.patternBudget.steps = MAX_PATTERN_STEPS;
    }
    if (this.scope.length > 0) this.scope = [];
    if (this.place !== undefined) this.place = undefined;
    if (this.propertyCounts !== undefined) this.propertyCounts = undefined;
    if (this.#activeInstances !== undefined) this.#activeInstances = undefined;
  }
}
