import { formats } from "../../schema/formats.ts";
import { compilePattern } from "../../schema/pattern.ts";
import { searchText } from "../../schema/pattern/find_text.ts";
import type { Json } from "../../values/json.ts";
import { ANY_NUMBER, ARRAY, INTEGER, OBJECT, STRING, typeOf } from "../../values/json_type.ts";
import { equal } from "../../schema/equal.ts";
import type { Facts } from "../values/facts.ts";

/** The values that a place can have. */
export interface Possible {
  /** The types, as bits of `json_type.ts`. */
  readonly types: number;
  /** Values that it can't have, whatever the schemas say. */
  readonly excluded: readonly Json[];
}

/** Why the demands of a place leave no value; undefined if they may leave one. */
export function contradiction(facts: Facts, { types, excluded }: Possible): string | undefined {
  const left = facts.types & types;
  if (facts.isImpossible || left === 0) {
    return "A value of another type breaks another rule as well.";
  }
  const others = [...facts.excluded, ...excluded];
  const isOut = (value: Json) => others.some((one) => equal(one, value));
  const { admitted } = facts;
  if (admitted !== undefined) {
    const isLeft = admitted.some((value) =>
      (typeOf(value) & left) !== 0 && !isOut(value) && mayBe(value, facts)
    );
    return isLeft ? undefined : "None of the values that `enum` or `const` lists shows it.";
  }
  switch (left) {
    case STRING:
      return ofTexts(facts, isOut);
    case ARRAY:
      return facts.minItems > facts.maxItems ? LIMITS : undefined;
    case OBJECT:
      return facts.minProperties > facts.maxProperties ? LIMITS : undefined;
    default:
      return (left & ~ANY_NUMBER) === 0 ? ofNumbers(facts, left) : undefined;
  }
}

const LIMITS = "The other limits leave no such value.";

function ofTexts(facts: Facts, isOut: (value: Json) => boolean): string | undefined {
  const { minLength, maxLength, patterns: accepts, notPatterns: refuses } = facts;
  if (minLength > maxLength || maxLength < 0) return LIMITS;
  if (maxLength === 0 && isOut("")) return "A path has no empty segment.";
  if (accepts.length + refuses.length === 0) {
    return maxLength > 0 || mayBe("", facts) ? undefined : "The other rules refuse an empty text.";
  }
  try {
    const wish = { accepts, refuses, minLength, maxLength, admits: () => true };
    if (!searchText(wish).isEmpty) return undefined;
  } catch {
    return undefined; // not a regular expression
  }
  return refuses.length > 0
    ? "Every text that the other rules allow matches the pattern."
    : "No text of such a length matches the pattern.";
}

/** The whole numbers that a format has. */
const WHOLE: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 };

function ofNumbers(facts: Facts, types: number): string | undefined {
  const { minimum, maximum, isAboveMinimum, isBelowMaximum, notFormats, notMultiples } = facts;
  const isPoint = minimum === maximum && (isAboveMinimum || isBelowMaximum);
  if (minimum > maximum || isPoint) return LIMITS;
  if (types !== INTEGER) return undefined;
  const least = Math.ceil(minimum);
  const most = Math.floor(maximum);
  const from = isAboveMinimum && least === minimum ? least + 1 : least;
  const to = isBelowMaximum && most === maximum ? most - 1 : most;
  if (from > to) return LIMITS;
  if (notMultiples.some((step) => step === 1)) return "Every whole number is a multiple of it.";
  const isFormat = notFormats.some((name) => {
    const size = WHOLE[name];
    return size !== undefined && from >= -size && to < size;
  });
  return isFormat ? "Every number between the other limits has the format." : undefined;
}

/** False if a value breaks one of the demands on texts and numbers. */
function mayBe(value: Json, facts: Facts): boolean {
  const all = [...facts.formats.map((name) => [name, true] as const)];
  const none = [...facts.notFormats.map((name) => [name, false] as const)];
  const isOfFormats = [...all, ...none].every(([name, isWanted]) => {
    const format = formats.get(name);
    if (format === undefined || (format.types & typeOf(value)) === 0) return isWanted;
    return format.test(value as never) === isWanted;
  });
  if (!isOfFormats) return false;
  if (typeof value === "number") {
    const { minimum, maximum } = facts;
    return (facts.isAboveMinimum ? value > minimum : value >= minimum) &&
      (facts.isBelowMaximum ? value < maximum : value <= maximum);
  }
  if (typeof value !== "string") return true;
  const length = Array.from(value).length;
  return length >= facts.minLength && length <= facts.maxLength &&
    facts.patterns.every((source) => compilePattern(source)(value) !== false) &&
    facts.notPatterns.every((source) => compilePattern(source)(value) !== true);
}
