/** A segment that is an id rather than a name: digits, a UUID, long hexadecimal, or long and of letters and digits mixed. */
const ID =
  /^(?:\d+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[^/]*\d)[0-9a-f]{12,}|(?=[^/]*\d)(?=[^/]*[a-z])[\w~-]{16,})$/i;

/**
 * A path with its ids written `{}`, so that a thousand requests to one endpoint are one entry.
 *
 * @example
 * ```ts
 * import { foldPath } from "./fold_path.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(foldPath("/internal/users/4711/export"), "/internal/users/{}/export");
 * assert.equal(foldPath("/v2/books"), "/v2/books");
 * ```
 */
export function foldPath(path: string): string {
  return path.split("/").map((segment) => ID.test(segment) ? "{}" : segment).join("/");
}
