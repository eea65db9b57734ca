import type { CauseFinder } from "../../schema/causes/cause_finder.ts";
import { equal } from "../../schema/equal.ts";
import type { SchemaNode } from "../../schema/schema_node.ts";
import type { Json } from "../../values/json.ts";
import {
  ANY_NUMBER,
  ANY_TYPE,
  ARRAY,
  BOOLEAN,
  INTEGER,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  typeOf,
} from "../../values/json_type.ts";
import type { Position } from "../../values/position.ts";
import { type Demand, LEAST, type Wish } from "./demand.ts";
import type { Facts } from "./facts.ts";
import { gatherFacts } from "./gather_facts.ts";
import { makeArray } from "./make_array.ts";
import { makeNumber } from "./make_number.ts";
import { makeObject } from "./make_object.ts";
import { makeText } from "./make_text.ts";
import type { Made, PartMaker } from "./part_maker.ts";

/** The most decisions that are tried for one value. */
const MAX_ATTEMPTS = 24;
/** The nesting depth of made values; what has to be deeper isn't made. */
const MAX_DEPTH = 40;
/** The steps for one value with all that is in it. */
const MAX_STEPS = 3_000;
/** The most properties and items in one value that could be left out. */
const MAX_PARTS = 1_500;

/** The types in the order of preference where several are allowed. */
const TYPES = [OBJECT, ARRAY, STRING, INTEGER, NUMBER, BOOLEAN, NULL];

/** Makes values that match schemas, and values that break one of their keywords. */
export class ValueMaker implements PartMaker {
  readonly #causes: CauseFinder;
  readonly #known = new Map<SchemaNode, Map<Position, Made>>();
  readonly #open: (readonly Demand[])[] = [];
  #steps = MAX_STEPS;
  #parts = MAX_PARTS;

  /** Judges values by their causes. */
  constructor(causes: CauseFinder) {
    this.#causes = causes;
  }

  /** True if a value meets all demands. */
  isValid(demands: readonly Demand[], value: Json): boolean {
    return demands.every(({ schema, holds }) =>
      (typeof schema === "boolean"
        ? schema
        : this.#causes.singleCause(schema, value).length === 0) === holds
    );
  }

  /** The number of rules of all demands that a value breaks; where it is more than one, perhaps not all. */
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

  /** The first value that meets all demands; undefined if none was found. */
  valid(demands: readonly Demand[], position: Position, wish: Wish = LEAST): Made | undefined {
    const only = wish === LEAST && demands.length === 1 && demands[0]?.holds
      ? demands[0].schema
      : undefined;
    if (typeof only !== "object") return this.#firstValid(demands, position, wish);
    const known = this.#known.get(only)?.get(position);
    if (known !== undefined) return known;
    const made = this.#firstValid(demands, position, wish);
    if (made === undefined) return undefined;
    const byPosition = this.#known.get(only) ?? new Map<Position, Made>();
    this.#known.set(only, byPosition.set(position, made));
    return made;
  }

  #firstValid(demands: readonly Demand[], position: Position, wish: Wish): Made | undefined {
    for (const made of this.values(demands, position, wish)) {
      if (this.isValid(demands, made.value)) return made;
    }
    return undefined;
  }

