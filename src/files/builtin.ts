/**
 * A built-in module of Deno, Node.js or Bun, looked up at run time: nothing in the library is a static `node:` import, so
 * it also loads where there are none.
 *
 * @throws {Error} if there are none, in a browser for example.
 *
 * @example
 * ```ts
 * import { builtin } from "./builtin.ts";
 * import assert from "node:assert/strict";
 *
 * const path = builtin<{ basename(path: string): string }>("node:path");
 * assert.equal(path.basename("reports/coverage.json"), "coverage.json");
 * ```
 */
export function builtin<Module>(name: string): Module {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
  };
  const module = process?.getBuiltinModule?.(name);
  if (module === undefined || module === null) {
    throw new Error(
      "nothing here gives access to files: Deno 2, Node.js 20.16 and Bun 1.2 do, browsers do not",
    );
  }
  return module as Module;
}
