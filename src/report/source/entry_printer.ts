import { memberOf, pointerTokens } from "../../values/json_pointer.ts";

/**
 * Prints entries of a JSON document as they appear in `JSON.stringify(document, null, 2)`: the lines of each, with
 * their indentation and the comma after it. The whole is never printed.
 *
 * @returns Takes RFC 6901 pointers that lead to a value; an empty one is the whole document.
 *
 * @example
 * ```ts
 * import { entryPrinter } from "./entry_printer.ts";
 * import assert from "node:assert/strict";
 *
 * const print = entryPrinter({ a: [1, {}] });
 * assert.equal(print("/a"), '  "a": [\n    1,\n    {}\n  ]');
 * assert.equal(print("/a/0"), "    1,");
 * ```
 */
export function entryPrinter(document: unknown): (pointer: string) => string {
  let lastParent: unknown;
  let lastKey: string | undefined;
  return (pointer) => {
    let parent: unknown;
    let value = document;
    const tokens = pointerTokens(pointer);
    for (const token of tokens) [parent, value] = [value, memberOf(value, token)];
    const indent = "  ".repeat(tokens.length);
    const text = (JSON.stringify(value, null, 2) ?? "null").replaceAll("\n", `\n${indent}`);
    const key = tokens.at(-1);
    if (key === undefined) return text;
    // Entries come one after the other, and objects may have thousands.
    if (parent !== lastParent) [lastParent, lastKey] = [parent, lastKeyOf(parent)];
    const name = Array.isArray(parent) ? "" : `${JSON.stringify(key)}: `;
    return `${indent}${name}${text}${key === lastKey ? "" : ","}`;
  };
}

function lastKeyOf(parent: unknown): string | undefined {
  if (Array.isArray(parent)) return String(parent.length - 1);
  return Object.entries(parent ?? {}).findLast(([, value]) => value !== undefined)?.[0];
}
