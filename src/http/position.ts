import { JSON_POSITION, NOWHERE, type Position, STRING_POSITION } from "../values/position.ts";
import { ANY_NUMBER, ANY_TYPE, ARRAY, BOOLEAN, NULL, OBJECT, STRING } from "../values/json_type.ts";
import type { FormEncoding, ParameterEncoding, StyleEncoding } from "./encoding.ts";
import { type FieldPlan, planOf } from "./form_plan.ts";
import { essenceOf, kindOf, readsJson } from "./media_type.ts";
import { SCALARS } from "./occurrences.ts";
import { styleIn } from "./parameter_style.ts";
import type { Shape } from "./shape.ts";

/** The values that a way of decoding yields for a shape. */
interface PositionKind {
  types(types: number): number;
  /** The position of a property of this shape within the object of the other. */
  property(property: Shape, object: Shape): Position;
  /** The position of an item of this shape within the array of the other. */
  item(item: Shape, array: Shape): Position;
  /** True if only what the schema declares, or leaves open, is taken for a property. */
  readonly takesDeclared?: boolean;
}

/** Makes the positions of a kind, one per shape, so that recursive shapes have finitely many. */
function positionsOf(kind: PositionKind): (shape: Shape) => Position {
  const positions = new WeakMap<Shape, Position>();
  return (shape) => {
    let position = positions.get(shape);
    if (position === undefined) positions.set(shape, position = positionOfKind(kind, shape));
    return position;
  };
}

function positionOfKind(kind: PositionKind, shape: Shape): Position {
  const types = kind.types(shape.types);
  const hasProperties = (types & OBJECT) !== 0;
  const takesAll = kind.takesDeclared !== true || shape.open;
  return {
    types,
    json: false,
    names: shape.propertyNames,
    patterns: shape.patterns,
    tupleLength: shape.tupleLength,
    property: (name) =>
      hasProperties && (takesAll || shape.propertyNames.has(name))
        ? kind.property(shape.property(name), shape)
        : NOWHERE,
    undeclared: (patterns) =>
      hasProperties && takesAll ? kind.property(shape.undeclared(patterns), shape) : NOWHERE,
    item: (index) => (types & ARRAY) === 0 ? NOWHERE : kind.item(shape.item(index), shape),
  };
}

const nowhere = (): Position => NOWHERE;
const json = (): Position => JSON_POSITION;

/** A scalar: as `readText` reads it. */
function textTypes(types: number): number {
  const numbers = (types & ANY_NUMBER) === 0 ? 0 : ANY_NUMBER;
  return STRING | numbers | (types & (BOOLEAN | NULL));
}

/** As `decodeOccurrences`. */
function occurrenceTypes(types: number): number {
  if ((types & ARRAY) === 0) return textTypes(types);
  return ARRAY | ((types & SCALARS) === 0 ? types & NULL : textTypes(types));
}

/** As `decodeDelimited`. */
function delimitedTypes(types: number): number {
  if ((types & ARRAY) !== 0) return occurrenceTypes(types);
  if ((types & OBJECT) === 0) return textTypes(types);
  return OBJECT | ((types & SCALARS) === 0 ? types & NULL : textTypes(types));
}

/** As `decodeExploded`. */
function explodedTypes(types: number): number {
  if ((types & OBJECT) === 0) return occurrenceTypes(types);
  const isMixed = (types & ~(OBJECT | NULL)) !== 0;
  return OBJECT | (isMixed ? occurrenceTypes(types) : types & NULL);
}

/** As `decodeDeep` with a reader that finds no objects in text. */
function deepTypes(types: number): number {
  const built = types === 0 ? OBJECT | ARRAY : types & (OBJECT | ARRAY);
  return built | (types === OBJECT ? 0 : occurrenceTypes(types));
}

const textPosition = positionsOf({ types: textTypes, property: nowhere, item: nowhere });

const occurrencesPosition = positionsOf({
  types: occurrenceTypes,
  property: nowhere,
  item: (item) => textPosition(item),
});

const delimitedPosition = positionsOf({
  types: delimitedTypes,
  property: (property) => textPosition(property),
  item: (item) => textPosition(item),
});

const explodedPosition = positionsOf({
  types: explodedTypes,
  takesDeclared: true,
  property: (property) => occurrencesPosition(property),
  item: (item) => textPosition(item),
});

const deepPosition = positionsOf({
  types: deepTypes,
  property: (property) => deepPosition(property),
  item: (item) => deepPosition(item),
});

/** As `decodeCollection`. */
const collectionPosition = positionsOf({
  types: occurrenceTypes,
  property: nowhere,
  item: (item) => collectionPosition(item),
});

/** As the readers of plain fields: JSON where objects are allowed and no scalar is. */
function plainFieldTypes(types: number): number {
  if (types === 0) return OBJECT | ARRAY | STRING;
  if ((types & OBJECT) === 0) return occurrenceTypes(types);
  const containers = types & (OBJECT | ARRAY);
  return containers | ((types & SCALARS) === 0 ? types & NULL : textTypes(types));
}

/** True if a plain field is read as JSON whatever it says: nothing but objects (and null) is expected. */
function isJsonField(types: number): boolean {
  return (types & OBJECT) !== 0 && (types & (ARRAY | SCALARS)) === 0;
}

