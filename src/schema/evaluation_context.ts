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
  /** The parts that it marked as evaluated; undefined if nothing asked for them. */
  readonly evaluated: Evaluated | undefined;
  /** The dynamic scope in which it was evaluated, where references are dynamic. */
  readonly scope: string;
  /** The result before it of the same schema; undefined for the first. */
  readonly before: Remembered | undefined;
}

/** A place of a value with the places below it, which are made when something asks for them. */
export abstract class ValuePlace {
  #parts: Map<string | number, this> | undefined;
  #names: Map<string | number, this> | undefined;

  /** The place of a property's value, or of an item. */
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

/** A place of a value that schemas reach in several ways: nothing is counted or evaluated twice there. */
export class InstancePlace extends ValuePlace {
  readonly #counted = new Set<number>();
  #results: Map<CountedUnit, Remembered> | undefined;

  isFirst(counter: number): boolean {
    const { size } = this.#counted;
    return this.#counted.add(counter).size > size;
  }

  /** The last result of a schema here, which leads to those before. */
  lastResult(unit: CountedUnit): Remembered | undefined {
    return this.#results?.get(unit);
  }

  remember(unit: CountedUnit, result: Remembered): void {
    (this.#results ??= new Map()).set(unit, result);
  }
}

/** Values are looked at to this depth. */
const DEEPEST = 100;

/** True if a value is or holds a text that a recorder put in the place of another; searches all of it. */
export function containsRedacted(value: Json, run: EvaluationContext, depth = 0): boolean {
  if (typeof value === "string") return isReplacedText(value) && run.leavesOut(value);
  if (typeof value !== "object" || value === null || depth > DEEPEST) return false;
  return Object.values(value).some((member) => containsRedacted(member, run, depth + 1));
}

/** The least that a reference adds to the depth of an evaluation. */
const LEAST_WEIGHT = 3;

/** From this depth on (400 references) parts are accepted as they are, well before the engine's stack ends. */
export const MAX_DEPTH: number = 400 * LEAST_WEIGHT;

/** The most references and alternatives that evaluating a value may take: about 0.3 s, which nothing can cut short. */
export const MAX_STEPS = 2_500_000;

/** The steps of a reference at a place that remembers, which takes about so much longer. */
export const REMEMBERING_STEPS = 20;

/** What a reference adds besides, in a description with dynamic references: each is looked up in a scope. */
const DYNAMIC_WEIGHT = 2;

/** What a reference adds to the depth of an evaluation, for the number of schemas nested inside its target. */
export function referenceWeight(height: number, isDynamic: boolean): number {
  return Math.max(LEAST_WEIGHT, height) + (isDynamic ? DYNAMIC_WEIGHT : 0);
}

const NO_TIMES = new Float64Array(0);
const NO_COUNTS: Float64Array = new Float64Array(0);

/** Numbers that are counted up, in blocks. One store serves a whole map, so that they lie close together. */
export class CounterStore {
  /** All blocks, one after the other; replaced when it grows. */
  counts: Float64Array = new Float64Array(256);
  /** The time at which the current request was sent, in seconds since 1970; Infinity if unknown. */
  now = Infinity;
  /** Counters below this may be seen for the first time: 0, while times ascend, so each time is looked at once. */
  fresh = 0;
  /** The number of requests that the present one stands for: what isn't counted in the store grows by it. */
  weight = 1;
  #used = 0;
  /** The time at which each counter was first counted, as {@linkcode CounterStore.now}; empty until a time is known. */
  #firsts: Float64Array = NO_TIMES;
  #latest = -Infinity;
  #ordered = true;
  /** What a weighted request has counted, next to the counters that it will be added to; all zeros between requests. */
  #weighed = NO_COUNTS;
  /** The counters that it has counted; undefined between weighted requests. */
  #touched: number[] | undefined;
  /** The counters whose times the present value has changed, each followed by the time before. */
  readonly #changed: number[] = [];

  /** Adds a block of zeros, and gives its offset. */
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

  /** Adds one to a counter. */
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

  /** Notes that a counter is counted now, if it never was before. */
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

  /** Counts one request that stands for several: once, and then every counter that grew by the rest of the weight. */
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
      if (isExact && weighed[at] !== 0) { // zero where it was taken back
        counts[at] = before + (weighed[at] as number) * weight;
        if (before < this.fresh) this.noteAt(at, this.now);
      }
      weighed[at] = 0;
    }
    if (!isExact) throw countOverflowError();
  }

  /** Begins with a value that may turn out to be one that isn't counted. */
  beginValue(): void {
    if (this.#changed.length > 0) this.#changed.length = 0;
  }

  /** Takes back all that was counted since the present value began; `countAgain` counts it once more. */
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
      this.#firsts[changed[at] as number] = changed[at + 1] as number; // pairs
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

  /** Notes that counters were merged, with times that may be later than those of requests still to come. */
  mix(): void {
    this.#ordered = false;
  }
}

/** Up to this many units are searched one by one; more are looked up in a table. */
const FEW_UNITS = 8;

export interface DeclaringSchema {
  schemaPath(keyword: string): string;
}

/** The properties that a schema declares, with a mark for each that came: cheaper than a set of names. */
export interface PropertyMarks {
  /** Undefined for properties that aren't sent in the direction of the schema. */
  readonly names: readonly (string | undefined)[];
  readonly marks: Uint8Array;
}

/** The counters of one parameter: a block per unit with `valid, invalid` per keyword, examples, and the unit's own. */
export class Counters {
  readonly store: CounterStore;
  readonly units: CountedUnit[] = [];
  /** The declared properties that values had, by the schema that declares them; undefined where nobody asks. */
  properties: Map<DeclaringSchema, PropertyMarks> | undefined = undefined;
  // Most parameters have few units, and who asks again and again keeps the answer.
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

