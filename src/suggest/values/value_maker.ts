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
  type Composed,
  type Demand,
  type Facts,
  LEAST,
  type Made,
  type PartMaker,
  type Wish,
} from "./facts.ts";
import { gatherFacts } from "./gather_facts.ts";
import { makeArray, makeNumber } from "./make_number.ts";
import { makeObject } from "./make_object.ts";
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
  readonly #known = new Map<SchemaNode, Map<Position, Made>>();
  /**
   * Keys for which no value was found, with the open values where the search stopped: while they are open, it fails.
   */
  readonly #failed = new Map<string, readonly string[]>();
  readonly #numbers = new Map<unknown, number>();
  readonly #open: OpenValue[] = [];
  #stops = new Set<string>();
  #calls = 0;
  readonly #sizes = new WeakMap<object, number>();
  #steps = MAX_STEPS;
  #parts = MAX_PARTS;
  #allowed = Infinity;
  #taken = 0;

  constructor(causes: CauseFinder) {
    this.#causes = causes;
  }

  /** Sets the number of steps after which no more values are made. */
  allowSteps(most: number): void {
    this.#allowed = most;
  }

  get isSpent(): boolean {
    return this.#allowed <= 0;
  }

  takeSteps(): number {
    const steps = this.#taken;
    this.#taken = 0;
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

  valid(demands: readonly Demand[], position: Position, wish: Wish = LEAST): Made | undefined {
    const only = wish === LEAST && demands.length === 1 && demands[0]?.holds
      ? demands[0].schema
      : undefined;
    const known = typeof only === "object" ? this.#known.get(only)?.get(position) : undefined;
    if (known !== undefined) return known;
    if (areContrary(demands) || this.#hasFailed(demands, position, wish)) return undefined;
    const outer = this.#stops;
    this.#stops = new Set();
    const made = this.#firstValid(demands, position, wish);
    const around = [...this.#stops].filter((stop) => this.#isAround(stop));
    this.#stops = outer;
    for (const stop of around) outer.add(stop);
    if (made === undefined) {
      if (isPlain(wish) && this.#steps >= 0 && !this.isSpent) {
        this.#failed.set(this.#demandsKey(demands, position, wish), around);
      }
    } else if (typeof only === "object") {
      getOrAdd(this.#known, only, () => new Map()).set(position, made);
    }
    return made;
  }

  #hasFailed(demands: readonly Demand[], position: Position, wish: Wish): boolean {
    if (this.#failed.size === 0 || !isPlain(wish)) return false;
    const stops = this.#failed.get(this.#demandsKey(demands, position, wish));
    if (stops?.every((stop) => this.#isAround(stop)) !== true) return false;
    for (const stop of stops) this.#stops.add(stop);
    return true;
  }

  /** True if a value that a search stopped at is still being made. */
  #isAround(stop: string): boolean {
    return stop === this.#call() || this.#open.some((open) => this.#keyOfOpen(open) === stop);
  }

  /** Returns the key for a stop at the limits of depth or parts, which depend on where the search started. */
  #call(): string {
    return this.#open.length === 0 ? "" : `call ${this.#calls}`;
  }

  #keyOfOpen(open: OpenValue): string {
    const { demands, position, wish } = open;
    return open.key ??= `${wish === LEAST} ${this.#demandsKey(demands, position, LEAST)}`;
  }

  #demandsKey(demands: readonly Demand[], position: Position, { isFull, variant }: Wish): string {
    const schemas = demands.map(({ schema, holds }) =>
      `${holds ? "" : "!"}${this.#internNumber(resolveTarget(schema))}`
    );
    const all = [...new Set(schemas)].sort().join(" ");
    return `${all} ${this.#internNumber(position)} ${isFull} ${variant}`;
  }

  #internNumber(thing: unknown): number {
    return getOrAdd(this.#numbers, thing, () => this.#numbers.size);
  }

  #firstValid(demands: readonly Demand[], position: Position, wish: Wish): Made | undefined {
    const mark = wish.classes?.mark() ?? 0;
    for (const made of this.values(demands, position, wish)) {
      if (this.isValid([...demands, ...made.facts.alone], made.value)) return made;
    }
    wish.classes?.back(mark);
    return undefined;
  }

  /** Yields values for each series of decisions, not yet checked: with combinators, one demand may break another. */
  *values(demands: readonly Demand[], position: Position, wish: Wish): Generator<Made> {
    if (this.#open.length === 0) {
      this.#steps = MAX_STEPS;
      this.#parts = MAX_PARTS;
      this.#calls++;
    } else if (this.#open.length >= MAX_DEPTH) {
      this.#stops.add(this.#call());
      return;
    } else if (this.#isOpen(demands, position, wish)) return;
    this.#open.push({ demands, position, wish });
    try {
      let attempts = 1;
      const mark = wish.classes?.mark() ?? 0;
      for (let attempt = 0; attempt < Math.min(attempts, MAX_ATTEMPTS); attempt++) {
        if (--this.#steps < 0 || this.isSpent) return;
        this.#allowed--;
        this.#taken++;
        wish.classes?.back(mark);
        const gathered = gatherFacts(demands, wish, attempt);
        attempts = Math.max(attempts, gathered.attempts);
        const { facts, width } = gathered;
        yield* this.#fromFacts(demands, position, wish, facts, width);
      }
    } finally {
      this.#open.pop();
    }
  }

  *#fromFacts(
    demands: readonly Demand[],
    position: Position,
    wish: Wish,
    facts: Facts,
    width: number,
  ): Generator<Made> {
    const examples = wish.includes === undefined && wish.breaches.length === 0 &&
        wish.classes === undefined
      ? facts.examples.filter((value) =>
        (jsonType(value) & position.types) !== 0 && this.isValid(demands, value) &&
        !isAmong(value, wish.excluded)
      )
      : [];
    const example = examples[wish.variant];
    const total = width + examples.length;
    if (example !== undefined) yield { value: example, width: total, facts };
    if (facts.isImpossible) return;
    const types = facts.types & position.types;
    const variant = Math.max(0, wish.variant - examples.length);
    for (const made of this.#compose(facts, types, position, { ...wish, variant })) {
      yield { ...made, width: Math.max(width, made.width) + examples.length, facts };
    }
  }

  *#compose(
    facts: Facts,
    types: number,
    position: Position,
    wish: Wish,
  ): Generator<Composed> {
    const isRight = (value: Json) =>
      (jsonType(value) & types) !== 0 && !isAmong(value, facts.excluded) &&
      !isAmong(value, wish.excluded);
    const { admitted } = facts;
    if (admitted !== undefined) {
      const right = admitted.filter(isRight);
      const width = right.length === 0 ? 1 : new Set(right.map(jsonType)).size;
      for (let index = 0; index < Math.min(right.length, MAX_ATTEMPTS); index++) {
        const value = right[(wish.variant + index) % right.length];
        if (value !== undefined) yield { value, width };
      }
      return;
    }
    const order = orderTypes(facts, types, wish);
    const width = facts.types === ANY_TYPE ? Math.max(1, order.aimed) : order.types.length;
    for (let index = 0; index < order.types.length; index++) {
      const at = index === 0 ? wish.variant % width : index;
      const type = order.types[index === wish.variant % width ? 0 : at];
      if (type === undefined) continue;
      const made = this.#ofType(type, facts, position, wish, isRight);
      if (made !== undefined) yield { value: made.value, width: Math.max(width, made.width) };
    }
  }

  #ofType(
    type: number,
    facts: Facts,
    position: Position,
    wish: Wish,
    isRight: (value: Json) => boolean,
  ): Composed | undefined {
    const scalar = (value: Json | undefined) =>
      value === undefined || !isRight(value) ? undefined : { value, width: 1 };
    switch (type) {
      case STRING:
        return scalar(makeText(facts, position, isRight));
      case INTEGER:
      case NUMBER:
        return scalar(makeNumber(facts, isRight));
      case BOOLEAN:
        return scalar([true, false].find(isRight));
      case NULL:
        return scalar(null);
    }
    const make = type === ARRAY ? makeArray : makeObject;
    const made = make(facts, position, wish, this);
    return made !== undefined && this.#isSmall(made.value) && isRight(made.value)
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
    return wish === LEAST &&
      this.#isStopped((open) =>
        open.wish === LEAST && open.position === position &&
        areWithin(demands, open.demands) && areWithin(open.demands, demands)
      );
  }

  mayAdd(demands: readonly Demand[]): boolean {
    if (this.#parts <= 0) {
      this.#stops.add(this.#call());
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
    const stop = this.#open.findLast(isStop);
    if (stop === undefined) return false;
    this.#stops.add(this.#keyOfOpen(stop));
    return true;
  }
}

