import { builtin } from "./builtin.ts";
import { isGranted } from "./is_granted.ts";

/**
 * The environment variables that Deno lets us read; the others are as if they were not set. Elsewhere they are all there.
 *
 * @example
 * ```ts
 * import { grantedVariables } from "./granted_variables.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(grantedVariables()["COVTOOL_NO_SUCH_VARIABLE"], undefined);
 * ```
 */
export function grantedVariables(): Readonly<Record<string, string | undefined>> {
  type Variables = Readonly<Record<string, string | undefined>>;
  const { env } = builtin<{ readonly env: Variables }>("node:process");
  if (isGranted({ name: "env" })) return env;
  return new Proxy<Variables>({}, {
    get: (_target, name) =>
      typeof name === "string" && isGranted({ name: "env", variable: name })
        ? env[name]
        : undefined,
  });
}
