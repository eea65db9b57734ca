import type { Json } from "../values/json.ts";
import { canonicalText } from "./equal.ts";
import type { EvaluationContext } from "./evaluation_context.ts";
import { type CountAlternative, countOnce } from "./keywords/keyword.ts";
import { codePoints } from "./keywords/strings.ts";
import type { ItemClasses, NumberClasses, SchemaClasses, TextClasses } from "./value_class.ts";

export interface ClassCounting {
  readonly classes: SchemaClasses;
  /** The offset of the first class counter from the schema's first counter. */
  readonly offset: number;
  /** The number of the first class counter if evaluations are memoized, else negative. */
  readonly first: number;
}

/**
 * Counts the classes of a valid value. Evaluations call it directly: with wrappers around them, calls of evaluations
 * would have too many targets for the engine to inline.
 */
export function countClasses(
  value: Json,
  at: ClassCounting,
  run: EvaluationContext,
  base: number,
): void {
  const { classes } = at;
  if (classes.members !== undefined) {
    countMember(value, classes.members, classes.composites, run, base, at);
    return;
  }
  switch (typeof value) {
    case "string":
      if (classes.text !== undefined) countText(value, classes.text, run, base, at);
      break;
    case "number":
      if (classes.number !== undefined) countNumber(value, classes.number, run, base, at);
      break;
    case "boolean":
      if (classes.booleans >= 0) {
        addOne(run, base, at, value ? classes.booleans : classes.booleans + 1);
      }
      break;
    default:
      if (value === null) {
        if (classes.nulls >= 0) addOne(run, base, at, classes.nulls);
      } else if (Array.isArray(value)) {
        if (classes.items !== undefined) countItems(value.length, classes.items, run, base, at);
      } else if (classes.objects >= 0) {
        addOne(run, base, at, classes.objects);
        countProperties(value as object, classes.properties, run, base, at);
      }
  }
}

export function alternativeCounter(
  at: ClassCounting | undefined,
  keyword: string,
): CountAlternative | undefined {
  const slot = at?.classes.alternatives.get(keyword);
  if (at === undefined || slot === undefined) return undefined;
  return (run, base, index) => addOne(run, base, at, slot + index);
}

function addOne(
  run: EvaluationContext,
  base: number,
  { offset, first }: ClassCounting,
  slot: number,
): void {
  const index = base + offset + slot;
  if (first >= 0) {
    countOnce(run, first + slot, index, true);
    return;
  }
  run.store.count(index);
}

function countMember(
  value: Json,
  members: ReadonlyMap<Json, number>,
  composites: ReadonlyMap<string, number>,
  run: EvaluationContext,
  base: number,
  at: ClassCounting,
): void {
  const isComposite = typeof value === "object" && value !== null;
  const slot = !isComposite
    ? members.get(value)
    : composites.size > 0
    ? composites.get(canonicalText(value))
    : undefined;
  if (slot !== undefined) addOne(run, base, at, slot);
}

/** Searches each name from the place of the previous one, because clients usually send them in order. */
function countProperties(
  value: object,
  properties: readonly (string | number)[],
  run: EvaluationContext,
  base: number,
  at: ClassCounting,
): void {
  const { length } = properties;
  if (length > MAX_SEARCHED_ENTRIES) { // Avoids a long search for each name of the object.
    for (let index = 0; index < length; index += 2) {
      if (Object.hasOwn(value, properties[index] as string)) {
        addOne(run, base, at, properties[index + 1] as number);
      }
    }
    return;
  }
  let near = 0;
  for (const name in value) {
    for (let step = 0; step < length; step += 2) {
      const index = near + step < length ? near + step : near + step - length;
      if (properties[index] !== name) continue;
      addOne(run, base, at, properties[index + 1] as number); // Each name is followed by its counter.
      near = index + 2;
      break;
    }
  }
}

const MAX_SEARCHED_ENTRIES = 2 * 16;

function countText(
  value: string,
  { low, high, empty, atLow, atHigh, between, nonAscii }: TextClasses,
  run: EvaluationContext,
  base: number,
  at: ClassCounting,
): void {
  const { length: units } = value;
  if (units === 0) {
    if (empty >= 0) addOne(run, base, at, empty);
    return;
  }
  let length = units;
  if (!run.isAscii && !isAscii(value)) {
    if (nonAscii >= 0) addOne(run, base, at, nonAscii);
    if (between < 0 || low > 0 || high !== Infinity) length = codePoints(value);
  }
  const slot = length === low ? atLow : length === high ? atHigh : between;
  if (slot >= 0) addOne(run, base, at, slot);
}

/** Longer texts are searched by an expression, whose call takes longer than checking a few characters. */
const MAX_LOOPED_LENGTH = 40;
// deno-lint-ignore no-control-regex
const NON_ASCII = /[^\x00-\x7f]/;

function isAscii(value: string): boolean {
  if (value.length > MAX_LOOPED_LENGTH) return !NON_ASCII.test(value);
  for (let index = 0; index < value.length; index++) {
    if (value.charCodeAt(index) > 0x7f) return false;
  }
  return true;
}

function countNumber(
  value: number,
  { low, high, atLow, atHigh, between, signs }: NumberClasses,
  run: EvaluationContext,
  base: number,
  at: ClassCounting,
): void {
  const slot = signs >= 0
    ? signs + (value < 0 ? 0 : value > 0 ? 2 : 1)
    : value === low && atLow >= 0
    ? atLow
    : value === high && atHigh >= 0
    ? atHigh
    : between;
  if (slot >= 0) addOne(run, base, at, slot);
}

function countItems(
  length: number,
  { high, none, one, several, atHigh }: ItemClasses,
  run: EvaluationContext,
  base: number,
  at: ClassCounting,
): void {
  const slot = length === 0
    ? none
    : length === high && atHigh >= 0
    ? atHigh
    : length === 1
    ? one
    : several;
  if (slot >= 0) addOne(run, base, at, slot);
}
