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
  readonly process?: {
    readonly permission?: { has(scope: string, reference?: string): boolean };
  };
  readonly Deno?: {
    readonly permissions: { querySync(permission: Permission): { readonly state: string } };
  };
}

/** What Node.js calls permissions; it has none for the others. */
const NODE_SCOPES: Readonly<Record<string, string>> = {
  read: "fs.read",
  write: "fs.write",
  run: "child",
};

/**
 * True if the runtime lets this happen: Deno would ask the user, or throw, where it is not granted. Node.js has
 * permissions only with `--permission`, and the others let everything happen.
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
  const { Deno: deno, process } = globalThis as Runtime;
  if (deno !== undefined) return deno.permissions.querySync(permission).state === "granted";
  const scope = NODE_SCOPES[permission.name];
  if (process?.permission === undefined || scope === undefined) return true;
  return process.permission.has(scope, permission.path);
}