  /**
   * Values for all demands, one for each series of decisions. Not all of them have to be right: where combinators are
   * involved, what one of them asks for may break another.
   */
  *values(demands: readonly Demand[], position: Position, wish: Wish): Generator<Made> {
    if (this.#open.length === 0) {
      this.#steps = MAX_STEPS;
      this.#parts = MAX_PARTS;
    } else if (this.#open.length >= MAX_DEPTH) return;
    this.#open.push(demands);
    try {
      for (const types of typesInTurn(position)) {
        let attempts = 1;
        for (let attempt = 0; attempt < Math.min(attempts, MAX_ATTEMPTS); attempt++) {
          if (--this.#steps < 0) return;
          const gathered = gatherFacts(demands, wish, attempt);
          attempts = Math.max(attempts, gathered.attempts);
          const { facts, width } = gathered;
          yield* this.#fromFacts(demands, { position, types }, wish, facts, width);
        }
      }
    } finally {
      this.#open.pop();
    }
  }

  *#fromFacts(
    demands: readonly Demand[],
    { position, types: allowed }: { readonly position: Position; readonly types: number },
    wish: Wish,
    facts: Facts,
    width: number,
  ): Generator<Made> {
    const examples = wish.includes === undefined && wish.breaches.length === 0
      ? facts.examples.filter((value) =>
        (typeOf(value) & allowed) !== 0 && this.isValid(demands, value) &&
        !wish.excluded.some((other) => equal(other, value))
      )
      : [];
    const example = examples[wish.variant];
    const total = width + examples.length;
    if (example !== undefined) yield { value: example, width: total, facts };
    if (facts.isImpossible) return;
    const types = facts.types & allowed;
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
  ): Generator<{ readonly value: Json; readonly width: number }> {
    const isRight = (value: Json) =>
      (typeOf(value) & types) !== 0 && !isAmong(value, facts.excluded) &&
      !isAmong(value, wish.excluded);
    const { admitted } = facts;
    if (admitted !== undefined) {
      const right = admitted.filter(isRight);
      const width = right.length === 0 ? 1 : new Set(right.map(typeOf)).size;
      for (let index = 0; index < Math.min(right.length, MAX_ATTEMPTS); index++) {
        const value = right[(wish.variant + index) % right.length];
        if (value !== undefined) yield { value, width };
      }
      return;
    }
    const order = orderOf(facts, types, wish);
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
  ): { readonly value: Json; readonly width: number } | undefined {
    const scalar = (value: Json | undefined) =>
      value === undefined || !isRight(value) ? undefined : { value, width: 1 };
    switch (type) {
      case STRING:
        return scalar(makeText(facts, isRight));
      case INTEGER:
      case NUMBER:
        return scalar(makeNumber(facts, isRight));
      case BOOLEAN:
        return scalar([true, false].find(isRight));
      case NULL:
        return scalar(null);
      case ARRAY: {
        const made = makeArray(facts, position, wish, this);
        return made !== undefined && isRight(made.value) ? made : undefined;
      }
      default: {
        const made = makeObject(facts, position, wish, this);
        return made !== undefined && isRight(made.value) ? made : undefined;
      }
    }
  }

  /** True if a part that could be left out may be made: it isn't part of itself, and there is room. */
  mayAdd(demands: readonly Demand[]): boolean {
    if (this.#parts <= 0) return false;
    const schemas = demands.map(({ schema }) => targetOf(schema));
    const isOpen = this.#open.some((open) =>
      open.some(({ schema }) => typeof schema === "object" && schemas.includes(targetOf(schema)))
    );
    if (isOpen) return false;
    this.#parts--;
    return true;
  }
}

/**
 * The types that a place can have, in the order in which they are tried: the text `null` is read as null last, since most
 * servers take it for a text.
 */
function typesInTurn({ types, json }: Position): readonly number[] {
  const isText = !json && (types & NULL) !== 0 && types !== NULL;
  return isText ? [types & ~NULL, NULL] : [types];
}

/** The schema that another one is nothing but a reference to. */
function targetOf(schema: Demand["schema"]): Demand["schema"] {
  let target = schema;
  for (let step = 0; step < 10 && typeof target === "object"; step++) {
    const next = target.plainTarget;
    if (typeof next !== "object") break;
    target = next;
  }
  return typeof target === "object" ? target.plain : target;
}

function isAmong(value: Json, others: readonly Json[]): boolean {
  return others.some((other) => equal(other, value));
}

/** The types to make a value of: those that the demands speak of first. */
function orderOf(
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
