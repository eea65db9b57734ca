import { readHead } from "./read_head.ts";

/** The places where descriptions have their version, and recordings their first entries. */
const HEAD_BYTES = 1 << 16;
/** A key outside of texts. */
const VERSION = /(?:^|[{,\s])["']?(?:openapi|swagger)["']?\s*:\s*["']?\d/;

/**
 * True for a description, judged by its beginning: a URL, or a file that has a version of OpenAPI. A file that doesn't
 * exist counts as one, too, so that loading it reports the error. Folders and patterns don't.
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
