import type { Found, PointerTree } from "./locate.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Finds the pointers of a tree in a JSON text that is known to be valid. */
export function locateInJson(text: string, tree: PointerTree, found: Found): void {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  visitValue(text, start, start, tree, found);
}

/** Visits a value whose entry begins at `entry`, and returns the offset behind it. */
function visitValue(
  text: string,
  offset: number,
  entry: number,
  tree: PointerTree,
  found: Found,
): number {
  const end = tree.children.size === 0
    ? skipValue(text, offset)
    : text[offset] === "{"
    ? visitObject(text, offset, tree, found)
    : text[offset] === "["
    ? visitArray(text, offset, tree, found)
    : skipValue(text, offset);
  if (tree.pointer !== undefined) found(tree.pointer, entry, end);
  return end;
}

function visitObject(text: string, start: number, tree: PointerTree, found: Found): number {
  let offset = skipSpace(text, start + 1);
  while (offset < text.length && text[offset] !== "}") {
    const keyEnd = skipString(text, offset);
    const raw = text.slice(offset + 1, keyEnd - 1);
    const key = raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const child = tree.children.get(key);
    offset = child === undefined
      ? skipValue(text, value)
      : visitValue(text, value, offset, child, found);
    offset = skipSpace(text, offset);
    if (text[offset] === ",") offset = skipSpace(text, offset + 1);
  }
  return offset + 1;
}

function visitArray(text: string, start: number, tree: PointerTree, found: Found): number {
  let offset = skipSpace(text, start + 1);
  for (let index = 0; offset < text.length && text[offset] !== "]"; index++) {
    const child = tree.children.get(String(index));
    offset = child === undefined
      ? skipValue(text, offset)
      : visitValue(text, offset, offset, child, found);
    offset = skipSpace(text, offset);
    if (text[offset] === ",") offset = skipSpace(text, offset + 1);
  }
  return offset + 1;
}

function skipValue(text: string, start: number): number {
  let depth = 0;
  let offset = start;
  while (offset < text.length) {
    switch (text.charCodeAt(offset)) {
      case QUOTE:
        offset = skipString(text, offset);
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth++;
        offset++;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        if (depth === 0) return offset;
        depth--;
        offset++;
        break;
      case 0x2c: // ,
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        if (depth === 0) return offset;
        offset++;
        continue;
      default:
        offset++;
        continue;
    }
    if (depth === 0) return offset;
  }
  return offset;
}

function skipString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let offset = start;
  while (true) {
    const code = text.charCodeAt(offset);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return offset;
    offset++;
  }
}