  /** The keyword that counts at a place of the blocks. */
  keywordAt(index: number): UnitKeyword {
    let at = this.#bases.length - 1;
    while (at >= 0 && (this.#bases[at] as number) > index) at--; // each begins after the one before
    const { keywords } = this.units[at] as CountedUnit; // it counts in one of their blocks
    const slot = index - (this.#bases[at] as number);
    // They are in the order of their counters, with those of examples and classes between them.
    let [low, high] = [0, keywords.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((keywords[middle] as UnitKeyword).slot > slot) high = middle;
      else low = middle;
    }
    return keywords[low] as UnitKeyword; // within its bounds
  }

  #byUnit(): Map<CountedUnit, number> {
    return this.#baseByUnit ??= new Map(
      this.units.map((unit, index) => [unit, this.#bases[index] as number]), // as many as units
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

/** Counters that nothing is counted in, where others have yet to come. */
export const NO_COUNTERS: Counters = new Counters();

const NO_STEPS: string[] = [];

export class EvaluationContext {
  counters: Counters = NO_COUNTERS;
  store: CounterStore = NO_COUNTERS.store;
  /** The weights of the open references, together. */
  depth = 0;
  /** The steps left; negative once there were too many. */
  left: number = MAX_STEPS;
  /** True while several values are parts of one body, whose steps they share. */
  isShared = false;
  /** True while every text in the value is known to hold nothing but ASCII. */
  isAscii = false;
  /** True if a part nested deeper than {@linkcode MAX_DEPTH} was left out. */
  tooDeep = false;
  /** True if a text was left out that a recorder had put in the place of a value. */
  replaced = false;
  /** True if a text was not held against a pattern, as that would have taken too long. */
  unjudged = false;
  /** The place of the counters of the first keyword that failed by itself; negative while none has. */
  fault = -1;
  /** The same of the first one after it that counts elsewhere. */
  otherFault = -1;
  /** The names and indexes that lead to the part where the first keyword failed, innermost first. */
  faultSteps: string[] = NO_STEPS;
  /** True if something failed that {@linkcode EvaluationContext.fail} was not called for. */
  hasUnclearFault = false;
  /** The number of keywords around whose failure may be none of the keywords in them; they are not noted there. */
  muted = 0;
  /** The budget for matching patterns, all of them together. */
  readonly allowance: Budget = { steps: STEPS };
  /** The schema resources entered, outermost first; kept only where references are dynamic. */
  scope: Resource[] = [];
  /** The place that is being evaluated, where several ways lead to it. */
  place: InstancePlace | undefined = undefined;
  /** The number of properties of large objects, so that repeated questions about one need not count or list them again. */
  large: Map<object, number> | undefined = undefined;

  readonly #findDocumented: () => ReadonlySet<string>;
  #documented: ReadonlySet<string> | undefined;
  #active: Map<CountedUnit, Set<unknown>> | undefined;
  readonly #resources = new Map<Resource, number>();

  /** `findDocumented` finds the texts that look as if a recorder had written them and mean themselves. */
  constructor(findDocumented: () => ReadonlySet<string>) {
    this.#findDocumented = findDocumented;
  }

  /** Leaves out a text that a recorder writes in the place of others, unless the description has it as a value. */
  leavesOut(text: string): boolean {
    if ((this.#documented ??= this.#findDocumented()).has(text)) return false;
    this.replaced = true;
    return true;
  }

  /** The instances under evaluation in a unit that comes back to itself in place. */
  activeIn(unit: CountedUnit): Set<unknown> {
    return getOrAdd(this.#active ??= new Map(), unit, () => new Set());
  }

  get scopeKey(): string {
    const numbers = this.scope.map((resource) =>
      getOrAdd(this.#resources, resource, () => this.#resources.size)
    );
    return [...new Set(numbers)].join();
  }

  /** The place that is being evaluated, where several ways may lead to it. */
  get currentPlace(): InstancePlace {
    return this.place ??= new InstancePlace();
  }

  /** Accepts what a reference leads to as it is, because there is too much of it, or it is too deep. Gives true. */
  accept(): true {
    if (this.left >= 0) this.tooDeep = true;
    return true;
  }

  /** Notes that a keyword failed by itself; `index` is the place of its counters. */
  fail(index: number): void {
    if (this.muted > 0) return;
    if (this.fault < 0) this.fault = index;
    else if (this.otherFault < 0 && this.fault !== index) this.otherFault = index;
  }

  /** Notes that something failed which may be none of the keywords that were noted. */
  failUnclearly(): void {
    if (this.muted === 0) this.hasUnclearFault = true;
  }

  /**
   * Notes the step to a part that failed; `before` is what {@linkcode EvaluationContext.fault} was before it. Keywords
   * evaluate parts themselves: a function between took a fifth more of the stack, at whose end counts of deep values go.
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

  /** Begins an evaluation, whatever became of the last one. */
  start(counters: Counters, store: CounterStore): void {
    this.counters = counters;
    // Written only where they change: the collector takes note of every write.
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
