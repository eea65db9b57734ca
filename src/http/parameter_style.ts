import { ARRAY, OBJECT, STRING } from "../values/json_type.ts";
import {
  collectionLayout,
  decodeCollection,
  decodeDelimited,
  type DelimitedLayout,
} from "./delimited.ts";
import {
  type Decoded,
  decodedFrom,
  decodedObject,
  decodeText,
  pairsNamed,
  textPairReader,
} from "./decoded.ts";
import { decodeDeep, deepEntries } from "./deep_object.ts";
import type {
  CollectionEncoding,
  ContentEncoding,
  EncodedLocation,
  NameLookup,
  ParameterEncoding,
  ParameterStyle,
  PropertyEncodings,
  StyleEncoding,
} from "./encoding.ts";
import { effectiveStyle, stylePlan } from "./style_plan.ts";
import {
  decodePercent,
  type Escaping,
  FORM_ESCAPING,
  HEADER_ESCAPING,
  NO_ESCAPING,
  PERCENT_ESCAPING,
} from "./percent.ts";
import { decodeExploded } from "./field_reader.ts";
import { UrlencodedFields } from "./form_plan.ts";
import { parameterKind } from "./media_type.ts";
import { type RequestText, splitQuery, type TextPair } from "./request_text.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { compileFormBody } from "./form_body.ts";
import { parseSequence } from "./complete_records.ts";
import type { Shape } from "./shape.ts";

/** The result of decoding: `undefined` if absent, `"unsupported"` if covtool does not decode the media type. */
export type DecodedParameter = Decoded | undefined | "malformed" | "unsupported";

export type ParameterDecoder = (request: RequestText) => DecodedParameter;

const ESCAPINGS: Readonly<Record<EncodedLocation, Escaping>> = {
  path: PERCENT_ESCAPING,
  query: FORM_ESCAPING,
  header: HEADER_ESCAPING,
  cookie: PERCENT_ESCAPING,
};

const NO_NAMES: ReadonlySet<string> = new Set();

/** Returns the pairs of a query or of cookies; `style: form` percent-encodes the names of cookies too. */
function selectPairs(encoding: ParameterEncoding, request: RequestText): readonly TextPair[] {
  if (encoding.location === "query") return request.query;
  const isForm = encoding.kind === "style" && encoding.style !== "cookie";
  return isForm ? request.formCookies : request.cookies;
}

function parameterTexts(
  encoding: ParameterEncoding,
  template: number,
): (request: RequestText) => readonly string[] {
  const { location, name } = encoding;
  switch (location) {
    case "path":
      return ({ captures }) => {
        const text = captures[template];
        return text === undefined ? [] : [text];
      };
    case "header":
      return ({ headers }) => headers.values(name);
    case "query":
    case "cookie":
      return (request) =>
        pairsNamed(selectPairs(encoding, request), name).map((pair) => pair.value);
  }
}

function readPair(text: string): TextPair {
  const [name = ""] = text.split("=", 1);
  return { name: decodePercent(name), value: text.slice(name.length + 1) };
}

function matrixPairs(text: string): readonly TextPair[] {
  return text.startsWith(";") ? text.slice(1).split(";").map(readPair) : [];
}

/** Splits cookies at `&`, with which RFC 6570 joins exploded pairs: the first cookie's value contains the others. */
function splitCookies(cookies: readonly TextPair[]): readonly TextPair[] {
  return cookies.flatMap(({ name, value }) => {
    const [first = "", ...rest] = value.split("&");
    if (!rest.every((piece) => piece.includes("="))) return [{ name, value }];
    return [{ name, value: first }, ...rest.map(readPair)];
  });
}

function compileMatrix(encoding: StyleEncoding, template: number): ParameterDecoder {
  const { name, shape } = encoding;
  const texts = parameterTexts(encoding, template);
  const plan = stylePlan(encoding);
  const reader = textPairReader(PERCENT_ESCAPING);
  const target = { name, shape, claimed: NO_NAMES };
  return (request) => {
    const [text] = texts(request);
    if (text === undefined) return undefined;
    const pairs = matrixPairs(text);
    // A path always has its parameters: text without the name, or with a wrong one, is still the value.
    if (plan.kind !== "delimited") {
      return decodeExploded(pairs, target, reader) ??
        decodeExploded([{ name, value: text }], target, reader) ?? decodedObject([], text);
    }
    const own = pairsNamed(pairs, name).map((pair) => pair.value);
    return decodeDelimited(own.length === 0 ? [text] : own, shape, plan.layout, PERCENT_ESCAPING);
  };
}

const MAX_SEARCHED_PAIRS = 24;

const indexes = new WeakMap<readonly TextPair[], ReadonlyMap<string, TextPair>>();

/** Returns the first pair with a name. The index of a long list is cached as long as the list exists. */
function findPair(pairs: readonly TextPair[], name: string): TextPair | undefined {
  if (pairs.length <= MAX_SEARCHED_PAIRS) return pairs.find((candidate) => candidate.name === name);
  let index = indexes.get(pairs);
  if (index === undefined) {
    // The pairs are reversed, so that the first one with a name overwrites later ones.
    index = new Map(pairs.toReversed().map((pair) => [pair.name, pair]));
    indexes.set(pairs, index);
  }
  return index.get(name);
}

