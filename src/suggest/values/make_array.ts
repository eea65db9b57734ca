import type { Json } from "../../values/json.ts";
import { NOWHERE, type Position } from "../../values/position.ts";
import { LEAST, type Wish } from "./demand.ts";
import type { Facts } from "./facts.ts";
import type { PartMaker } from "./part_maker.ts";

/** Longer arrays are not made. */
const MAX_ITEMS = 5_000;

/** An array that keeps all demands; undefined if none was found. */
export function makeArray(
  facts: Facts,
  position: Position,
  wish: Wish,
  maker: PartMaker,
): { readonly value: Json; readonly width: number } | undefined {
  const { minItems, maxItems } = facts;
  const asked = typeof wish.includes === "number" ? wish.includes + 1 : 0;
  // Outside JSON, an empty list mostly is nothing at all.
  const shown = position.json || maxItems < 1 || wish.breaches.length > 0 ? 0 : 1;
  const least = Math.max(minItems, asked, shown);
  if (least > maxItems || least > MAX_ITEMS) return undefined;
  const isExtra = wish.isFull && least === 0 && maxItems > 0 &&
    maker.mayAdd(facts.demandsOnItem(0));
  // There, many servers take a list of one item for that item.
  const isPair = wish.isFull && shown === 1 && least < 2 && maxItems > 1;
  const count = isExtra ? 1 : isPair ? 2 : least;
  const itemWish = wish.isFull ? { ...LEAST, isFull: true, variant: wish.variant } : LEAST;
  const items: Json[] = [];
  let width = 1;
  let last: Json | undefined;
  for (let index = 0; index < count; index++) {
    const demands = facts.demandsOnItem(index);
    if (wish.isHole && index === wish.includes) {
      items.push(null);
      continue;
    }
    if (facts.repeatsItem && index === 1 && last !== undefined) {
      items.push(last);
      continue;
    }
    const own = wishFor(index, itemWish, facts, items);
    const place = position.item(index);
    const made = place === NOWHERE ? undefined : maker.valid(demands, place, own) ??
      (own === itemWish ? undefined : maker.valid(demands, place, itemWish));
    if (made === undefined) {
      if (index >= least) break;
      return undefined;
    }
    width = Math.max(width, made.width);
    items.push(last = made.value);
  }
  return { value: items, width };
}

/** Items differ where they have to. */
function wishFor(index: number, wish: Wish, facts: Facts, items: readonly Json[]): Wish {
  if (!facts.isUnique || facts.repeatsItem || index === 0) return wish;
  return { ...wish, variant: wish.variant + index, excluded: items };
}
