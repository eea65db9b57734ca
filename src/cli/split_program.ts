/** Arguments of covtool, and of the program that it runs. */
export interface SplitArguments {
  /** The arguments before `--`; all of them for commands that run no program. */
  readonly own: readonly string[];
  /** The arguments after it. */
  readonly program: readonly string[];
}

/** Commands that run what follows `--`. */
const RUNNING: readonly (string | undefined)[] = ["run", "proxy"];

/**
 * Takes the program that a command runs from its arguments, so that it isn't read as the description where a config
 * file names that.
 *
 * @example
 * ```ts
 * import { splitProgram } from "./split_program.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(splitProgram(["run", "--", "npm", "test", "--", "--bail"]), {
 *   own: ["run"],
 *   program: ["npm", "test", "--", "--bail"],
 * });
 * ```
 */
export function splitProgram(args: readonly string[]): SplitArguments {
  const end = args.indexOf("--");
  return end < 0 || !RUNNING.includes(args[0])
    ? { own: args, program: [] }
    : { own: args.slice(0, end), program: args.slice(end + 1) };
}
