import type { Json } from "../values/json.ts";
import { ARRAY, NULL, OBJECT, typeOf } from "../values/json_type.ts";
import { byteString } from "./body_text.ts";
import type { Decoded } from "./decoded.ts";
import { FORM_ESCAPING, NO_ESCAPING } from "./escaping.ts";
import { kindOf } from "./media_type.ts";
import type { Part } from "./multipart.ts";
import { SCALARS } from "./occurrences.ts";
import { type Named, type PairReader, textPairReader } from "./pair_reader.ts";
import type { TextPair } from "./query_string.ts";
import type { Shape } from "./shape.ts";
import { decodeText } from "./text_value.ts";

/** The three ways in which the fields of a form are read. */
export interface FieldReaders<P extends Named> {
  /** Fields with a `style`: text values. */
  readonly text: PairReader<P>;
  /** Fields without encoding: text values; JSON where the shape allows objects. */
  readonly plain: PairReader<P>;
  /** Fields whose encoding names a JSON media type. */
  readonly json: PairReader<P>;
}

/** Parses JSON; `undefined` if the text isn't JSON. */
function parseJson(text: string): Json | undefined {
  // Most text that isn't JSON can be told by its beginning, which is cheaper than an exception.
  if (!/^\s*[[{"\-\dtfn]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function jsonDecoded(text: string, value: Json): Decoded {
  return { value, raw: { text, parts: undefined } };
}

/** JSON in a field whose shape allows objects: any JSON, but what text can say no better beside scalars. */
function decodeJsonField(text: string, types: number): Decoded | undefined {
  const value = parseJson(text);
  if (value === undefined) return undefined;
  const fits = (types & SCALARS) === 0 || (typeOf(value) & types & (OBJECT | ARRAY)) !== 0;
  return fits ? jsonDecoded(text, value) : undefined;
}

/** JSON that stands for a whole value of a shape that allows arrays. */
function decodeWholeJson(text: string, types: number): Decoded | undefined {
  const value = parseJson(text);
  return value !== undefined && (typeOf(value) & types & (OBJECT | ARRAY | NULL)) !== 0
    ? jsonDecoded(text, value)
    : undefined;
}

function jsonReader<P extends Named>(text: PairReader<P>): PairReader<P> {
  const read = (pair: P, shape: Shape): Decoded => {
    const source = text.escaping.unescape(text.text(pair));
    const value = parseJson(source);
    return value === undefined ? decodeText(source, shape.types) : jsonDecoded(source, value);
  };
  return {
    ...text,
    readsObjects: true,
    read,
    readWhole(pair, shape): Decoded | undefined {
      const decoded = read(pair, shape);
      return (typeOf(decoded.value) & shape.types & (OBJECT | ARRAY | NULL)) !== 0
        ? decoded
        : undefined;
    },
  };
}

const urlencodedText = textPairReader(FORM_ESCAPING);

/** Reads the fields of urlencoded forms. */
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
  return { value, raw: { text: value, parts: undefined } };
}

/** True if a part is JSON: it says so, or it is a text field that ought to hold an object. */
function isJsonPart(part: Part, types: number): boolean {
  if (part.mediaType !== undefined && kindOf(part.mediaType) === "json") return true;
  return !part.isFile && (types & OBJECT) !== 0;
}

const partText: PairReader<Part> = {
  escaping: NO_ESCAPING,
  text: (part) => part.text(),
  read: (part, shape) => decodePart(part, shape.types),
  readsObjects: false,
};

/** Reads the parts of multipart forms. */
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
