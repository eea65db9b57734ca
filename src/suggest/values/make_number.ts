import type { Json } from "../../values/json.ts";
import { ANY_NUMBER, INTEGER, jsonType } from "../../values/json_type.ts";
import { NOWHERE, type Position } from "../../values/position.ts";
import { type ComposedValue, type Facts, type PartMaker, partWish, type Wish } from "./facts.ts";

/** Numbers to try where no limit suggests any. */
const NUMBERS = [1, 0, -1, 2, 10, 0.5, 1.5, -0.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 63 + 2 ** 20, 1e30];

/** Makes a number that meets all demands and that `admits` accepts, limits first; undefined if none was found. */
export function makeNumber(facts: Facts, admits: (value: number) => boolean): number | undefined {
  for (const value of candidates(facts)) {
    if (Number.isFinite(value) && meetsDemands(value, facts) && admits(value)) return value;
  }
  return undefined;
}

function meetsDemands(value: number, facts: Facts): boolean {
  return (jsonType(value) & facts.types) !== 0 && facts.isInRange(value) &&
    facts.multiples.every((step) => isMultiple(value, step)) &&
    !facts.notMultiples.some((step) => isMultiple(value, step)) && facts.matchesFormats(value);
}

/** Tolerates binary rounding errors: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

function* candidates(facts: Facts): Generator<number> {
  const { minimum, maximum, types } = facts;
  const isInteger = (types & ANY_NUMBER) === INTEGER;
  const step = facts.multiples.reduce(
    (least, one) => isMultiple(least, one) ? least : isMultiple(one, least) ? one : least * one,
    facts.multiples[0] ?? 1,
  );
  // JSON of larger numbers has rounded digits: -(2 ** 63) would be written as less than the least int64.
  const isExact = (limit: number): boolean => Math.abs(limit) <= Number.MAX_SAFE_INTEGER;
  const limits = [minimum, maximum].filter(Number.isFinite);
  const starts = [...limits.filter(isExact), ...limits.filter((limit) => !isExact(limit))];
  if (!limits.some(isExact)) {
    for (const number of NUMBERS) yield number;
  }
  if (starts.length === 0) starts.push(0);
  for (const start of starts) {
    const nearest = Math.round(start / step);
    for (const offset of [0, 1, -1, 2, -2, 3, -3]) yield roundDecimal((nearest + offset) * step);
    if (isInteger) { for (const offset of [0, 1, -1]) yield Math.round(start) + offset; }
    else {
      yield start;
      for (const part of [0.5, 0.1, 0.01, 1e-6]) {
        yield roundDecimal(start + part * step);
        yield roundDecimal(start - part * step);
      }
    }
  }
  if (Number.isFinite(minimum) && Number.isFinite(maximum)) yield (minimum + maximum) / 2;
  for (let index = 1; index <= 100; index++) {
    const start = Number.isFinite(minimum) ? minimum : Number.isFinite(maximum) ? maximum : 0;
    const sign = Number.isFinite(minimum) ? 1 : -1;
    yield roundDecimal((Math.round(start / step) + sign * index) * step);
  }
  for (const number of NUMBERS) yield number;
}

/** Removes binary rounding errors: 0.30000000000000004. */
function roundDecimal(value: number): number {
  return Number(value.toPrecision(15));
}

export const MAX_ITEMS = 5_000;

export function makeArray(
  facts: Facts,
  position: Position,
  wish: Wish,
  maker: PartMaker,
): ComposedValue | undefined {
  const { minItems, maxItems } = facts;
  const partCount = typeof wish.requiredPart === "number" ? wish.requiredPart + 1 : 0;
  // Outside JSON, an empty list usually isn't sent at all.
  const shownCount = position.json || maxItems < 1 || wish.breaches.length > 0 ? 0 : 1;
  const least = Math.max(minItems, partCount, shownCount);
  if (least > maxItems || least > MAX_ITEMS) return undefined;
  const addsItem = wish.isFull && least === 0 && maxItems > 0 &&
    maker.mayAdd(facts.demandsOnItem(0));
  // Outside JSON, many servers read a list of one item as that item.
  const addsPair = wish.isFull && shownCount === 1 && least < 2 && maxItems > 1;
  const classItems = Math.min(facts.itemsToShow, maxItems);
  const addsClassItems = classItems > Math.max(least, 1) && maker.mayAdd(facts.demandsOnItem(0));
  const count = addsClassItems ? classItems : addsItem ? 1 : addsPair ? 2 : least;
  const items: Json[] = [];
  let width = 1;
  let last: Json | undefined;
  for (let index = 0; index < count; index++) {
    const demands = facts.demandsOnItem(index);
    if (wish.isPartReplaced && index === wish.requiredPart) {
      items.push(null);
      continue;
    }
    if (facts.repeatsItem && index === 1 && last !== undefined) {
      items.push(last);
      continue;
    }
    const itemWish = partWish(wish, demands);
    const uniqueWish = facts.isUnique && !facts.repeatsItem && index > 0
      ? { ...itemWish, variant: itemWish.variant + index, excluded: items }
      : itemWish;
    const place = position.item(index);
    const made = place === NOWHERE ? undefined : maker.make(demands, place, uniqueWish) ??
      (uniqueWish === itemWish ? undefined : maker.make(demands, place, itemWish));
    if (made === undefined) {
      if (index >= least) break;
      return undefined;
    }
    width = Math.max(width, made.variants);
    items.push(last = made.value);
  }
  return { value: items, variants: width };
}
