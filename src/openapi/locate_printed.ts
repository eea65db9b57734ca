import type { PointerTree } from "./locate_yaml.ts";
import type { Location } from "./document_set.ts";

/** The beginning of an entry: on its line after so many levels of indentation, with its name if it has one. */
interface Entry {
  readonly line: number;
  readonly depth: number;
  /** Undefined for the root and for items of lists. */
  readonly name: string | undefined;
  readonly endLine: number;
}

type Found = (pointer: string, entry: Entry) => void;

/** Finds pointers in what `JSON.stringify(value, null, 2)` prints, without printing it: each entry is a line. */
export function locatePrinted(value: unknown, tree: PointerTree): Map<string, Location> {
  const locations = new Map<string, Location>();
  visit(value, tree, 1, 0, undefined, (pointer, { line, depth, endLine }) => {
    locations.set(pointer, { line, column: 2 * depth + 1, endLine });
  });
  return locations;
}

/** Finds pointers in JSON with one entry a line by looking at few lines; undefined where it is printed otherwise. */
export function locateInPrinted(
  text: string,
  value: unknown,
  tree: PointerTree,
  startsOf: (text: string) => readonly number[] = lineStarts,
): Map<string, Location> | undefined {
  const unit = /^[{[]\n([ \t]+)\S/.exec(text)?.[1];
  if (unit === undefined || text.includes("\r")) return undefined;
  const starts = startsOf(text);
  const locations = new Map<string, Location>();
  const indents = [""];
  let isAsExpected = true;
  const lines = visit(value, tree, 1, 0, undefined, (pointer, { line, depth, name, endLine }) => {
    while (indents.length <= depth) indents.push(`${indents.at(-1)}${unit}`);
    const indent = indents[depth] ?? "";
    const start = starts[line - 1] ?? text.length;
    // A name that stands there was meant: no two lines between the brackets of an object have the same.
    isAsExpected &&= (name === undefined
      ? text.startsWith(indent, start) && /[^\s}\],]/.test(text[start + indent.length] ?? "")
      : text.startsWith(`${indent}${JSON.stringify(name)}: `, start)) &&
      (endLine === line || isClosed(text, starts[endLine - 1] ?? text.length, indent));
    locations.set(pointer, { line, column: indent.length + 1, endLine });
  });
  const rest = text.slice(starts[lines]);
  const isWhole = starts.length === lines || (starts.length > lines && rest.trim() === "");
  return isAsExpected && isWhole ? locations : undefined;
}

function isClosed(text: string, start: number, indent: string): boolean {
  const closer = text[start + indent.length];
  return text.startsWith(indent, start) && (closer === "}" || closer === "]");
}

export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function visit(
  value: unknown,
  tree: PointerTree,
  line: number,
  depth: number,
  name: string | undefined,
  found: Found,
): number {
  let lines = 0;
  if (tree.children.size === 0 || typeof value !== "object" || value === null) {
    lines = countLines(value);
  } else {
    const isList = Array.isArray(value);
    for (const key in value) {
      const member = (value as Record<string, unknown>)[key];
      if (member === undefined && !isList) continue;
      const child = tree.children.get(key);
      lines += child === undefined
        ? countLines(member)
        : visit(member, child, line + 1 + lines, depth + 1, isList ? undefined : key, found);
    }
    lines = lines === 0 ? 1 : lines + 2;
  }
  if (tree.pointer !== undefined) {
    found(tree.pointer, { line, depth, name, endLine: line + lines - 1 });
  }
  return lines;
}

function countLines(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  let lines = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) lines += countLines(value[index]);
  } else {
    for (const key in value) {
      const member = (value as Record<string, unknown>)[key];
      if (member !== undefined) lines += countLines(member);
    }
  }
  return lines === 0 ? 1 : lines + 2;
}
