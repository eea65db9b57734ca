import { ANY_TYPE, ARRAY, OBJECT } from "../values/json_type.ts";
import { mayOverlap } from "./pattern_overlap.ts";

/** What decoding can yield at a place of a request (semantics, section 5: text positions and JSON positions). */
export interface SchemaPosition {
  /** The types that decoding can yield here, as bits of `json_type.ts`; every type in JSON. */
  readonly types: number;
  /** True where the instance is JSON, and so is everything below it. */
  readonly json: boolean;
  /** The properties that are read by a schema of their name. */
  readonly names: ReadonlySet<string>;
  /** The patterns of names whose properties are read by a schema of theirs. */
  readonly patterns: readonly string[];
  /** How many items are read by a schema of their own; behind them, all are alike. */
  readonly tupleLength: number;
  /** The position of a property's value. */
  property(name: string): SchemaPosition;
  /** The position of a property that is not declared, and whose name matches these of the patterns. */
  undeclared(patterns: readonly string[]): SchemaPosition;
  /** The position of an item. */
  item(index: number): SchemaPosition;
}

function uniform(types: number, json: boolean): SchemaPosition {
  const place: SchemaPosition = {
    types,
    json,
    names: new Set(),
    patterns: [],
    tupleLength: 0,
    property: () => place,
    undeclared: () => place,
    item: () => place,
  };
  return place;
}

/** A place inside JSON, where every type can stand. */
export const JSON_PLACE: SchemaPosition = uniform(ANY_TYPE, true);

/** A place that no value reaches. */
const NO_PLACE: SchemaPosition = uniform(0, false);
const NO_PLACES: readonly SchemaPosition[] = [NO_PLACE];
const NAMES: readonly SchemaPosition[] = [JSON_PLACE];

/** How a subschema's instance relates to the instance of the schema around it. */
export type Relation = "in_place" | "property" | "item" | "name";

/** The properties that a keyword applies to, of whatever names an object has. */
export interface PropertyRange {
  /** Whether it applies to a property that has a schema of its name. */
  has(name: string): boolean;
  /** The pattern that names have to match; undefined for what other keywords leave over. */
  readonly pattern: string | undefined;
  /** The patterns whose names are not left over. */
  readonly excluded: ReadonlySet<string>;
}

/** The items from an index on. */
export interface ItemRange {
  readonly from: number;
}

/** Which properties or items a subschema applies to; empty text for the whole instance and for names. */
export type Where = string | number | PropertyRange | ItemRange;

/**
 * The positions of a subschema's instances: several where a property or item is read in several ways, each by what else
 * the description says about its name or index.
 */
export function positionsBelow(
  position: SchemaPosition,
  relation: Relation,
  where: Where,
): readonly SchemaPosition[] {
  if (position.json || relation === "in_place") return [position];
  if ((position.types & (relation === "item" ? ARRAY : OBJECT)) === 0) return NO_PLACES;
  if (relation === "name") return NAMES;
  if (typeof where === "string") return [position.property(where)];
  if (typeof where === "number") return [position.item(where)];
  return "from" in where ? itemsIn(position, where) : propertiesIn(position, where);
}

function itemsIn(position: SchemaPosition, { from }: ItemRange): readonly SchemaPosition[] {
  const found = new Set<SchemaPosition>();
  for (let index = from; index < position.tupleLength; index++) found.add(position.item(index));
  found.add(position.item(Math.max(from, position.tupleLength)));
  return [...found];
}

const readings = new WeakMap<SchemaPosition, Map<SchemaPosition, string[]>>();

/** The names of a position by how they are read: many names are read in few ways, and one of each tells of all. */
function readingsOf(position: SchemaPosition): Map<SchemaPosition, string[]> {
  let known = readings.get(position);
  if (known === undefined) {
    readings.set(position, known = new Map());
    for (const name of position.names) {
      const read = position.property(name);
      const names = known.get(read);
      if (names === undefined) known.set(read, [name]);
      else names.push(name);
    }
  }
  return known;
}

/** Of so many patterns each is compared with each; of more, all are taken to have names in common. */
const FEW_PATTERNS = 50;

function propertiesIn(position: SchemaPosition, range: PropertyRange): readonly SchemaPosition[] {
  const { pattern, excluded } = range;
  const found = new Set<SchemaPosition>();
  for (const [read, names] of readingsOf(position)) {
    if (names.some((name) => range.has(name))) found.add(read);
  }
  const own = pattern === undefined ? [] : [pattern];
  const others = position.patterns.filter((other) =>
    other !== pattern && !excluded.has(other) &&
    (pattern === undefined || position.patterns.length > FEW_PATTERNS || mayOverlap(pattern, other))
  );
  found.add(position.undeclared(own));
  // More patterns can only add readings, so that alone and all together say what those between do.
  if (others.length <= FEW_PATTERNS) {
    for (const other of others) found.add(position.undeclared(inOrder(position, [...own, other])));
  }
  if (others.length > 1) found.add(position.undeclared(inOrder(position, [...own, ...others])));
  return [...found];
}

/** Patterns in the order of the position, so that the same ones are the same list. */
function inOrder({ patterns }: SchemaPosition, some: readonly string[]): readonly string[] {
  const wanted = new Set(some);
  return patterns.filter((pattern) => wanted.has(pattern));
}
