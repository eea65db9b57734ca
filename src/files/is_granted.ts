/** A permission, as Deno names it. */
export interface Permission {
  /** `read`, `write`, `env`, `run`, `sys`, … */
  readonly name: string;
  /** Of files. */
  readonly path?: string;
  /** Of the environment. */
  readonly variable?: string;
  /** Of the network: `localhost:3000`, `[::1]:8080`. */
  readonly host?: string;
  /** Of what the system tells. */
  readonly kind?: string;
}

interface Runtime {
  readonly Deno?: {
    readonly permissions: { querySync(permission: Permission): { readonly state: string } };
  };
}

/**
 * True if the runtime lets this happen: Deno would ask the user, or throw, where it is not granted. The others let
 * everything happen.
 *
 * @example
 * ```ts
 * import { isGranted } from "./is_granted.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(typeof isGranted({ name: "env", variable: "NO_COLOR" }), "boolean");
 * ```
 */
export function isGranted(permission: Permission): boolean {
  const { Deno: deno } = globalThis as Runtime;
  return deno === undefined || deno.permissions.querySync(permission).state === "granted";
}
