import { message, text } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";

/**
 * An option value that stays text once it was checked.
 *
 * @param check Throws an error with a sentence where the text cannot be used.
 *
 * @example
 * ```ts
 * import { checkedText } from "./checked_text.ts";
 * import assert from "node:assert/strict";
 *
 * const url = checkedText("URL", "http://localhost", (input) => new URL(input));
 * assert.equal(url.parse("http://a.example").success, true);
 * assert.equal(url.parse("a").success, false);
 * ```
 */
export function checkedText(
  metavar: ValueParser<"sync", string>["metavar"],
  placeholder: string,
  check: (input: string) => unknown,
): ValueParser<"sync", string> {
  return {
    mode: "sync",
    metavar,
    placeholder,
    parse(input) {
      try {
        check(input);
        return { success: true, value: input };
      } catch (error) {
        return {
          success: false,
          error: message`${text(error instanceof Error ? error.message : "")}`,
        };
      }
    },
    format: (value) => value,
  };
}
