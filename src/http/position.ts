import { ANY_NUMBER, ANY_TYPE, ARRAY, BOOLEAN, NULL, OBJECT, STRING } from "../json_type.ts";
import type { FormEncoding, ParameterEncoding, StyleEncoding } from "./encoding.ts";
import { planOf } from "./form_plan.ts";
import { essenceOf, kindOf, readsJson } from "./media_type.ts";
import { SCALARS } from "./occurrences.ts";
import { styleIn } from "./parameter_style.ts";
import type { Shape } from "./shape.ts";

/**
 * What decoding can yield at a place of a request: satisfiability (semantics, section 5) asks which
 * keywords can pass and fail there.
 */
export interface Position {
  /** The types that decoding can yield here, as bits of `json_type.ts`; 0 where it never yields a value. */
  readonly types: number;
  /** True where the value is JSON, and all below it. */
  readonly json: boolean;
  /** The position of a property's value. */
  property(name: string): Position;
  /** The position of an item. */
  item(index: number): Position;
}

function uniform(types: number, json: boolean): Position {
  const position: Position = {
    types,
    json,
    property: () => json ? position : NOWHERE,
    item: () => json ? position : NOWHERE,
  };
  return position;
}

/** Below scalars, where nothing can be. */
const NOWHERE: Position = {
  types: 0,
  json: false,
  property: () => NOWHERE,
  item: () => NOWHERE,
};

/** Inside JSON, where every type can stand. */
export const JSON_POSITION: Position = uniform(ANY_TYPE, true);

/** Text and files that are one string, whatever the schema says. */
export const STRING_POSITION: Position = uniform(STRING, false);

/** What a way of decoding yields for a shape. */
interface PositionKind {
  types(types: number): number;
  property(shape: Shape, name: string): Position;
  item(shape: Shape, index: number): Position;
}

/** Makes the positions of a kind, one per shape, so that recursive shapes have finitely many. */
function positionsOf(kind: PositionKind): (shape: Shape) => Position {
  const positions = new WeakMap<Shape, Position>();
  return (shape) => {
    let position = positions.get(shape);
    if (position === undefined) {
      position = {
        types: kind.types(shape.types),
        json: false,
        property: (name) => kind.property(shape, name),
        item: (index) => kind.item(shape, index),
      };
      positions.set(shape, position);
    }
    return position;
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
  item: (shape, index) => textPosition(shape.item(index)),
});

const delimitedPosition = positionsOf({
  types: delimitedTypes,
  property: (shape, name) => textPosition(shape.property(name)),
  item: (shape, index) => textPosition(shape.item(index)),
});

const explodedPosition = positionsOf({
  types: explodedTypes,
  property: (shape, name) => occurrencesPosition(shape.property(name)),
  item: (shape, index) => textPosition(shape.item(index)),
});

const deepPosition = positionsOf({
  types: deepTypes,
  property: (shape, name) => deepPosition(shape.property(name)),
  item: (shape, index) => deepPosition(shape.item(index)),
});

/** As `decodeCollection`. */
const collectionPosition = positionsOf({
  types: occurrenceTypes,
  property: nowhere,
  item: (shape, index) => collectionPosition(shape.item(index)),
});

/** As the readers of plain fields: JSON where objects are allowed and no scalar is. */
function plainFieldTypes(types: number): number {
  if (types === 0) return OBJECT | ARRAY | STRING;
  if ((types & OBJECT) === 0) return occurrenceTypes(types);
  const containers = types & (OBJECT | ARRAY);
  return containers | ((types & SCALARS) === 0 ? types & NULL : textTypes(types));
}

/** True where a plain field is read as JSON whatever it says: nothing but objects (and null) is expected. */
function isJsonField(types: number): boolean {
  return (types & OBJECT) !== 0 && (types & (ARRAY | SCALARS)) === 0;
}

const mixedFieldPosition = positionsOf({
  types: plainFieldTypes,
  property: (shape, name) =>
    shape.types === 0 ? plainFieldPosition(shape.property(name)) : JSON_POSITION,
  item: (shape, index) =>
    shape.types === 0 || (shape.types & OBJECT) === 0
      ? plainFieldPosition(shape.item(index))
      : JSON_POSITION,
});

/**
 * Fields without encoding. That a part of a multipart body may hold a whole list as JSON makes its items no JSON
 * position: what is documented are items sent one by one.
 */
function plainFieldPosition(shape: Shape): Position {
  return isJsonField(shape.types) ? JSON_POSITION : mixedFieldPosition(shape);
}

/** Fields whose encoding is JSON: anything, but always an array where only arrays are allowed. */
const jsonFieldPosition = positionsOf({
  types: (types) =>
    (types & ARRAY) === 0 || (types & SCALARS) !== 0 ? ANY_TYPE : types & (OBJECT | ARRAY | NULL),
  property: json,
  item: json,
});

function formPosition(encoding: FormEncoding): Position {
  const { shape } = encoding;
  return {
    types: OBJECT,
    json: false,
    property(name): Position {
      const property = shape.property(name);
      switch (planOf(encoding, name).kind) {
        case "plain":
          return plainFieldPosition(property);
        case "json":
          return (property.types & ARRAY) === 0 ? JSON_POSITION : jsonFieldPosition(property);
        case "deep":
          return deepPosition(property);
        case "exploded":
          return explodedPosition(property);
        case "delimited":
          return delimitedPosition(property);
      }
    },
    item: nowhere,
  };
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
      return formPosition(encoding);
    case "text":
      return STRING_POSITION;
    default:
      return encoding.shape.types === STRING ? STRING_POSITION : undefined;
  }
}

/**
 * What decoding a parameter can yield, as `compileParameter` decodes it.
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

/** What decoding an `in: formData` parameter (Swagger 2.0) can yield, as `compileFormField` decodes it. */
export function positionOfField(shape: Shape): Position {
  return collectionPosition(shape);
}

/**
 * What decoding a body can yield, as `compileBody` decodes it: one position for each way in which bodies of a documented
 * media type are read. JSON alone where it is among them, since it yields what any other does.
 *
 * @param mediaTypes The documented media types and ranges that the body may have.
 * @returns Nothing where none of them is decoded.
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
  if (essence === "multipart/form-data") return [formPosition(encoding)];
  const other = contentPosition(encoding, mediaType);
  const ofRange = essence === "multipart/*" ? [formPosition(encoding)] : [];
  return other === undefined ? ofRange : [...ofRange, other];
}
