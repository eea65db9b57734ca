import { findMatch } from "../../schema/pattern/find_text.ts";
import { setOwn } from "../../values/collections.ts";
import type { Json } from "../../values/json.ts";
import { JSON_POSITION, NOWHERE, type Position } from "../../values/position.ts";
import {
  type Composed,
  type Facts,
  LEAST,
  match,
  type PartMaker,
  partWish,
  type WantedProperty,
  type Wish,
} from "./facts.ts";

/** Names to try for properties that may have any name. */
export const FREE_NAMES = ["additional", "extra", "x-extra", "other", "a", "1"];
const MORE_NAMES = 500;

/** Makes an object that meets all demands; undefined if none was found. */
export function makeObject(
  facts: Facts,
  position: Position,
  wish: Wish,
  maker: PartMaker,
): Composed | undefined {
  return new ObjectMaker(facts, position, maker).make(wish);
}

class ObjectMaker {
  readonly #facts: Facts;
  readonly #position: Position;
  readonly #maker: PartMaker;
  readonly #object: Record<string, Json> = {};

  constructor(facts: Facts, position: Position, maker: PartMaker) {
    this.#facts = facts;
    this.#position = position;
    this.#maker = maker;
  }

  make(wish: Wish): Composed | undefined {
    const facts = this.#facts;
    const object = this.#object;
    const names = new Set<string>();
    const add = (name: string): void => {
      if (names.has(name)) return;
      names.add(name);
      for (const needed of facts.needs.get(name) ?? []) add(needed);
    };
    for (const name of facts.required) add(name);
    if (typeof wish.includes === "string") add(wish.includes);
    const asked = new Set(names);
    const isRoom = (): boolean => names.size < facts.maxProperties - facts.wanted.length;
    // Outside JSON, an empty object usually isn't sent at all.
    const isShown = !this.#position.json && facts.maxProperties >= 1 && wish.breaches.length === 0;
    if (wish.isFull) {
      const optional = [...new Set([...facts.properties.keys(), ...facts.needs.keys()])];
      for (const name of turned(optional, wish.variant, facts.maxProperties)) {
        const isSought = facts.sought.has(name);
        if (!isSought && facts.spared.has(name)) continue;
        if (isRoom() && this.#mayHave(name, names, isSought)) add(name);
      }
      const spared = optional.find((name) => facts.spared.has(name) && this.#mayHave(name, names));
      if (isShown && names.size === 0 && spared !== undefined) add(spared);
    } else {
      const least = Math.max(facts.minProperties, isShown ? 1 : 0);
      for (const name of facts.properties.keys()) {
        if (names.size + facts.wanted.length >= least) break;
        if (this.#mayHave(name, names)) add(name);
      }
    }
    let width = 1;
    for (const name of ordered(names, facts)) {
      if (facts.forbidden.has(name)) {
        if (asked.has(name)) return undefined;
        continue;
      }
      if (wish.isHole && name === wish.includes) {
        setOwn(object, name, null);
        continue;
      }
      const place = this.#positionAt(name);
      const preferred = facts.preferred.get(name);
      const demands = facts.demandsOn(name);
      if (preferred !== undefined && this.#maker.isValid(demands, preferred)) {
        setOwn(object, name, preferred);
        continue;
      }
      const made = place === NOWHERE
        ? undefined
        : this.#maker.valid(demands, place, partWish(wish, demands));
      if (made === undefined) {
        if (asked.has(name)) return undefined;
        continue;
      }
      width = Math.max(width, made.width);
      setOwn(object, name, made.value);
    }
    const isComplete = facts.wanted.every((wanted) =>
      this.#isThere(wanted) || this.#addProperty(wanted, wish)
    );
    if (!isComplete) return undefined;
    const missing = facts.minProperties - Object.keys(object).length;
    for (let index = 0; index < missing; index++) {
      const wanted = { applies: () => true, pattern: undefined, demand: undefined };
      if (!this.#addProperty(wanted, LEAST)) return undefined;
    }
    if (Object.keys(object).length > facts.maxProperties) return undefined;
    return { value: object, width };
  }

  #positionAt(name: string): Position {
    const position = this.#position;
    if (position.json) return JSON_POSITION;
    return this.#facts.properties.has(name) || position.names.has(name)
      ? position.property(name)
      : position.undeclared([]);
  }

  /** True if an optional property may be added. */
  #mayHave(name: string, names: ReadonlySet<string>, isSought = false): boolean {
    if (names.has(name) || this.#facts.forbidden.has(name)) return false;
    if (this.#positionAt(name) === NOWHERE) return false;
    const demands = this.#facts.demandsOn(name);
    return !demands.some(({ schema, holds }) => schema === !holds) &&
      (isSought || this.#maker.mayAdd(demands));
  }

  /** True if the object already has a property that satisfies a wanted one. */
  #isThere({ applies, demand }: WantedProperty): boolean {
    return demand !== undefined &&
      Object.entries(this.#object).some(([name, value]) =>
        applies(name) && this.#maker.isValid([demand], value)
      );
  }

  /** Adds a wanted property under a name that is free. */
  #addProperty(wanted: WantedProperty, wish: Wish): boolean {
    const facts = this.#facts;
    const isFree = (name: string) =>
      !Object.hasOwn(this.#object, name) && !facts.forbidden.has(name) && wanted.applies(name) &&
      this.#maker.isValid(facts.names, name) &&
      (wanted.demand === undefined || !facts.properties.has(name));
    for (const name of this.#namesFor(wanted, isFree)) {
      const demands = wanted.demand === undefined ? facts.demandsOn(name) : [wanted.demand];
      const own = wish.classes === undefined ? LEAST : partWish(wish, demands);
      const made = this.#maker.valid(demands, this.#positionAt(name), own);
      if (made === undefined) continue;
      setOwn(this.#object, name, made.value);
      return true;
    }
    return false;
  }

  *#namesFor(
    { pattern }: WantedProperty,
    isFree: (name: string) => boolean,
  ): Generator<string> {
    const { names, properties } = this.#facts;
    for (const name of FREE_NAMES) if (isFree(name)) yield name;
    if (pattern !== undefined) {
      const found = findMatch(pattern, isFree);
      if (found !== undefined) yield found;
    }
    if (names.length > 0) {
      const made = this.#maker.valid([...names, match(true)], JSON_POSITION);
      if (typeof made?.value === "string" && isFree(made.value)) yield made.value;
    }
    for (const name of properties.keys()) if (isFree(name)) yield name;
    for (let number = 1; number <= MORE_NAMES; number++) {
      const name = `additional${number}`;
      if (isFree(name)) yield name;
    }
  }
}

/** Sorts names in the order of the description, undeclared ones last. */
function ordered(names: ReadonlySet<string>, facts: Facts): readonly string[] {
  const declared = [...facts.properties.keys()].filter((name) => names.has(name));
  return [...declared, ...[...names].filter((name) => !facts.properties.has(name))];
}

/** Rotates names if not all fit, so that each variant begins with other properties. */
function turned(names: readonly string[], variant: number, room: number): readonly string[] {
  if (names.length <= room) return names;
  const at = (variant * Math.max(1, room)) % names.length;
  return [...names.slice(at), ...names.slice(0, at)];
}
