import { readHead } from "./read_head.ts";

/** Where descriptions have their version, and recordings their first entries. */
const HEAD_BYTES = 1 << 16;
/** A key that is no part of a text in a text. */
const VERSION = /(?:^|[{,\s])["']?(?:openapi|swagger)["']?\s*:\s*["']?\d/;

/**
 * Tells a description from recordings by its beginning: a URL is one, and so is a file that has a version of OpenAPI.
 * What isn't there is one too, so that whoever loads it says so. Folders and patterns are none.
 *
 * @example
 * ```ts
 * import { looksLikeDescription } from "./looks_like_description.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(looksLikeDescription("https://shop.example/openapi.json"), true);
 * assert.equal(looksLikeDescription("recordings/*.har"), false);
 * ```
 */
export function looksLikeDescription(path: string): boolean {
  if (/^(?:https?|file):/i.test(path)) return true;
  if (path === "-") return false;
  try {
    return VERSION.test(readHead(path, HEAD_BYTES));
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    return code === "ENOENT" && !/[*?[{]/.test(path);
  }
}
