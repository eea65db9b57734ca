import { builtin } from "./builtin.ts";
import { isGranted } from "./is_granted.ts";

/** The variables that name the folder, in the order in which they are looked at. */
const VARIABLES = ["TMPDIR", "TMP", "TEMP"];

/**
 * The folder for temporary files. Where Deno doesn't let us read the variables that name it, it is the usual one: nobody
 * has to permit more than the folder.
 *
 * @example
 * ```ts
 * import { temporaryFolder } from "./temporary_folder.ts";
 * import assert from "node:assert/strict";
 *
 * assert.ok(temporaryFolder().length > 0);
 * ```
 */
export function temporaryFolder(): string {
  const { platform } = builtin<{ readonly platform: string }>("node:process");
  const isNamed = platform === "win32" ||
    VARIABLES.every((variable) => isGranted({ name: "env", variable }));
  return isNamed ? builtin<{ tmpdir(): string }>("node:os").tmpdir() : "/tmp";
}
