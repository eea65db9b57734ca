import type { NonEmptyString } from "@optique/core/nonempty";
import type { ValueParser } from "@optique/core/valueparser";
import { unknownChoice } from "./unknown_choice.ts";

/** The choices of {@linkcode choiceValue}. */
export interface Choices<T extends string> {
  /** The thing that the value names: `grouping`. */
  readonly noun: string;
  /** The placeholder in help, in capitals. */
  readonly metavar: NonEmptyString;
  /** The names, in the order in which they are shown. */
  readonly names: readonly T[];
  /** Other words that people use, with the names that they mean. */
  readonly meanings?: Readonly<Record<string, T>>;
}

/**
 * One of a few names, in any case.
 *
 * @example
 * ```ts
 * import { choiceValue } from "./choice_value.ts";
 * import assert from "node:assert/strict";
 *
 * const side = choiceValue({ noun: "side", metavar: "SIDE", names: ["left", "right"] });
 * assert.deepEqual(side.parse("Left"), { success: true, value: "left" });
 * assert.equal(side.parse("leftt").success, false);
 * ```
 */
export function choiceValue<T extends string>(
  { noun, metavar, names, meanings = {} }: Choices<T>,
): ValueParser<"sync", T> {
  return {
    mode: "sync",
    metavar,
    placeholder: names[0] as T, // there is nothing to choose without names
    parse(input) {
      const value = names.find((name) => name === input.trim().toLowerCase());
      return value === undefined
        ? { success: false, error: unknownChoice(noun, input, names, meanings) }
        : { success: true, value };
    },
    format: String,
    *suggest(prefix) {
      for (const name of names) if (name.startsWith(prefix)) yield { kind: "literal", text: name };
    },
  };
}
