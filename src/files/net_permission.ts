import { isGranted } from "./is_granted.ts";
import { missingPermission } from "./missing_permission.ts";

/**
 * The sentence that says that Deno doesn't permit connections to a place, or servers there. Its own errors come late, in
 * places where nobody can catch them, or as if the name did not exist.
 *
 * @param place A host and a port: `localhost:3000`.
 * @returns Undefined if they are permitted.
 *
 * @example
 * ```ts
 * import { missingNetPermission } from "./net_permission.ts";
 * import assert from "node:assert/strict";
 *
 * const sentence = missingNetPermission("localhost:3000");
 * assert.match(sentence ?? "", /^$|add --allow-net=localhost:3000 to its options\.$/);
 * ```
 */
export function missingNetPermission(place: string): string | undefined {
  const error = denial(place);
  return error === undefined ? undefined : missingPermission(error);
}

/** @throws {Error} as Deno throws it, if it doesn't permit servers or connections at a place. */
export function requireNet(place: string): void {
  const error = denial(place);
  if (error !== undefined) throw error;
}

function denial(place: string): Error | undefined {
  if (isGranted({ name: "net", host: place })) return undefined;
  const error = new Error(`Requires net access to "${place}"`);
  error.name = "NotCapable";
  return error;
}
