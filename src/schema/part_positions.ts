import type { Relation } from "../values/keyword_table.ts";
import { JSON_POSITION, NOWHERE, type Position } from "../values/position.ts";
import { ARRAY, OBJECT } from "../values/json_type.ts";
import { getOrAdd, groupItems } from "../values/collections.ts";

export interface LoadedDocument {
  /** The URI of the document, without fragment: a URL, or an invented one for a description given as an object. */
  readonly uri: string;
  /** The text before `#` in pointers for users: empty for the entry document, else the file's path relative to it. */
  readonly label: string;
  readonly value: unknown;
}

export interface Place {
  readonly value: unknown;
  readonly document: LoadedDocument;
  /** RFC 6901 pointer from the root of the document; empty for the root itself. */
  readonly pointer: string;
}

const NO_PLACES: readonly Position[] = [NOWHERE];
const NAMES: readonly Position[] = [JSON_POSITION];

/** The properties that a keyword applies to by a pattern, or because other keywords don't apply to them. */
export interface PropertyRange {
  /** True if the keyword applies to a property that some schema declares by this name. */
  has(name: string): boolean;
  /** The pattern that names have to match; undefined for keywords such as `additionalProperties`. */
  readonly pattern: string | undefined;
  readonly excluded: ReadonlySet<string>;
}

export interface ItemRange {
  readonly from: number;
}

/** The properties or items that a subschema applies to; empty text for the instance itself and for property names. */
export type PartSelector = string | number | PropertyRange | ItemRange;

/** Returns the positions of a part: several if it can be read in several ways, depending on its other schemas. */
export function positionsBelow(
  position: Position,
  relation: Relation,
  part: PartSelector,
): readonly Position[] {
  if (position.json || relation === "in_place") return [position];
  if ((position.types & (relation === "item" ? ARRAY : OBJECT)) === 0) return NO_PLACES;
  if (relation === "name") return NAMES;
  if (typeof part === "string") return [position.property(part)];
  if (typeof part === "number") return [position.item(part)];
  return "from" in part ? itemPositions(position, part) : propertyPositions(position, part);
}

function itemPositions(position: Position, { from }: ItemRange): readonly Position[] {
  const found = new Set<Position>();
  for (let index = from; index < position.tupleLength; index++) found.add(position.item(index));
  found.add(position.item(Math.max(from, position.tupleLength)));
  return [...found];
}

const nameGroups = new WeakMap<Position, Map<Position, string[]>>();

/** Groups the names of a position by the positions of their properties; there are few of these even for many names. */
function groupNames(position: Position): Map<Position, string[]> {
  return getOrAdd(
    nameGroups,
    position,
    () => groupItems(position.names, (name) => position.property(name)),
  );
}

/** Up to this many patterns are compared with each other; if there are more, all are assumed to overlap. */
const MAX_PATTERNS = 50;

function propertyPositions(position: Position, range: PropertyRange): readonly Position[] {
  const { pattern, excluded } = range;
  const found = new Set<Position>();
  for (const [partPosition, names] of groupNames(position)) {
    if (names.some((name) => range.has(name))) found.add(partPosition);
  }
  const own = pattern === undefined ? [] : [pattern];
  const others = position.patterns.filter((other) =>
    other !== pattern && !excluded.has(other) &&
    (pattern === undefined || position.patterns.length > MAX_PATTERNS || mayOverlap(pattern, other))
  );
  found.add(position.undeclared(own));
  // Further patterns can only add ways of reading: each pattern alone, and all together, cover all combinations.
  if (others.length <= MAX_PATTERNS) {
    for (const other of others) found.add(position.undeclared(inOrder(position, [...own, other])));
  }
  if (others.length > 1) found.add(position.undeclared(inOrder(position, [...own, ...others])));
  return [...found];
}

/** Sorts patterns as in the position, so that the same set is always the same list. */
function inOrder({ patterns }: Position, unsorted: readonly string[]): readonly string[] {
  const included = new Set(unsorted);
  return patterns.filter((pattern) => included.has(pattern));
}

/** False if the beginnings or ends of two patterns show that no name matches both (`^x-`, `^y-`). */
function mayOverlap(one: string, other: string): boolean {
  const [first, second] = [literalEnds(one), literalEnds(other)];
  return (first.start.startsWith(second.start) || second.start.startsWith(first.start)) &&
    (first.end.endsWith(second.end) || second.end.endsWith(first.end));
}

/** Returns the literal text at the beginning, and at the end, of every name that matches a pattern. */
function literalEnds(pattern: string): { readonly start: string; readonly end: string } {
  if (pattern.includes("|")) return { start: "", end: "" };
  // A character with a quantifier may not be in the name.
  const start = /^\^((?:[\w-](?![?*+{]))*)/.exec(pattern)?.[1] ?? "";
  // A letter after a backslash isn't literal; characters in brackets, braces and groups aren't a sequence.
  const end = /(?:^\^?|[^\\\w-])([\w-]+)\$$/.exec(pattern);
  const isPlain = end !== null && !/[[{(][^\])}]*$/.test(pattern.slice(0, -1));
  return { start, end: isPlain ? end[1] ?? "" : "" };
}
