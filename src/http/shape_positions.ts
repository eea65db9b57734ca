import { getOrAdd } from "../values/collections.ts";
import { JSON_POSITION, NOWHERE, type Position, STRING_POSITION } from "../values/position.ts";
import { ANY_NUMBER, ANY_TYPE, ARRAY, BOOLEAN, NULL, OBJECT, STRING } from "../values/json_type.ts";
import { collectionLayout } from "./delimited.ts";
import { isStreamOfData } from "./body.ts";
import type { CollectionEncoding, FormEncoding, ParameterEncoding } from "./encoding.ts";
import { type StylePlan, stylePlan } from "./style_plan.ts";
import { type FieldPlan, findFieldPlan } from "./form_plan.ts";
import { mediaEssence, type MediaKind, mediaKind, parameterKind, readsJson } from "./media_type.ts";
import { SCALARS } from "./decoded.ts";
import type { Shape } from "./shape.ts";
import { undeclaredContent, type XmlForm, xmlNames } from "./xml_body.ts";

/** Describes the values that one way of decoding yields, by shape. */
interface PositionKind {
  types(types: number, shape: Shape): number;
  /** Returns the types whose empty value can't be sent (default: objects). */
  neverEmpty?(types: number): number;
  /** True if a single text is read as a scalar wherever the types allow one, and as a list only where they don't. */
  readonly prefersScalars?: boolean;
  property(property: Shape, object: Shape): Position;
  /** Returns the position of a declared property, where it depends on the name. */
  declared?(name: string, object: Shape): Position;
  item(item: Shape, array: Shape): Position;
  /** True if undeclared names are only properties of open objects. */
  readonly takesDeclared?: boolean;
}

/** Returns a function that creates one position per shape, so that recursive shapes have finitely many. */
function makePositions(kind: PositionKind): (shape: Shape) => Position {
  const positions = new WeakMap<Shape, Position>();
  return (shape) => getOrAdd(positions, shape, () => createPosition(kind, shape));
}

function createPosition(kind: PositionKind, shape: Shape): Position {
  const types = kind.types(shape.types, shape);
  const hasProperties = (types & OBJECT) !== 0;
  const takesUndeclared = kind.takesDeclared !== true || shape.open;
  return {
    types,
    neverEmpty: kind.neverEmpty?.(shape.types) ?? OBJECT,
    neverSingle: kind.prefersScalars === true && (shape.types & SCALARS) !== 0,
    json: false,
    names: shape.propertyNames,
    patterns: shape.patterns,
    tupleLength: shape.tupleLength,
    property: (name) => {
      const isDeclared = shape.propertyNames.has(name);
      if (!hasProperties || !(takesUndeclared || isDeclared)) return NOWHERE;
      return isDeclared && kind.declared !== undefined
        ? kind.declared(name, shape)
        : kind.property(shape.property(name), shape);
    },
    undeclared: (patterns) =>
      hasProperties && takesUndeclared ? kind.property(shape.undeclared(patterns), shape) : NOWHERE,
    item: (index) => (types & ARRAY) === 0 ? NOWHERE : kind.item(shape.item(index), shape),
  };
}

const nowhere = (): Position => NOWHERE;
const json = (): Position => JSON_POSITION;
/** For lists that repeat a name and for exploded objects: without items or properties, nothing is sent. */
const anyContainer = (): number => OBJECT | ARRAY;

/** The types that `readText` yields. */
function textTypes(types: number): number {
  const numbers = (types & ANY_NUMBER) === 0 ? 0 : ANY_NUMBER;
  return STRING | numbers | (types & BOOLEAN);
}

function occurrenceTypes(types: number): number {
  if ((types & ARRAY) === 0) return textTypes(types);
  return (types & SCALARS) === 0 ? ARRAY : ARRAY | textTypes(types);
}

function delimitedTypes(types: number): number {
  if ((types & ARRAY) !== 0) return occurrenceTypes(types);
  if ((types & OBJECT) === 0) return textTypes(types);
  return (types & SCALARS) === 0 ? OBJECT : OBJECT | textTypes(types);
}

function explodedTypes(types: number): number {
  if ((types & OBJECT) === 0) return occurrenceTypes(types);
  const isMixed = (types & ~(OBJECT | NULL)) !== 0;
  return isMixed ? OBJECT | occurrenceTypes(types) : OBJECT;
}

/** The types that `decodeDeep` yields with a reader that finds no objects in text. */
function deepTypes(types: number): number {
  const built = types === 0 ? OBJECT | ARRAY : types & (OBJECT | ARRAY);
  return (types & ~NULL) === OBJECT ? OBJECT : built | occurrenceTypes(types);
}

const textPosition = makePositions({ types: textTypes, property: nowhere, item: nowhere });

const occurrencesPosition = makePositions({
  types: occurrenceTypes,
  neverEmpty: anyContainer,
  prefersScalars: true,
  property: nowhere,
  item: textPosition,
});

const delimited: PositionKind = {
  types: delimitedTypes,
  // The empty text is read as a scalar where one is allowed.
  neverEmpty: (types) => (types & SCALARS) === 0 ? OBJECT : OBJECT | ARRAY,
  prefersScalars: true,
  property: textPosition,
  item: textPosition,
};
const delimitedPosition = makePositions(delimited);

