import type { Json } from "../values/json.ts";

/**
 * Reads sequential JSON: JSON Lines, and JSON text sequences (RFC 7464), whose items begin with the
 * character U+001E. Blank lines aren't items.
 *
 * @returns The items; `undefined` where one of them isn't JSON.
 * @example
 * ```ts
 * import { parseSequence } from "./json_sequence.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(parseSequence('{"a":1}\n{"a":2}\n'), [{ a: 1 }, { a: 2 }]);
 * assert.equal(parseSequence("{"), undefined);
 * ```
 */
export function parseSequence(text: string): readonly Json[] | undefined {
  const items: Json[] = [];
  try {
    for (const item of text.split(text.includes("\x1e") ? "\x1e" : "\n")) {
      if (item.trim() !== "") items.push(JSON.parse(item));
    }
  } catch {
    return undefined;
  }
  return items;
}
