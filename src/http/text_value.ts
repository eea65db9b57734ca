import type { Json } from "../values/json.ts";
import { ANY_NUMBER, BOOLEAN, NULL } from "../values/json_type.ts";
import type { Decoded } from "./decoded.ts";

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads text as the value that the schema's types suggest (semantics, section 3, "Text values"): a JSON
 * number where they include `integer` or `number`, then `true`/`false`, then `null`; everything else
 * stays a string, as do `007`, `+5` and `1.`, which are no JSON numbers.
 *
 * @param text Decoded text.
 * @param types The types that the schema names, as the bits of `json_type.ts`; 0 if it names none.
 * @example
 * ```ts
 * import { readText } from "./text_value.ts";
 * import assert from "node:assert/strict";
 * import { INTEGER, STRING } from "../values/json_type.ts";
 *
 * assert.equal(readText("10", INTEGER), 10);
 * assert.equal(readText("007", INTEGER), "007");
 * assert.equal(readText("10", STRING), "10");
 * ```
 */
export function readText(text: string, types: number): Json {
  if ((types & ANY_NUMBER) !== 0 && JSON_NUMBER.test(text)) return Number(text);
  if ((types & BOOLEAN) !== 0) {
    if (text === "true") return true;
    if (text === "false") return false;
  }
  if ((types & NULL) !== 0 && text === "null") return null;
  return text;
}

/** Reads text as {@linkcode readText} does and keeps the text beside the value. */
export function decodeText(text: string, types: number): Decoded {
  return { value: readText(text, types), raw: { text, parts: undefined } };
}
