import { textPositions } from "../values/text_position.ts";
import { locateInJson } from "./locate_json.ts";
import { locateInYaml } from "./locate_yaml.ts";
import type { Location } from "./location.ts";
import { lineStarts, locateInPrinted } from "./locate_printed.ts";
import { type Found, pointerTree } from "./pointer_tree.ts";

/** The syntax of a document. */
export type Syntax = "json" | "yaml";

/**
 * Finds where pointers lead in the text of a document, in one pass over the text that keeps nothing
 * but what is asked for. Pointers that lead nowhere are left out.
 *
 * @param text The text that was parsed; it must be free of syntax errors.
 * @param pointers RFC 6901 pointers from the root of the document.
 * @param value What the text was parsed to, if it is at hand: with it, most JSON need not be read again.
 * @param startsOf Gives the offset of each line, where that is known (default: looks for them).
 *
 * @example
 * ```ts
 * import { locatePointers } from "./locate.ts";
 * import assert from "node:assert/strict";
 *
 * const found = locatePointers("paths:\n  /users: {}\n", "yaml", ["/paths/~1users"]);
 * assert.deepEqual(found.get("/paths/~1users"), { line: 2, column: 3, endLine: 2 });
 * ```
 */
export function locatePointers(
  text: string,
  syntax: Syntax,
  pointers: Iterable<string>,
  value?: unknown,
  startsOf: (text: string) => readonly number[] = lineStarts,
): Map<string, Location> {
  const tree = pointerTree(pointers);
  const locations = new Map<string, Location>();
  if (tree.pointer === undefined && tree.children.size === 0) return locations;
  const printed = syntax === "json" && value !== undefined
    ? locateInPrinted(text, value, tree, startsOf)
    : undefined;
  if (printed !== undefined) return printed;
  const positionOf = textPositions(text);
  const found: Found = (pointer, start, end) => {
    const { line, column } = positionOf(start);
    locations.set(pointer, { line, column, endLine: positionOf(Math.max(start, end - 1)).line });
  };
  if (syntax === "json") locateInJson(text, tree, found);
  else locateInYaml(text, tree, found);
  return locations;
}
