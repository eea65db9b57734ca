import type { CauseFinder } from "../../schema/causes/cause_finder.ts";
import { equal } from "../../schema/equal.ts";
import type { SchemaNode } from "../../schema/schema_node.ts";
import { getOrAdd } from "../../values/collections.ts";
import type { Json } from "../../values/json.ts";
import {
  ANY_NUMBER,
  ANY_TYPE,
  ARRAY,
  BOOLEAN,
  INTEGER,
  jsonType,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
} from "../../values/json_type.ts";
import type { Position } from "../../values/position.ts";
import {
  type ComposedValue,
  type Demand,
  type Facts,
  type MadeValue,
  MINIMAL,
  type PartMaker,
  type Wish,
} from "./facts.ts";
import { gatherFacts } from "./gather_facts.ts";
import { makeArray, makeNumber } from "./make_number.ts";
import { ObjectMaker } from "./make_object.ts";
import { makeText } from "./make_text.ts";

/** The most series of decisions that are tried for one value. */
const MAX_ATTEMPTS = 24;
const MAX_DEPTH = 40;
const MAX_STEPS = 3_000;
/** The most optional properties and items in one value. */
const MAX_PARTS = 1_500;

/** The most values in one value; if each schema requires two of the next, they double with every level. */
const MAX_SIZE = 6_000;

/** Types in order of preference. */
const TYPES = [OBJECT, ARRAY, STRING, INTEGER, NUMBER, BOOLEAN, NULL];

interface OpenValue {
  readonly demands: readonly Demand[];
  readonly position: Position;
  readonly wish: Wish;
  /** The key of the value where searches stopped; computed when first needed. */
  key?: string;
}

/** Makes values that match schemas, and values that break one of their keywords. */
export class ValueMaker implements PartMaker {
  readonly #causes: CauseFinder;
  readonly #cache = new Map<SchemaNode, Map<Position, MadeValue>>();
  /**
   * Keys for which no value was found, with the open values where the search stopped: while they are open, it fails.
   */
  readonly #failures = new Map<string, readonly string[]>();
  readonly #internNumbers = new Map<unknown, number>();
  readonly #openValues: OpenValue[] = [];
  #stops = new Set<string>();
  #calls = 0;
  readonly #sizes = new WeakMap<object, number>();
  #steps = MAX_STEPS;
  #parts = MAX_PARTS;
  #stepsLeft = Infinity;
  #stepsTaken = 0;

  constructor(causes: CauseFinder) {
    this.#causes = causes;
  }

  /** Sets the number of steps after which no more values are made. */
  allowSteps(steps: number): void {
    this.#stepsLeft = steps;
  }

  get isOutOfSteps(): boolean {
    return this.#stepsLeft <= 0;
  }

  collectSteps(): number {
    const steps = this.#stepsTaken;
    this.#stepsTaken = 0;
    return steps;
  }