/** For paths, where an empty list would be an empty segment. */
const segmentPosition = makePositions({ ...delimited, neverEmpty: anyContainer });

const explodedPosition = makePositions({
  types: explodedTypes,
  neverEmpty: anyContainer,
  prefersScalars: true,
  takesDeclared: true,
  property: occurrencesPosition,
  item: textPosition,
});

const deepPosition = makePositions({
  types: deepTypes,
  neverEmpty: anyContainer,
  property: (property) => deepPosition(property),
  item: (item) => deepPosition(item),
});

/** For `decodeCollection`, where a list is one text. */
const collection: PositionKind = {
  types: occurrenceTypes,
  property: nowhere,
  item: (item) => collectionPosition(item),
};
const collectionPosition = makePositions(collection);

/** For `decodeCollection`, where a list repeats its name or is a segment of a path. */
const repeatedPosition = makePositions({ ...collection, neverEmpty: anyContainer });

/** The types that the readers of plain fields yield, which read JSON where objects are allowed. */
function plainFieldTypes(types: number): number {
  if (types === 0) return OBJECT | ARRAY | STRING;
  if ((types & OBJECT) === 0) return occurrenceTypes(types);
  const containers = types & (OBJECT | ARRAY);
  return containers | ((types & SCALARS) === 0 ? types & NULL : textTypes(types));
}

/** True if a plain field is always read as JSON, because only objects (and null) are allowed. */
function isJsonField(types: number): boolean {
  return (types & OBJECT) !== 0 && (types & (ARRAY | SCALARS)) === 0;
}

/** For plain fields of urlencoded forms that are not always read as JSON. */
const mixedFieldPosition = makePositions({
  types: plainFieldTypes,
  neverEmpty: (types) => (types & OBJECT) === 0 ? OBJECT | ARRAY : 0,
  property: (property, object) => object.types === 0 ? plainFieldPosition(property) : JSON_POSITION,
  item: (item, array) => (array.types & OBJECT) === 0 ? plainFieldPosition(item) : JSON_POSITION,
});

function plainFieldPosition(shape: Shape): Position {
  return isJsonField(shape.types) ? JSON_POSITION : mixedFieldPosition(shape);
}

/** For plain fields of multipart forms, where one part can also hold a whole list as JSON. */
const mixedPartPosition = makePositions({
  types: plainFieldTypes,
  neverEmpty: (types) =>
    (types & OBJECT) !== 0 ? 0 : (types & ARRAY) !== 0 ? OBJECT : OBJECT | ARRAY,
  property: (property, object) => object.types === 0 ? plainPartPosition(property) : JSON_POSITION,
  item: (item, array) => array.types === 0 ? plainPartPosition(item) : JSON_POSITION,
});

function plainPartPosition(shape: Shape): Position {
  return isJsonField(shape.types) ? JSON_POSITION : mixedPartPosition(shape);
}

/** For fields encoded as JSON, which yield any type, or only allowed types if these include arrays but no scalars. */
const jsonFieldPosition = makePositions({
  types: (types) =>
    (types & ARRAY) === 0 || (types & SCALARS) !== 0 ? ANY_TYPE : types & (OBJECT | ARRAY | NULL),
  neverEmpty: () => 0,
  property: json,
  item: json,
});

function formPosition(encoding: FormEncoding, plain: (shape: Shape) => Position): Position {
  const { shape, properties } = encoding;
  const encodedNames = Object.keys(properties);
  return {
    types: OBJECT,
    neverEmpty: 0, // A form without fields is still a body.
    neverSingle: false,
    json: false,
    names: encodedNames.length === 0
      ? shape.propertyNames
      : new Set([...shape.propertyNames, ...encodedNames]),
    patterns: shape.patterns,
    tupleLength: 0,
    property: (name) => fieldPosition(findFieldPlan(encoding, name), shape.property(name), plain),
    undeclared: (patterns) => plain(shape.undeclared(patterns)),
    item: nowhere,
  };
}

function fieldPosition(plan: FieldPlan, shape: Shape, plain: (shape: Shape) => Position): Position {
  if (plan.kind === "plain") return plain(shape);
  if (plan.kind !== "json") return planPosition(plan, shape);
  return (shape.types & ARRAY) === 0 ? JSON_POSITION : jsonFieldPosition(shape);
}

function planPosition({ kind }: StylePlan, shape: Shape): Position {
  switch (kind) {
    case "deep":
      return deepPosition(shape);
    case "exploded":
      return explodedPosition(shape);
    case "delimited":
      return delimitedPosition(shape);
  }
}

function elementTypes(types: number, shape: Shape): number {
  const containers = types & (OBJECT | ARRAY);
  const mayBeObject = types === 0 || (types & OBJECT) !== 0;
  const isScalar = containers === 0 || (types & SCALARS) !== 0 ||
    !mayBeObject || xmlNames(shape).text === undefined;
  return (types & NULL) | (isScalar ? textTypes(types) : 0) |
    (containers === 0 ? OBJECT : containers);
}

