import { findText } from "../../schema/pattern/find_text.ts";
import { setOwn } from "../../values/collections.ts";
import type { Json } from "../../values/json.ts";
import { JSON_POSITION, NOWHERE, type Position } from "../../values/position.ts";
import {
  type Facts,
  LEAST,
  match,
  type PartMaker,
  type WantedProperty,
  type Wish,
} from "./facts.ts";

/** Names for properties that may have any. */
export const FREE_NAMES = ["additional", "extra", "x-extra", "other", "a", "1"];
const MORE_NAMES = 500;

/** An object that keeps all demands; undefined if none was found. */
export function makeObject(
  facts: Facts,
  position: Position,
  wish: Wish,
  maker: PartMaker,
): { readonly value: Json; readonly width: number } | undefined {
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
  if (wish.isFull) {
    const optional = [...new Set([...facts.properties.keys(), ...facts.needs.keys()])];
    for (const name of turned(optional, wish.variant, facts.maxProperties)) {
      if (isRoom() && mayHave(name, facts, position, maker, names)) add(name);
    }
  } else {
    // Outside JSON, an empty object mostly is nothing at all.
    const shown = position.json || facts.maxProperties < 1 || wish.breaches.length > 0 ? 0 : 1;
    const least = Math.max(facts.minProperties, shown);
    for (const name of facts.properties.keys()) {
      if (names.size + facts.wanted.length >= least) break;
      if (mayHave(name, facts, position, maker, names)) add(name);
    }
  }
  const object: Record<string, Json> = {};
  let width = 1;
  const partWish = wish.isFull ? { ...LEAST, isFull: true, variant: wish.variant } : LEAST;
  for (const name of ordered(names, facts)) {
    if (facts.forbidden.has(name)) {
      if (asked.has(name)) return undefined;
      continue;
    }
    if (wish.isHole && name === wish.includes) {
      setOwn(object, name, null);
      continue;
    }
    const place = positionAt(name, facts, position);
    const preferred = facts.preferred.get(name);
    const demands = facts.demandsOn(name);
    if (preferred !== undefined && maker.isValid(demands, preferred)) {
      setOwn(object, name, preferred);
      continue;
    }
    const made = place === NOWHERE ? undefined : maker.valid(demands, place, partWish);
    if (made === undefined) {
      if (asked.has(name)) return undefined;
      continue;
    }
    width = Math.max(width, made.width);
    setOwn(object, name, made.value);
  }
  if (!addWanted(object, facts, position, maker)) return undefined;
  const missing = facts.minProperties - Object.keys(object).length;
  for (let index = 0; index < missing; index++) {
    const wanted = { applies: () => true, pattern: undefined, demand: undefined };
    if (!addProperty(object, wanted, facts, position, maker)) return undefined;
  }
  if (Object.keys(object).length > facts.maxProperties) return undefined;
  return { value: object, width };
}

/** In the order of the description, whatever asked for them. */
function ordered(names: ReadonlySet<string>, facts: Facts): readonly string[] {
  const declared = [...facts.properties.keys()].filter((name) => names.has(name));
  return [...declared, ...[...names].filter((name) => !facts.properties.has(name))];
}

/** Where not all properties fit, each variant begins with others. */
function turned(names: readonly string[], variant: number, room: number): readonly string[] {
  if (names.length <= room) return names;
  const at = (variant * Math.max(1, room)) % names.length;
  return [...names.slice(at), ...names.slice(0, at)];
}

function positionAt(name: string, facts: Facts, position: Position): Position {
  if (position.json) return JSON_POSITION;
  return facts.properties.has(name) || position.names.has(name)
    ? position.property(name)
    : position.undeclared([]);
}

/** True if a property that nothing asks for may be there. */
function mayHave(
  name: string,
  facts: Facts,
  position: Position,
  maker: PartMaker,
  names: ReadonlySet<string>,
): boolean {
  if (names.has(name) || facts.forbidden.has(name)) return false;
  if (positionAt(name, facts, position) === NOWHERE) return false;
  const demands = facts.demandsOn(name);
  if (demands.some(({ schema, holds }) => schema === !holds)) return false;
  return maker.mayAdd(demands);
}

function addWanted(
  object: Record<string, Json>,
  facts: Facts,
  position: Position,
  maker: PartMaker,
): boolean {
  return facts.wanted.every((wanted) =>
    isThere(object, wanted, maker) || addProperty(object, wanted, facts, position, maker)
  );
}

/** True if a property that has to be there anyway is what is wanted. */
function isThere(
  object: Readonly<Record<string, Json>>,
  { applies, demand }: WantedProperty,
  maker: PartMaker,
): boolean {
  return demand !== undefined &&
    Object.entries(object).some(([name, value]) => applies(name) && maker.isValid([demand], value));
}

/** Adds a property that has no name of its own yet. */
function addProperty(
  object: Record<string, Json>,
  wanted: WantedProperty,
  facts: Facts,
  position: Position,
  maker: PartMaker,
): boolean {
  const isFree = (name: string) =>
    !Object.hasOwn(object, name) && !facts.forbidden.has(name) && wanted.applies(name) &&
    maker.isValid(facts.names, name) &&
    (wanted.demand === undefined || !facts.properties.has(name));
  for (const name of namesFor(wanted, facts, isFree, maker)) {
    const others = facts.demandsOn(name);
    const demands = wanted.demand === undefined ? others : [wanted.demand];
    const made = maker.valid(demands, positionAt(name, facts, position));
    if (made === undefined) continue;
    setOwn(object, name, made.value);
    return true;
  }
  return false;
}

function* namesFor(
  { pattern }: WantedProperty,
  facts: Facts,
  isFree: (name: string) => boolean,
  maker: PartMaker,
): Generator<string> {
  for (const name of FREE_NAMES) if (isFree(name)) yield name;
  if (pattern !== undefined) {
    const found = findText({
      accepts: [pattern],
      refuses: [],
      minLength: 0,
      maxLength: Infinity,
      admits: isFree,
    });
    if (found !== undefined) yield found;
  }
  if (facts.names.length > 0) {
    const made = maker.valid([...facts.names, match(true)], JSON_POSITION);
    if (typeof made?.value === "string" && isFree(made.value)) yield made.value;
  }
  for (const rule of facts.properties.keys()) if (isFree(rule)) yield rule;
  for (let number = 1; number <= MORE_NAMES; number++) {
    const name = `additional${number}`;
    if (isFree(name)) yield name;
  }
}