function isPlain(wish: Wish): boolean {
  const { routes, breaches, breaksFreely, includes, isHole, excluded, classes } = wish;
  return classes === undefined && routes.length + breaches.length + excluded.length === 0 &&
    includes === undefined &&
    !isHole && !breaksFreely;
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

/** True if the demands are to match and not to match the same schema. */
function areContrary(demands: readonly Demand[]): boolean {
  return demands.some(({ schema, holds }) =>
    !holds &&
    demands.some((other) => other.holds && resolveTarget(other.schema) === resolveTarget(schema))
  );
}

function areWithin(demands: readonly Demand[], others: readonly Demand[]): boolean {
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
function orderTypes(
  facts: Facts,
  types: number,
  wish: Wish,
): { readonly types: readonly number[]; readonly aimed: number } {
  let { aims } = facts;
  if (typeof wish.includes === "string") aims = OBJECT;
  else if (typeof wish.includes === "number") aims = ARRAY;
  else if (facts.types === ANY_TYPE) {
    if (facts.patterns.length + facts.formats.length > 0) aims |= STRING;
    if (facts.minLength > 0 || facts.maxLength < Infinity) aims |= STRING;
    if (facts.minimum > -Infinity || facts.maximum < Infinity) aims |= ANY_NUMBER;
    if (facts.multiples.length > 0) aims |= ANY_NUMBER;
  }
  const allowed = TYPES.filter((type) => (type & types) !== 0)
    .filter((type) => type !== NUMBER || (types & INTEGER) === 0 || facts.notFormats.length > 0);
  const aimed = allowed.filter((type) => (type & aims) !== 0);
  const isBound = wish.includes !== undefined;
  const others = isBound && aimed.length > 0 ? [] : allowed.filter((type) => !aimed.includes(type));
  const plain = facts.types === ANY_TYPE && aimed.length === 0
    ? [...others.filter((type) => type === STRING), ...others.filter((type) => type !== STRING)]
    : others;
  return { types: [...aimed, ...plain], aimed: aimed.length };
}