function repeatedTypes(types: number): number {
  const scalars = (types & SCALARS) === 0 ? 0 : textTypes(types);
  return scalars | (types & (NULL | OBJECT | ARRAY));
}

function neverEmptyElement(types: number): number {
  if ((types & SCALARS) !== 0 || (types & (OBJECT | ARRAY)) === 0) return OBJECT | ARRAY;
  return (types & OBJECT) === 0 ? OBJECT : ARRAY;
}

/** The types whose empty value can't be sent where each element is an item of a list. */
function neverEmptyRepeated(types: number): number {
  return ARRAY | ((types & OBJECT) !== 0 && (types & SCALARS) === 0 ? 0 : OBJECT);
}

function makeXmlPositions(
  types: PositionKind["types"],
  neverEmpty: (types: number) => number,
): (shape: Shape) => Position {
  return makePositions({
    types,
    neverEmpty,
    property: undeclaredXmlPosition,
    declared: (name, object) =>
      xmlFormPosition(xmlNames(object).forms.get(name), object.property(name)),
    item: (item) => xmlPosition(item),
  });
}

const xmlPosition = makeXmlPositions(elementTypes, neverEmptyElement);
const repeatedXmlPosition = makeXmlPositions(repeatedTypes, neverEmptyRepeated);
const eitherXmlPosition = makeXmlPositions(
  repeatedTypes,
  (types) => neverEmptyElement(types) & neverEmptyRepeated(types),
);

/** For undeclared names, which can be attributes or elements. */
const otherXmlPosition = makeXmlPositions(
  (types, shape) => textTypes(types) | elementTypes(types, shape),
  neverEmptyElement,
);
const otherXmlListPosition = makeXmlPositions(
  (types) => textTypes(types) | repeatedTypes(types),
  neverEmptyRepeated,
);

function undeclaredXmlPosition(shape: Shape): Position {
  return undeclaredContent(shape) === "item"
    ? otherXmlListPosition(shape)
    : otherXmlPosition(shape);
}

function xmlFormPosition(form: XmlForm | undefined, shape: Shape): Position {
  if (form === undefined) return NOWHERE;
  if (form.node !== "element") return textPosition(shape);
  if (form.content !== "item") return xmlPosition(shape);
  return form.wrapper === undefined ? repeatedXmlPosition(shape) : eitherXmlPosition(shape);
}

const stringPosition = ({ shape }: FormEncoding): Position | undefined =>
  shape.types === STRING ? STRING_POSITION : undefined;

/** The position of content by its kind; consistent with `compileBody` and `compileContent`. */
const CONTENT: Readonly<Record<MediaKind, (encoding: FormEncoding) => Position | undefined>> = {
  json,
  sequence: (encoding) => stringPosition(encoding) ?? JSON_POSITION,
  text: () => STRING_POSITION,
  form: (encoding) => formPosition(encoding, plainFieldPosition),
  multipart: (encoding) => formPosition(encoding, plainPartPosition),
  xml: (encoding) => stringPosition(encoding) ?? xmlPosition(encoding.shape),
  other: stringPosition,
};

/** Returns the position of a parameter for `compileParameter`; undefined for `content` that is not decoded. */
export function parameterPosition(encoding: ParameterEncoding): Position | undefined {
  switch (encoding.kind) {
    case "style":
      // A matrix parameter always has its name, so its segment is never empty.
      return encoding.location === "path" && encoding.style !== "matrix"
        ? segmentPosition(encoding.shape)
        : planPosition(stylePlan(encoding), encoding.shape);
    case "collection":
      return encoding.location === "path"
        ? repeatedPosition(encoding.shape)
        : formDataPosition(encoding, encoding.location === "query");
    case "content": {
      const { shape, properties = {}, mediaType } = encoding;
      return CONTENT[parameterKind(mediaType)]({ shape, properties });
    }
  }
}

/** Returns the position of an `in: formData` parameter (Swagger 2.0) for `compileFormField`. */
export function formDataPosition(
  { shape, formats }: Pick<CollectionEncoding, "shape" | "formats">,
  repeatable = true,
): Position {
  return collectionLayout(formats, repeatable).repeated
    ? repeatedPosition(shape)
    : collectionPosition(shape);
}

/** Returns the positions of a body, one for each way of reading it; a JSON position includes all others. */
export function bodyPositions(
  encoding: FormEncoding,
  mediaTypes: readonly string[],
): readonly Position[] {
  const positions = new Set(mediaTypes.flatMap((one) => mediaTypePositions(encoding, one)));
  return positions.has(JSON_POSITION) ? [JSON_POSITION] : [...positions];
}

function mediaTypePositions(encoding: FormEncoding, mediaType: string): readonly Position[] {
  const essence = mediaEssence(mediaType);
  if (readsJson(essence)) return [JSON_POSITION];
  if (isStreamOfData(essence, encoding.shape)) return [];
  const position = CONTENT[mediaKind(essence)](encoding);
  const ofRange = essence === "multipart/*" ? [formPosition(encoding, plainPartPosition)] : [];
  return position === undefined ? ofRange : [...ofRange, position];
}
