import { findMatch } from "../../schema/pattern/find_text.ts";
import { setOwn } from "../../values/collections.ts";
import type { Json } from "../../values/json.ts";
import { JSON_POSITION, NOWHERE, type Position } from "../../values/position.ts";
import {
  type ComposedValue,
  type Facts,
  match,
  MINIMAL,
  type PartMaker,
  partWish,
  type UnnamedProperty,
  type Wish,
} from "./facts.ts";

/** Names to try for properties that may have any name. */
export const FREE_NAMES = ["additional", "extra", "x-extra", "other", "a", "1"];
const MAX_NUMBERED_NAMES = 500;

/** Makes one object that meets all demands of its place. */
export class ObjectMaker {
  readonly #facts: Facts;
  readonly #position: Position;
  readonly #maker: PartMaker;
  readonly #object: Record<string, Json> = {};

  constructor(facts: Facts, position: Position, maker: PartMaker) {
    this.#facts = facts;
    this.#position = position;
    this.#maker = maker;
  }

  /** Returns undefined if no object was found. */
  make(wish: Wish): ComposedValue | undefined {
    const facts = this.#facts;
    const object = this.#object;
    const names = new Set<string>();
    const add = (name: string): void => {
      if (names.has(name)) return;
      names.add(name);
      for (const needed of facts.dependencies.get(name) ?? []) add(needed);
    };
    for (const name of facts.required) add(name);
    if (typeof wish.requiredPart === "string") add(wish.requiredPart);
    const mandatory = new Set(names);
    const hasRoom = (): boolean => names.size < facts.maxProperties - facts.unnamed.length;
    // Outside JSON, an empty object usually isn't sent at all.
    const mustFill = !this.#position.json && facts.maxProperties >= 1 && wish.breaches.length === 0;
    if (wish.isFull) {
      const optional = [...new Set([...facts.properties.keys(), ...facts.dependencies.keys()])];
      for (const name of rotateNames(optional, wish.variant, facts.maxProperties)) {
        const showsClass = facts.toInclude.has(name);
        if (!showsClass && facts.toOmit.has(name)) continue;
        if (hasRoom() && this.#mayAdd(name, names, showsClass)) add(name);
      }
      const omitted = optional.find((name) => facts.toOmit.has(name) && this.#mayAdd(name, names));
      if (mustFill && names.size === 0 && omitted !== undefined) add(omitted);
    } else {
      const least = Math.max(facts.minProperties, mustFill ? 1 : 0);
      for (const name of facts.properties.keys()) {
        if (names.size + facts.unnamed.length >= least) break;
        if (this.#mayAdd(name, names)) add(name);
      }
    }
    let width = 1;
    for (const name of sortNames(names, facts)) {
      if (facts.forbidden.has(name)) {
        if (mandatory.has(name)) return undefined;
        continue;
      }
      if (wish.isPartReplaced && name === wish.requiredPart) {
        setOwn(object, name, null);
        continue;
      }
      const place = this.#positionAt(name);
      const preferred = facts.discriminators.get(name);
      const demands = facts.demandsOn(name);
      if (preferred !== undefined && this.#maker.isValid(demands, preferred)) {
        setOwn(object, name, preferred);
        continue;
      }
      const made = place === NOWHERE
        ? undefined
        : this.#maker.make(demands, place, partWish(wish, demands));
      if (made === undefined) {
        if (mandatory.has(name)) return undefined;
        continue;
      }
      width = Math.max(width, made.variants);
      setOwn(object, name, made.value);
    }
    const isComplete = facts.unnamed.every((property) =>
      this.#hasMatching(property) || this.#addProperty(property, wish)
    );
    if (!isComplete) return undefined;
    const missing = facts.minProperties - Object.keys(object).length;
    for (let index = 0; index < missing; index++) {
      const wanted = { applies: () => true, pattern: undefined, demand: undefined };
      if (!this.#addProperty(wanted, MINIMAL)) return undefined;
    }
    if (Object.keys(object).length > facts.maxProperties) return undefined;
    return { value: object, variants: width };
  }

  #positionAt(name: string): Position {
    const position = this.#position;
    if (position.json) return JSON_POSITION;
    return this.#facts.properties.has(name) || position.names.has(name)
      ? position.property(name)
      : position.undeclared([]);
  }

  #mayAdd(name: string, names: ReadonlySet<string>, showsClass = false): boolean {
    if (names.has(name) || this.#facts.forbidden.has(name)) return false;
    if (this.#positionAt(name) === NOWHERE) return false;
    const demands = this.#facts.demandsOn(name);
    return !demands.some(({ schema, holds }) => schema === !holds) &&
      (showsClass || this.#maker.mayAdd(demands));
  }

  #hasMatching({ applies, demand }: UnnamedProperty): boolean {
    return demand !== undefined &&
      Object.entries(this.#object).some(([name, value]) =>
        applies(name) && this.#maker.isValid([demand], value)
      );
  }

  #addProperty(property: UnnamedProperty, wish: Wish): boolean {
    const facts = this.#facts;
    const isFree = (name: string) =>
      !Object.hasOwn(this.#object, name) && !facts.forbidden.has(name) && property.applies(name) &&
      this.#maker.isValid(facts.nameDemands, name) &&
      (property.demand === undefined || !facts.properties.has(name));
    for (const name of this.#namesFor(property, isFree)) {
      const demands = property.demand === undefined ? facts.demandsOn(name) : [property.demand];
      const propertyWish = wish.classes === undefined ? MINIMAL : partWish(wish, demands);
      const made = this.#maker.make(demands, this.#positionAt(name), propertyWish);
      if (made === undefined) continue;
      setOwn(this.#object, name, made.value);
      return true;
    }
    return false;
  }

  *#namesFor(
    { pattern }: UnnamedProperty,
    isFree: (name: string) => boolean,
  ): Generator<string> {
    const { nameDemands, properties } = this.#facts;
    for (const name of FREE_NAMES) if (isFree(name)) yield name;
    if (pattern !== undefined) {
      const found = findMatch(pattern, isFree);
      if (found !== undefined) yield found;
    }
    if (nameDemands.length > 0) {
      const made = this.#maker.make([...nameDemands, match(true)], JSON_POSITION);
      if (typeof made?.value === "string" && isFree(made.value)) yield made.value;
    }
    for (const name of properties.keys()) if (isFree(name)) yield name;
    for (let number = 1; number <= MAX_NUMBERED_NAMES; number++) {
      const name = `additional${number}`;
      if (isFree(name)) yield name;
    }
  }
}

/** Sorts names in the order of the description, undeclared ones last. */
function sortNames(names: ReadonlySet<string>, facts: Facts): readonly string[] {
  const declared = [...facts.properties.keys()].filter((name) => names.has(name));
  return [...declared, ...[...names].filter((name) => !facts.properties.has(name))];
}

/** Rotates names if not all fit, so that each variant begins with other properties. */
function rotateNames(names: readonly string[], variant: number, room: number): readonly string[] {
  if (names.length <= room) return names;
  const start = (variant * Math.max(1, room)) % names.length;
  return [...names.slice(start), ...names.slice(0, start)];
}
