import type { Budget } from "./pattern/program.ts";
import { MAX_PATTERN_STEPS } from "./pattern.ts";
import { type CountedUnit, type Counters, type CounterStore, NO_COUNTERS } from "./counters.ts";
import type { Resource } from "./references.ts";
import { getOrAdd } from "../values/collections.ts";
import type { Json } from "../values/json.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import type { EvaluatedParts } from "./evaluated_parts.ts";

export interface Memo {
  readonly valid: boolean;
  /** The parts that the schema marked as evaluated; undefined if no keyword needs them. */
  readonly evaluated: EvaluatedParts | undefined;
  readonly scope: string;
  /** The previous result of the same schema; undefined for the first one. */
  readonly previous: Memo | undefined;
}

export abstract class ValuePlace {
  #parts: Map<string | number, this> | undefined;
  #names: Map<string | number, this> | undefined;

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

  lastResult(unit: CountedUnit): Memo | undefined {
    return this.#results?.get(unit);
  }

  addResult(unit: CountedUnit, result: Memo): void {
    (this.#results ??= new Map()).set(unit, result);
  }
}

const MAX_SEARCH_DEPTH = 100;

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