  isValid(demands: readonly Demand[], value: Json): boolean {
    return demands.every(({ schema, holds }) =>
      (typeof schema === "boolean"
        ? schema
        : this.#causes.singleCause(schema, value).length === 0) === holds
    );
  }

  /** Counts the rules of all demands that a value breaks; if there are several, the count may be too low. */
  countBroken(demands: readonly Demand[], value: Json): number {
    let count = 0;
    for (const { schema, holds } of demands) {
      if (typeof schema === "boolean") count += schema === holds ? 0 : 1;
      else {
        const broken = this.#causes.singleCause(schema, value).length;
        count += holds ? broken : broken === 0 ? 1 : 0;
      }
    }
    return count;
  }

  make(demands: readonly Demand[], position: Position, wish = MINIMAL): MadeValue | undefined {
    const single = wish === MINIMAL && demands.length === 1 && demands[0]?.holds
      ? demands[0].schema
      : undefined;
    const cached = typeof single === "object" ? this.#cache.get(single)?.get(position) : undefined;
    if (cached !== undefined) return cached;
    if (areContradictory(demands) || this.#hasFailed(demands, position, wish)) return undefined;
    const outerStops = this.#stops;
    this.#stops = new Set();
    const made = this.#findValid(demands, position, wish);
    const openStops = [...this.#stops].filter((stop) => this.#isBeingMade(stop));
    this.#stops = outerStops;
    for (const stop of openStops) outerStops.add(stop);
    if (made === undefined) {
      if (isCacheable(wish) && this.#steps >= 0 && !this.isOutOfSteps) {
        this.#failures.set(this.#demandsKey(demands, position, wish), openStops);
      }
    } else if (typeof single === "object") {
      getOrAdd(this.#cache, single, () => new Map()).set(position, made);
    }
    return made;
  }

  #hasFailed(demands: readonly Demand[], position: Position, wish: Wish): boolean {
    if (this.#failures.size === 0 || !isCacheable(wish)) return false;
    const stops = this.#failures.get(this.#demandsKey(demands, position, wish));
    if (stops?.every((stop) => this.#isBeingMade(stop)) !== true) return false;
    for (const stop of stops) this.#stops.add(stop);
    return true;
  }

  /** True if a value that a search stopped at is still being made. */
  #isBeingMade(stop: string): boolean {
    return stop === this.#callKey() || this.#openValues.some((open) => this.#keyFor(open) === stop);
  }

  /** Returns the key for a stop at the limits of depth or parts, which depend on where the search started. */
  #callKey(): string {
    return this.#openValues.length === 0 ? "" : `call ${this.#calls}`;
  }

  #keyFor(open: OpenValue): string {
    const { demands, position, wish } = open;
    return open.key ??= `${wish === MINIMAL} ${this.#demandsKey(demands, position, MINIMAL)}`;
  }

  #demandsKey(demands: readonly Demand[], position: Position, { isFull, variant }: Wish): string {
    const schemas = demands.map(({ schema, holds }) =>
      `${holds ? "" : "!"}${this.#internNumber(resolveTarget(schema))}`
    );
    const sorted = [...new Set(schemas)].sort().join(" ");
    return `${sorted} ${this.#internNumber(position)} ${isFull} ${variant}`;
  }

  #internNumber(value: unknown): number {
    return getOrAdd(this.#internNumbers, value, () => this.#internNumbers.size);
  }

  #findValid(demands: readonly Demand[], position: Position, wish: Wish): MadeValue | undefined {
    const mark = wish.classes?.mark() ?? 0;
    for (const made of this.candidates(demands, position, wish)) {
      if (this.isValid([...demands, ...made.facts.otherAlternatives], made.value)) return made;
    }
    wish.classes?.rollBack(mark);
    return undefined;
  }

  /** Yields values for each series of decisions, not yet checked: with combinators, one demand may break another. */
  *candidates(demands: readonly Demand[], position: Position, wish: Wish): Generator<MadeValue> {
    if (this.#openValues.length === 0) {
      this.#steps = MAX_STEPS;
      this.#parts = MAX_PARTS;
      this.#calls++;
    } else if (this.#openValues.length >= MAX_DEPTH) {
      this.#stops.add(this.#callKey());
      return;
    } else if (this.#isOpen(demands, position, wish)) return;
    this.#openValues.push({ demands, position, wish });
    try {
      let attempts = 1;
      const mark = wish.classes?.mark() ?? 0;
      for (let attempt = 0; attempt < Math.min(attempts, MAX_ATTEMPTS); attempt++) {
        if (--this.#steps < 0 || this.isOutOfSteps) return;
        this.#stepsLeft--;
        this.#stepsTaken++;
        wish.classes?.rollBack(mark);
        const { facts, width, attempts: found } = gatherFacts(demands, wish, attempt);
        attempts = Math.max(attempts, found);
        yield* this.#makeFromFacts(demands, position, wish, facts, width);
      }
    } finally {
      this.#openValues.pop();
    }
  }

  *#makeFromFacts(
    demands: readonly Demand[],
    position: Position,
    wish: Wish,
    facts: Facts,
    width: number,
  ): Generator<MadeValue> {
    const examples = wish.requiredPart === undefined && wish.breaches.length === 0 &&
        wish.classes === undefined
      ? facts.examples.filter((value) =>
        (jsonType(value) & position.types) !== 0 && this.isValid(demands, value) &&
        !isAmong(value, wish.excluded)
      )
      : [];
    const example = examples[wish.variant];
    const variants = width + examples.length;
    if (example !== undefined) yield { value: example, variants, facts };
    if (facts.isImpossible) return;
    const types = facts.types & position.types;
    const variant = Math.max(0, wish.variant - examples.length);
    for (const made of this.#compose(facts, types, position, { ...wish, variant })) {
      yield { ...made, variants: Math.max(width, made.variants) + examples.length, facts };
    }
  }

  *#compose(
    facts: Facts,
    types: number,
    position: Position,
    wish: Wish,
  ): Generator<ComposedValue> {
    const isAllowed = (value: Json) =>
      (jsonType(value) & types) !== 0 && !isAmong(value, facts.excluded) &&
      !isAmong(value, wish.excluded);
    const { allowed } = facts;
    if (allowed !== undefined) {
      const allowedValues = allowed.filter(isAllowed);
      const width = allowedValues.length === 0 ? 1 : new Set(allowedValues.map(jsonType)).size;
      for (let index = 0; index < Math.min(allowedValues.length, MAX_ATTEMPTS); index++) {
        const value = allowedValues[(wish.variant + index) % allowedValues.length];
        if (value !== undefined) yield { value, variants: width };
      }
      return;
    }
    const order = orderTypes(facts, types, wish);
    const width = facts.types === ANY_TYPE ? Math.max(1, order.relevantCount) : order.types.length;
    for (let index = 0; index < order.types.length; index++) {
      const at = index === 0 ? wish.variant % width : index;
      const type = order.types[index === wish.variant % width ? 0 : at];
      if (type === undefined) continue;
      const made = this.#makeTyped(type, facts, position, wish, isAllowed);
      if (made !== undefined) yield { value: made.value, variants: Math.max(width, made.variants) };
    }
  }

  #makeTyped(
    type: number,
    facts: Facts,
    position: Position,
    wish: Wish,
    isAllowed: (value: Json) => boolean,
  ): ComposedValue | undefined {
    const scalar = (value: Json | undefined) =>
      value === undefined || !isAllowed(value) ? undefined : { value, variants: 1 };
    switch (type) {
      case STRING:
        return scalar(makeText(facts, position, isAllowed));
      case INTEGER:
      case NUMBER:
        return scalar(makeNumber(facts, isAllowed));
      case BOOLEAN:
        return scalar([true, false].find(isAllowed));
      case NULL:
        return scalar(null);
    }
    const made = type === ARRAY
      ? makeArray(facts, position, wish, this)
      : new ObjectMaker(facts, position, this).make(wish);
    return made !== undefined && this.#isSmall(made.value) && isAllowed(made.value)
      ? made
      : undefined;
  }

