import type { Json } from "../values/json.ts";
import { ARRAY, jsonType, NULL, OBJECT } from "../values/json_type.ts";
import { byteString } from "./body_text.ts";
import {
  type Decoded,
  decodedFrom,
  decodedObject,
  decodeOccurrences,
  decodeText,
  isNotEmpty,
  type Pair,
  type PairReader,
  pairsNamed,
  SCALARS,
  textPairReader,
} from "./decoded.ts";
import { FORM_ESCAPING, NO_ESCAPING } from "./percent.ts";
import { mediaKind } from "./media_type.ts";
import type { Part } from "./multipart.ts";
import type { TextPair } from "./request_text.ts";
import type { Shape } from "./shape.ts";
import type { NameLookup } from "./encoding.ts";
import { tryParseJson } from "../values/parse_json.ts";

export interface FieldReaders<P extends Pair> {
  /** Reads fields with a `style`, as text values. */
  readonly text: PairReader<P>;
  /** Reads fields without an encoding, as text values, or as JSON where the shape allows objects. */
  readonly plain: PairReader<P>;
  readonly json: PairReader<P>;
}

function parseJson(text: string): Json | undefined {
  // The first character rules out most text that isn't JSON, which is cheaper than an exception.
  return /^\s*[[{"\-\dtfn]/.test(text) ? tryParseJson(text) : undefined;
}

/** Reads JSON in a field whose shape allows objects: any JSON, but beside scalars only allowed objects and arrays. */
function decodeJsonField(text: string, types: number): Decoded | undefined {
  const value = parseJson(text);
  if (value === undefined) return undefined;
  const isAllowed = (types & SCALARS) === 0 || (jsonType(value) & types & (OBJECT | ARRAY)) !== 0;
  return isAllowed ? decodedFrom(text, value) : undefined;
}

/** Reads JSON that is the whole value, for shapes with arrays; null only if they have objects and no scalars. */
function decodeWholeJson(text: string, types: number): Decoded | undefined {
  const value = parseJson(text);
  const isJson = (types & OBJECT) !== 0 && (types & SCALARS) === 0;
  const whole = isJson ? OBJECT | ARRAY | NULL : OBJECT | ARRAY;
  return value !== undefined && (jsonType(value) & types & whole) !== 0
    ? decodedFrom(text, value)
    : undefined;
}

function jsonReader<P extends Pair>(text: PairReader<P>): PairReader<P> {
  const read = (pair: P, shape: Shape): Decoded => {
    const source = text.escaping.unescape(text.text(pair));
    const value = parseJson(source);
    return value === undefined ? decodeText(source, shape.types) : decodedFrom(source, value);
  };
  return {
    ...text,
    readsObjects: true,
    read,
    readWhole(pair, shape): Decoded | undefined {
      const decoded = read(pair, shape);
      return (jsonType(decoded.value) & shape.types & (OBJECT | ARRAY | NULL)) !== 0
        ? decoded
        : undefined;
    },
  };
}

const urlencodedText = textPairReader(FORM_ESCAPING);

export const URLENCODED_READERS: FieldReaders<TextPair> = {
  text: urlencodedText,
  plain: {
    ...urlencodedText,
    readsObjects: true,
    read(pair, { types }): Decoded {
      const text = FORM_ESCAPING.unescape(pair.value);
      const json = (types & OBJECT) === 0 ? undefined : decodeJsonField(text, types);
      return json ?? decodeText(text, types);
    },
    readWhole(pair, { types }): Decoded | undefined {
      if ((types & OBJECT) === 0) return undefined;
      return decodeWholeJson(FORM_ESCAPING.unescape(pair.value), types);
    },
  },
  json: jsonReader(urlencodedText),
};

function decodePart(part: Part, types: number): Decoded {
  if (!part.isFile) return decodeText(part.text(), types);
  const value = byteString(part.bytes);
  return decodedFrom(value, value);
}

function isJsonPart(part: Part, types: number): boolean {
  if (part.mediaType !== undefined && mediaKind(part.mediaType) === "json") return true;
  return !part.isFile && (types & OBJECT) !== 0;
}

const partText: PairReader<Part> = {
  escaping: NO_ESCAPING,
  text: (part) => part.text(),
  read: (part, shape) => decodePart(part, shape.types),
  readsObjects: false,
};

export const MULTIPART_READERS: FieldReaders<Part> = {
  text: partText,
  plain: {
    ...partText,
    readsObjects: true,
    read(part, { types }): Decoded {
      const json = (types & (OBJECT | ARRAY)) !== 0 && isJsonPart(part, types)
        ? decodeJsonField(part.text(), types)
        : undefined;
      return json ?? decodePart(part, types);
    },
    readWhole(part, { types }): Decoded | undefined {
      return isJsonPart(part, types) ? decodeWholeJson(part.text(), types) : undefined;
    },
  },
  json: jsonReader(partText),
};

interface ExplodedTarget {
  readonly name: string;
  readonly shape: Shape;
  /** Names of other parameters or fields, which an open object does not take. */
  readonly claimed: NameLookup;
}

function isClaimed(name: string, claimed: NameLookup): boolean {
  if (claimed.has(name)) return true;
  const bracket = name.indexOf("[");
  return bracket > 0 && claimed.has(name.slice(0, bracket));
}

export function isMember(name: string, { shape, claimed }: ExplodedTarget): boolean {
  return shape.propertyNames.has(name) || (shape.open && !isClaimed(name, claimed));
}

function decodeMembers<P extends Pair>(
  pairs: readonly P[],
  target: ExplodedTarget,
  reader: PairReader<P>,
): Decoded | undefined {
  const { shape } = target;
  const members = new Map<string, [P, ...P[]]>();
  for (const pair of pairs) {
    const found = members.get(pair.name);
    if (found !== undefined) found.push(pair);
    else if (isMember(pair.name, target)) members.set(pair.name, [pair]);
  }
  if (members.size === 0) return undefined;
  const decoded = [...members].map(([name, found]): [string, Decoded] => [
    name,
    decodeOccurrences(found, shape.property(name), reader),
  ]);
  return decodedObject(decoded, undefined);
}

/** Decodes a value that consists of several pairs (`explode: true`); undefined if no pair belongs to it. */
export function decodeExploded<P extends Pair>(
  pairs: readonly P[],
  target: ExplodedTarget,
  reader: PairReader<P>,
): Decoded | undefined {
  const { name, shape } = target;
  const { types } = shape;
  const own = pairsNamed(pairs, name);
  if (isNotEmpty(own) && (types & ~NULL) !== OBJECT) return decodeOccurrences(own, shape, reader);
  return (types & OBJECT) === 0 ? undefined : decodeMembers(pairs, target, reader);
}