/** Compiles a decoder for exploded values of queries and cookies, and for scalars, which are the same in all styles. */
function compileExploded(encoding: StyleEncoding, style: ParameterStyle): ParameterDecoder {
  const { location, name, shape, claimed = NO_NAMES } = encoding;
  const target = { name, shape, claimed };
  const escaping = style === "cookie" ? NO_ESCAPING : ESCAPINGS[location];
  const reader = textPairReader(escaping);
  if ((shape.types & (ARRAY | OBJECT)) === 0) {
    return (request) => {
      const pair = findPair(selectPairs(encoding, request), name);
      return pair && decodeText(escaping.unescape(pair.value), shape.types);
    };
  }
  const isSplit = location === "cookie" && style !== "cookie";
  return (request) => {
    const pairs = selectPairs(encoding, request);
    return decodeExploded(isSplit ? splitCookies(pairs) : pairs, target, reader);
  };
}

function compileDelimited(
  encoding: StyleEncoding,
  style: ParameterStyle,
  layout: DelimitedLayout,
  template: number,
): ParameterDecoder {
  const { location, shape } = encoding;
  const texts = parameterTexts(encoding, template);
  const escaping = style === "cookie" ? NO_ESCAPING : ESCAPINGS[location];
  const isLabel = style === "label";
  return (request) => {
    const found = texts(request);
    if (found.length === 0) return undefined;
    const values = isLabel ? found.map((text) => text.replace(/^\./, "")) : found;
    return decodeDelimited(values, shape, layout, escaping);
  };
}

function compileStyle(encoding: StyleEncoding, template: number): ParameterDecoder {
  const { location, name, shape } = encoding;
  const style = effectiveStyle(location, encoding.style);
  if (style === "matrix") return compileMatrix(encoding, template);
  const plan = stylePlan(encoding);
  if (plan.kind === "deep") {
    const reader = textPairReader(FORM_ESCAPING);
    return ({ query }) => {
      const entries = deepEntries(query, name);
      return entries.length === 0 ? undefined : decodeDeep(entries, shape, reader);
    };
  }
  const isPair = location === "query" || location === "cookie";
  const isScalar = isPair && (shape.types & (ARRAY | OBJECT)) === 0;
  return plan.kind === "exploded" || isScalar
    ? compileExploded(encoding, style)
    : compileDelimited(encoding, style, plan.layout, template);
}

function compileCollection(encoding: CollectionEncoding, template: number): ParameterDecoder {
  const { location, name, shape, formats } = encoding;
  const layout = collectionLayout(formats, location === "query");
  const texts = parameterTexts(encoding, template);
  const reader = textPairReader(ESCAPINGS[location]);
  return (request) => {
    const pairs = texts(request).map((value) => ({ name, value }));
    return decodeCollection(pairs, shape, layout, reader);
  };
}

function unclaimedQuery(query: string, { propertyNames }: Shape, claimed: NameLookup): string {
  const isIncluded = ({ name }: TextPair) => propertyNames.has(name) || !claimed.has(name);
  return query.split("&").filter((pair) => splitQuery(pair).every(isIncluded)).join("&");
}

function compileContentParameter(encoding: ContentEncoding, template: number): ParameterDecoder {
  const { location, shape, mediaType, properties = {}, isWholeQuery = false, claimed } = encoding;
  // A form is split before its names and values are unescaped.
  const isSplit = isWholeQuery && parameterKind(mediaType) === "form";
  const texts = isWholeQuery
    ? ({ queryText }: RequestText) => {
      const query = isSplit && claimed ? unclaimedQuery(queryText, shape, claimed) : queryText;
      return query === "" ? [] : [query];
    }
    : parameterTexts(encoding, template);
  const { unescape } = isSplit ? NO_ESCAPING : ESCAPINGS[location];
  const decode = compileContent(mediaType, shape, properties);
  return (request) => {
    const [text] = texts(request);
    if (text === undefined) return undefined;
    return decode === undefined ? "unsupported" : decode(unescape(text));
  };
}

/** True if the parameter is one text without prefix: no array or object, and no label or matrix style. */
export function isScalarText(encoding: ParameterEncoding): boolean {
  if (encoding.kind !== "style" || (encoding.shape.types & (ARRAY | OBJECT)) !== 0) return false;
  const { location, style } = encoding;
  if (location === "path") return effectiveStyle(location, style) === "simple";
  return location === "query" && style !== "deepObject";
}

/** Compiles a decoder for a parameter (semantics, section 3; OpenAPI 3.2, section 4.12); the decoder never throws. */
export function compileParameter(encoding: ParameterEncoding, template = 0): ParameterDecoder {
  switch (encoding.kind) {
    case "style":
      return compileStyle(encoding, template);
    case "collection":
      return compileCollection(encoding, template);
    case "content":
      return compileContentParameter(encoding, template);
  }
}

function decodeJson(text: string): Decoded | "malformed" {
  try {
    return decodedFrom(text, JSON.parse(text));
  } catch {
    return isReplacedText(text) ? decodedFrom(text, text) : "malformed";
  }
}

function decodeSequence(text: string): Decoded | "malformed" {
  const items = parseSequence(text);
  return items === undefined ? "malformed" : decodedFrom(text, items);
}

/** Returns undefined if the media type is neither JSON, form nor text, unless the schema's only type is `string`. */
function compileContent(
  mediaType: string,
  shape: Shape,
  properties: PropertyEncodings,
): ((text: string) => Decoded | "malformed") | undefined {
  switch (parameterKind(mediaType)) {
    case "json":
      return decodeJson;
    case "sequence":
      return shape.types === STRING ? (text) => decodedFrom(text, text) : decodeSequence;
    case "form": {
      const { decode } = compileFormBody({ shape, properties });
      return (text) => decode(new UrlencodedFields(text));
    }
    case "text":
      return (text) => decodedFrom(text, text);
    default:
      return shape.types === STRING ? (text) => decodedFrom(text, text) : undefined;
  }
}
