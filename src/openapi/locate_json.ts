import { unescapeToken } from "../values/json_pointer.ts";
import { skipSpace, skipString } from "../values/parse_json.ts";

/** Called with what was found: offsets of the entry and of the end of its value. */
export type Found = (pointer: string, start: number, end: number) => void;

const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Finds pointers in a JSON text that is known to be valid, in one pass. */
export function locateInJson(text: string, pointers: readonly string[], found: Found): void {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  visitValue(start, start, pointerTree(pointers));

  /** Gives the offset after a value; `entry` is the offset of its name, or its own. */
  function visitValue(offset: number, entry: number, tree: PointerTree): number {
    const isEntered = tree.children.size > 0 && (text[offset] === "{" || text[offset] === "[");
    const end = isEntered ? visitEntries(offset, tree) : skipValue(text, offset);
    if (tree.pointer !== undefined) found(tree.pointer, entry, end);
    return end;
  }

  function visitEntries(start: number, tree: PointerTree): number {
    const isObject = text[start] === "{";
    const closer = isObject ? "}" : "]";
    let offset = skipSpace(text, start + 1);
    for (let index = 0; offset < text.length && text[offset] !== closer; index++) {
      const entry = offset;
      let name: string;
      if (!isObject) name = String(index);
      else {
        const end = skipString(text, offset);
        const raw = text.slice(offset + 1, end - 1);
        name = raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
        offset = skipSpace(text, skipSpace(text, end) + 1);
      }
      const child = tree.children.get(name);
      const end = child === undefined ? skipValue(text, offset) : visitValue(offset, entry, child);
      offset = skipSpace(text, end);
      if (text[offset] === ",") offset = skipSpace(text, offset + 1);
    }
    return offset + 1;
  }
}

function skipValue(text: string, start: number): number {
  let depth = 0;
  let offset = start;
  do {
    const code = text.charCodeAt(offset);
    if (code === QUOTE) offset = skipString(text, offset);
    else {
      // A bit tells the brackets of a list from those of an object.
      if ((code | 0x20) === OPEN) depth++;
      else if ((code | 0x20) === CLOSE) depth--;
      else if (depth === 0) return skipLiteral(text, offset);
      offset++;
    }
  } while (depth > 0 && offset < text.length);
  return offset;
}

function skipLiteral(text: string, start: number): number {
  let offset = start;
  while (offset < text.length && /[^\s,\]}]/.test(text[offset] ?? "")) offset++;
  return offset;
}

interface PointerTree {
  pointer: string | undefined;
  children: Map<string, PointerTree>;
}

/** Shared by all that has nothing below it, which is most of a tree: stays empty. */
const NOTHING: Map<string, PointerTree> = new Map();

/** Pointers may be hundreds of thousands, mostly in order: each is added from where it parts from the last. */
function pointerTree(pointers: readonly string[]): PointerTree {
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