/** Fields of urlencoded forms without encoding that are not JSON whatever they say. */
const mixedFieldPosition = positionsOf({
  types: plainFieldTypes,
  property: (property, object) => object.types === 0 ? plainFieldPosition(property) : JSON_POSITION,
  item: (item, array) => (array.types & OBJECT) === 0 ? plainFieldPosition(item) : JSON_POSITION,
});

function plainFieldPosition(shape: Shape): Position {
  return isJsonField(shape.types) ? JSON_POSITION : mixedFieldPosition(shape);
}

/** Likewise in multipart forms, where one part may hold a whole list as JSON. */
const mixedPartPosition = positionsOf({
  types: plainFieldTypes,
  property: (property, object) => object.types === 0 ? plainPartPosition(property) : JSON_POSITION,
  item: (item, array) => array.types === 0 ? plainPartPosition(item) : JSON_POSITION,
});

function plainPartPosition(shape: Shape): Position {
  return isJsonField(shape.types) ? JSON_POSITION : mixedPartPosition(shape);
}

/** Fields whose encoding is JSON: anything, but always an array where only arrays are allowed. */
const jsonFieldPosition = positionsOf({
  types: (types) =>
    (types & ARRAY) === 0 || (types & SCALARS) !== 0 ? ANY_TYPE : types & (OBJECT | ARRAY | NULL),
  property: json,
  item: json,
});

function formPosition(encoding: FormEncoding, plain: (shape: Shape) => Position): Position {
  const { shape, properties } = encoding;
  const encoded = Object.keys(properties);
  return {
    types: OBJECT,
    json: false,
    names: encoded.length === 0
      ? shape.propertyNames
      : new Set([...shape.propertyNames, ...encoded]),
    patterns: shape.patterns,
    tupleLength: 0,
    property: (name) => fieldPosition(planOf(encoding, name), shape.property(name), plain),
    undeclared: (patterns) => plain(shape.undeclared(patterns)),
    item: nowhere,
  };
}

function fieldPosition(
  { kind }: FieldPlan,
  shape: Shape,
  plain: (shape: Shape) => Position,
): Position {
  switch (kind) {
    case "plain":
      return plain(shape);
    case "json":
      return (shape.types & ARRAY) === 0 ? JSON_POSITION : jsonFieldPosition(shape);
    case "deep":
      return deepPosition(shape);
    case "exploded":
      return explodedPosition(shape);
    case "delimited":
      return delimitedPosition(shape);
  }
}

function stylePosition({ location, style, explode, shape }: StyleEncoding): Position {
  switch (styleIn(location, style)) {
    case "simple":
    case "label":
      return delimitedPosition(shape);
    case "deepObject":
      return deepPosition(shape);
    default:
      return explode ? explodedPosition(shape) : delimitedPosition(shape);
  }
}

/** As `compileContent`, and as `compileBody` but for multipart bodies and ranges. */
function contentPosition(encoding: FormEncoding, mediaType: string): Position | undefined {
  const kind = kindOf(essenceOf(mediaType));
  switch (kind) {
    case "json":
    case "sequence":
      return JSON_POSITION;
    case "form":
      return formPosition(encoding, plainFieldPosition);
    case "text":
      return STRING_POSITION;
    default:
      return encoding.shape.types === STRING ? STRING_POSITION : undefined;
  }
}

/**
 * The values that decoding a parameter with `compileParameter` can yield.
 *
 * @returns `undefined` for a `content` whose media type is not decoded.
 */
export function positionOf(encoding: ParameterEncoding): Position | undefined {
  switch (encoding.kind) {
    case "style":
      return stylePosition(encoding);
    case "collection":
      return collectionPosition(encoding.shape);
    case "content":
    case "querystring": {
      const { shape, properties = {}, mediaType } = encoding;
      return contentPosition({ shape, properties }, mediaType);
    }
  }
}

/** The values that decoding an `in: formData` parameter (Swagger 2.0) with `compileFormField` can yield. */
export function positionOfField(shape: Shape): Position {
  return collectionPosition(shape);
}

/**
 * The values that decoding a body with `compileBody` can yield: one position for each way in which bodies of a
 * documented media type are read. If JSON is among them, JSON alone, since it can yield everything that the others can.
 *
 * @param mediaTypes The documented media types and ranges that the body may have.
 * @returns Nothing if none of them is decoded.
 */
export function positionsOfBody(
  encoding: FormEncoding,
  mediaTypes: readonly string[],
): readonly Position[] {
  const positions = new Set<Position>();
  for (const mediaType of mediaTypes) {
    for (const position of positionsOfMediaType(encoding, mediaType)) positions.add(position);
  }
  return positions.has(JSON_POSITION) ? [JSON_POSITION] : [...positions];
}

function positionsOfMediaType(encoding: FormEncoding, mediaType: string): readonly Position[] {
  const essence = essenceOf(mediaType);
  if (readsJson(essence)) return [JSON_POSITION];
  if (essence === "multipart/form-data") return [formPosition(encoding, plainPartPosition)];
  const other = contentPosition(encoding, mediaType);
  const ofRange = essence === "multipart/*" ? [formPosition(encoding, plainPartPosition)] : [];
  return other === undefined ? ofRange : [...ofRange, other];
}
