/** Brackets, and strings, in which brackets are text. */
const TOKEN = /[{}[\]]|"(?:[^"\\]|\\.)*(?:"|\\?$)/gs;

/**
 * Makes JSON whole that was cut off: drops the item in which it breaks off, of the outermost list that has whole ones
 * before it, and closes what is open. So nothing is kept that is not all there.
 *
 * @returns Undefined where no list has a whole object or list in it, or the JSON is broken in another way.
 *
 * @example
 * ```ts
 * import { closeJson } from "./close_json.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(closeJson('{"items": [{"a": 1}, {"a": 2'), '{"items": [{"a": 1}]}');
 * assert.equal(closeJson('{"items": [{"a": 1'), undefined);
 * ```
 */
export function closeJson(text: string): string | undefined {
  const open: { readonly closer: string; lastItem: number }[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") {
      open.push({ closer: token === "{" ? "}" : "]", lastItem: -1 });
    } else if (token === "}" || token === "]") {
      if (open.pop()?.closer !== token) return undefined;
      const list = open.at(-1);
      if (list?.closer === "]") list.lastItem = index + 1;
    }
  }
  const depth = open.findIndex(({ lastItem }) => lastItem !== -1);
  const list = open[depth];
  if (list === undefined) return undefined;
  const closers = open.slice(0, depth + 1).reverse().map(({ closer }) => closer);
  return text.slice(0, list.lastItem) + closers.join("");
}
