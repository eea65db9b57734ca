import { unescapeToken } from "../values/json_pointer.ts";
import { textPositions } from "../values/text_position.ts";
import { locateInJson } from "./locate_json.ts";
import { locateInYaml } from "./locate_yaml.ts";

/** How a document is written. */
export type Syntax = "json" | "yaml";

/** Where an entry of a document stands: its key, or for an item of a list the item. */
export interface Location {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** The line on which the value ends; counted from 1. */
  readonly endLine: number;
}

/** The pointers that are looked for, as a tree of their tokens. */
export interface PointerTree {
  /** The pointer that ends here, if one does. */
  pointer: string | undefined;
  /** What is looked for below. */
  children: Map<string, PointerTree>;
}

/** Called with what was found: offsets of the entry and of the end of its value. */
export type Found = (pointer: string, start: number, end: number) => void;

/**
 * Finds where pointers lead in the text of a document, in one pass over the text that keeps nothing
 * but what is asked for. Pointers that lead nowhere are left out.
 *
 * @param text The text that was parsed; it must be free of syntax errors.
 * @param pointers RFC 6901 pointers from the root of the document.
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
): Map<string, Location> {
  const tree = treeOf(pointers);
  const locations = new Map<string, Location>();
  if (tree.pointer === undefined && tree.children.size === 0) return locations;
  const positionOf = textPositions(text);
  const found: Found = (pointer, start, end) => {
    const { line, column } = positionOf(start);
    locations.set(pointer, { line, column, endLine: positionOf(Math.max(start, end - 1)).line });
  };
  if (syntax === "json") locateInJson(text, tree, found);
  else locateInYaml(text, tree, found);
  return locations;
}

/** Shared by all that has nothing below it, which is most of a tree: stays empty. */
const NOTHING: Map<string, PointerTree> = new Map();

/**
 * The tree of the pointers. They may be hundreds of thousands, mostly in the order of the document, so each is added
 * from where it parts from the one before it.
 */
function treeOf(pointers: Iterable<string>): PointerTree {
  const tree: PointerTree = { pointer: undefined, children: NOTHING };
  /** The nodes on the way to the last pointer, each with where its token ends in it. */
  const nodes = [tree];
  const ends = [0];
  let last = "";
  for (const pointer of pointers) {
    const shared = sharedLength(last, pointer);
    while (nodes.length > 1 && !endsToken(pointer, ends[ends.length - 1] ?? 0, shared)) {
      nodes.pop();
      ends.pop();
    }
    let node = nodes[nodes.length - 1] ?? tree;
    let end = ends[ends.length - 1] ?? 0;
    while (end < pointer.length) {
      const slash = pointer.indexOf("/", end + 1);
      const next = slash < 0 ? pointer.length : slash;
      node = childOf(node, unescapeToken(pointer.slice(end + 1, next)));
      end = next;
      nodes.push(node);
      ends.push(end);
    }
    node.pointer = pointer;
    last = pointer;
  }
  return tree;
}

function sharedLength(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left.charCodeAt(length) === right.charCodeAt(length)) length++;
  return length;
}

/** Whether a token of the last pointer that ends there is one of this pointer too. */
function endsToken(pointer: string, end: number, shared: number): boolean {
  return end <= shared && (end === pointer.length || pointer[end] === "/");
}

function childOf(node: PointerTree, token: string): PointerTree {
  let child = node.children.get(token);
  if (child === undefined) {
    child = { pointer: undefined, children: NOTHING };
    if (node.children === NOTHING) node.children = new Map([[token, child]]);
    else node.children.set(token, child);
  }
  return child;
}