  /** True if a value is small enough to be sent. Has to be called for the parts of a value first. */
  #isSmall(value: Json): boolean {
    if (typeof value !== "object" || value === null) return true;
    let size = 1;
    for (const part of Object.values(value)) {
      size += typeof part === "object" && part !== null ? this.#sizes.get(part) ?? 1 : 1;
    }
    this.#sizes.set(value, size);
    if (size <= MAX_SIZE) return true;
    this.#steps = 0; // other decisions would make a value as large again
    return false;
  }

  /** True if the minimal value for the same demands is being made around this one: it can't contain itself. */
  #isOpen(demands: readonly Demand[], position: Position, wish: Wish): boolean {
    return wish === MINIMAL &&
      this.#isStopped((open) =>
        open.wish === MINIMAL && open.position === position &&
        areAllIn(demands, open.demands) && areAllIn(open.demands, demands)
      );
  }

  mayAdd(demands: readonly Demand[]): boolean {
    if (this.#parts <= 0) {
      this.#stops.add(this.#callKey());
      return false;
    }
    const schemas = demands.map(({ schema }) => resolveTarget(schema));
    const isOpen = this.#isStopped((open) =>
      open.demands.some(({ schema }) =>
        typeof schema === "object" && schemas.includes(resolveTarget(schema))
      )
    );
    if (isOpen) return false;
    this.#parts--;
    return true;
  }

  #isStopped(isStop: (open: OpenValue) => boolean): boolean {
    const stop = this.#openValues.findLast(isStop);
    if (stop === undefined) return false;
    this.#stops.add(this.#keyFor(stop));
    return true;
  }
}

function isCacheable(wish: Wish): boolean {
  const { routes, breaches, breaksFreely, requiredPart, isPartReplaced, excluded, classes } = wish;
  return classes === undefined && routes.length + breaches.length + excluded.length === 0 &&
    requiredPart === undefined && !isPartReplaced && !breaksFreely;
}

/** Follows references from a schema that is nothing but a reference. */
function resolveTarget(schema: Demand["schema"]): Demand["schema"] {
  let target = schema;
  for (let step = 0; step < 10 && typeof target === "object"; step++) {
    const next = target.plainTarget;
    if (typeof next !== "object") break;
    target = next;
  }
  return typeof target === "object" ? target.plain : target;
}

function areContradictory(demands: readonly Demand[]): boolean {
  return demands.some(({ schema, holds }) =>
    !holds &&
    demands.some((other) => other.holds && resolveTarget(other.schema) === resolveTarget(schema))
  );
}

function areAllIn(demands: readonly Demand[], others: readonly Demand[]): boolean {
  return demands.every(({ schema, holds }) =>
    others.some((other) =>
      other.holds === holds && resolveTarget(other.schema) === resolveTarget(schema)
    )
  );
}

function isAmong(value: Json, others: readonly Json[]): boolean {
  const isPlain = typeof value !== "object" || value === null; // there may be thousands of others
  return isPlain ? others.includes(value) : others.some((other) => equal(other, value));
}

/** Orders the types to try: first those that demands are about. */
function orderTypes(facts: Facts, types: number, wish: Wish) {
  let { relevantTypes } = facts;
  if (typeof wish.requiredPart === "string") relevantTypes = OBJECT;
  else if (typeof wish.requiredPart === "number") relevantTypes = ARRAY;
  else if (facts.types === ANY_TYPE) {
    if (facts.patterns.length + facts.formats.length > 0) relevantTypes |= STRING;
    if (facts.minLength > 0 || facts.maxLength < Infinity) relevantTypes |= STRING;
    if (facts.minimum > -Infinity || facts.maximum < Infinity) relevantTypes |= ANY_NUMBER;
    if (facts.multiples.length > 0) relevantTypes |= ANY_NUMBER;
  }
  const usable = TYPES.filter((type) => (type & types) !== 0)
    .filter((type) => type !== NUMBER || (types & INTEGER) === 0 || facts.notFormats.length > 0);
  const first = usable.filter((type) => (type & relevantTypes) !== 0);
  const hasPart = wish.requiredPart !== undefined;
  const others = hasPart && first.length > 0 ? [] : usable.filter((type) => !first.includes(type));
  const plain = facts.types === ANY_TYPE && first.length === 0
    ? [...others.filter((type) => type === STRING), ...others.filter((type) => type !== STRING)]
    : others;
  return { types: [...first, ...plain], relevantCount: first.length };
}
