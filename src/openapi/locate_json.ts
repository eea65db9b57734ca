import type { Found, PointerTree } from "./locate.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** So many names are searched for in the rest of a text, which takes a tenth of reading it for each of them. */
const FEW = 4;

/** Finds the pointers of a tree in a JSON text that is known to be valid. */
export function locateInJson(text: string, tree: PointerTree, found: Found): void {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  visitValue(text, start, start, tree, true, found);
}

/**
 * Visits a value whose entry begins at `entry`.
 *
 * @param isLast Whether nothing behind the value is looked for.
 * @returns The offset behind it; that of the end of the text where nothing more is to be found.
 */
function visitValue(
  text: string,
  offset: number,
  entry: number,
  tree: PointerTree,
  isLast: boolean,
  found: Found,
): number {
  const end = tree.children.size === 0
    ? skipValue(text, offset)
    : text[offset] === "{"
    ? visitObject(text, offset, tree, isLast && tree.pointer === undefined, found)
    : text[offset] === "["
    ? visitArray(text, offset, tree, found)
    : skipValue(text, offset);
  if (tree.pointer !== undefined) found(tree.pointer, entry, end);
  return end;
}

function visitObject(
  text: string,
  start: number,
  tree: PointerTree,
  isLast: boolean,
  found: Found,
): number {
  let offset = skipSpace(text, start + 1);
  const missing = isLast && tree.children.size <= FEW ? new Set(tree.children.keys()) : undefined;
  while (offset < text.length && text[offset] !== "}") {
    const keyEnd = skipString(text, offset);
    const raw = text.slice(offset + 1, keyEnd - 1);
    const key = raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const child = tree.children.get(key);
    if (child === undefined) offset = skipValue(text, value);
    else {
      missing?.delete(key);
      const isOver = missing?.size === 0 && !comesAgain(text, value, tree);
      offset = visitValue(text, value, offset, child, isOver, found);
      if (isOver) return text.length;
    }
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
      : visitValue(text, offset, offset, child, false, found);
    offset = skipSpace(text, offset);
    if (text[offset] === ",") offset = skipSpace(text, offset + 1);
  }
  return offset + 1;
}

/** Whether a name may be there once more: of entries with the same name the last one counts. */
function comesAgain(text: string, offset: number, { children }: PointerTree): boolean {
  return [...children.keys()].some((name) => text.includes(JSON.stringify(name), offset));
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

/** Skips a number, `true`, `false` or `null`. */
function skipLiteral(text: string, start: number): number {
  let offset = start;
  while (offset < text.length && /[^\s,\]}]/.test(text[offset] ?? "")) offset++;
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
