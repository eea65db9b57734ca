/**
 * The part of a keyword's schema path that a reader needs.
 *
 * @example
 * ```ts
 * import { keywordPlace } from "./keyword_place.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(keywordPlace("/paths/~1users/get/parameters/0/schema/maximum"), "maximum");
 * assert.equal(keywordPlace("/components/schemas/User/required"), "User/required");
 * ```
 */
export function keywordPlace(pointer: string): string {
  const component = /(?:^|#)\/(?:components\/schemas|definitions)\/(.+)$/.exec(pointer);
  const own = /\/(?:schema|itemSchema)\/(.+)$/.exec(pointer);
  const text = component?.[1] ?? own?.[1] ?? pointer.slice(pointer.lastIndexOf("/") + 1);
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
