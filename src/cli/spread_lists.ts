/** Options that take all arguments that follow, up to the next option, by command. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  compare: ["--tests", "--production"],
};

/**
 * Repeats options that take several values for each of these, as shells need it that expand a pattern:
 * `--tests a b` becomes `--tests a --tests b`. The value of another option is never taken for one of a list.
 *
 * @example
 * ```ts
 * import { spreadLists } from "./spread_lists.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(spreadLists(["compare", "api.yaml", "--tests", "a", "b", "--production", "-"]), [
 *   ...["compare", "api.yaml", "--tests", "a", "--tests", "b", "--production", "-"],
 * ]);
 * assert.deepEqual(spreadLists(["report", "--tests", "a", "b"]), ["report", "--tests", "a", "b"]);
 * ```
 */
export function spreadLists(args: readonly string[]): readonly string[] {
  const lists = Object.hasOwn(LISTS, args[0] ?? "") ? LISTS[args[0] ?? ""] : undefined;
  if (lists === undefined) return args;
  const spread: string[] = [];
  let list: string | undefined;
  for (const arg of args) {
    const isOption = arg.startsWith("-") && arg !== "-";
    if (isOption) list = lists.includes(arg) ? arg : undefined;
    else if (list !== undefined && spread.at(-1) !== list) spread.push(list);
    spread.push(arg);
  }
  return spread;
}
