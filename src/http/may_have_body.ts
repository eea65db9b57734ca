/**
 * False for responses that never have a body, whatever a recorder wrote down for one (RFC 9110, section 6.4.1): those to
 * HEAD, and those with the status 204, 304 or below 200.
 *
 * @param method In upper case.
 *
 * @example
 * ```ts
 * import { mayHaveBody } from "./may_have_body.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(mayHaveBody("GET", 200), true);
 * assert.equal(mayHaveBody("HEAD", 200), false);
 * assert.equal(mayHaveBody("DELETE", 204), false);
 * ```
 */
export function mayHaveBody(method: string, status: number | undefined): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304 && (status ?? 200) >= 200;
}
