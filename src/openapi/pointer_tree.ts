import { unescapeToken } from "../values/json_pointer.ts";

/** The pointers that are looked for, as a tree of their tokens. */
export interface PointerTree {
  /** The pointer that ends here, if one does. */
  pointer: string | undefined;
  /** The pointers below. */
  children: Map<string, PointerTree>;
}

/** Called with what was found: offsets of the entry and of the end of its value. */
export type Found = (pointer: string, start: number, end: number) => void;

/** Shared by all that has nothing below it, which is most of a tree: stays empty. */
const NOTHING: Map<string, PointerTree> = new Map();

/**
 * The tree of the pointers. They may be hundreds of thousands, mostly in the order of the document, so each is added
 * from where it parts from the one before it.
 */
export function pointerTree(pointers: Iterable<string>): PointerTree {
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

/** True if a token of the last pointer that ends there is one of this pointer too. */
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
