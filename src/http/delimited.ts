import { ARRAY, OBJECT } from "../values/json_type.ts";
import {
  type Decoded,
  decodedArray,
  decodedObject,
  decodeOccurrences,
  decodeText,
  isNotEmpty,
  type Member,
  type Pair,
  type PairReader,
  SCALARS,
} from "./decoded.ts";
import type { Escaping, Separator } from "./percent.ts";
import type { Shape } from "./shape.ts";
import type { CollectionFormat } from "./encoding.ts";

export interface CollectionLayout {
  /** True if each item is a pair with the same name (`multi`). */
  readonly repeated: boolean;
  readonly layout: DelimitedLayout;
}

const FORMAT_SEPARATORS: Readonly<Record<CollectionFormat, Separator>> = {
  csv: "comma",
  ssv: "space",
  tsv: "tab",
  pipes: "pipe",
  // In nested arrays `multi` is undefined, and is read as the default.
  multi: "comma",
};

const CSV: DelimitedLayout = {
  separator: "comma",
  keyed: false,
  get items(): DelimitedLayout {
    return CSV;
  },
};

function delimitedLayout(formats: readonly CollectionFormat[]): DelimitedLayout {
  const [format, ...inner] = formats;
  if (format === undefined) return CSV;
  return { separator: FORMAT_SEPARATORS[format], keyed: false, items: delimitedLayout(inner) };
}

/** Returns the layout for formats, the outermost first. Names are `repeatable` (`multi`) in queries and forms. */
export function collectionLayout(
  formats: readonly CollectionFormat[],
  repeatable: boolean,
): CollectionLayout {
  const repeated = repeatable && formats[0] === "multi";
  return { repeated, layout: delimitedLayout(repeated ? formats.slice(1) : formats) };
}

/** Decodes a parameter of Swagger 2.0: an array of any depth or a scalar; undefined if there are no pairs. */
export function decodeCollection<P extends Pair>(
  pairs: readonly P[],
  shape: Shape,
  { repeated, layout }: CollectionLayout,
  reader: PairReader<P>,
): Decoded | undefined {
  if (!isNotEmpty(pairs)) return undefined;
  if ((shape.types & ARRAY) === 0) return reader.read(pairs[0], shape);
  if (!repeated) return decodeDelimited(pairs.map(reader.text), shape, layout, reader.escaping);
  return decodeOccurrences(
    pairs,
    shape,
    reader,
    (pair, item) => decodeDelimitedItem(reader.text(pair), item, layout, reader.escaping),
  );
}

export interface DelimitedLayout {
  readonly separator: Separator;
  /** True if objects are written `R=100,G=200`, false for `R,100,G,200`. */
  readonly keyed: boolean;
  /** The layout of items that are themselves arrays (Swagger 2.0); undefined for OpenAPI 3. */
  readonly items: DelimitedLayout | undefined;
}

function split(text: string, separator: string | RegExp): readonly string[] {
  return text === "" ? [] : text.split(separator);
}

/** Reads `R=100` (`keyed`) or a name and the piece after it; a name without a value gets the empty text. */
function readMembers(
  pieces: readonly string[],
  shape: Shape,
  keyed: boolean,
  escaping: Escaping,
): Member[] {
  const members: Member[] = [];
  for (let index = 0; index < pieces.length; index += keyed ? 1 : 2) {
    const piece = pieces[index] ?? "";
    const equals = keyed ? piece.indexOf("=") : -1;
    const end = equals === -1 ? piece.length : equals;
    const name = escaping.unescape(piece.slice(0, end));
    const text = escaping.unescape(keyed ? piece.slice(end + 1) : pieces[index + 1] ?? "");
    members.push([name, decodeText(text, shape.property(name).types)]);
  }
  return members;
}

/** Deeper lists, as in schemas that refer to themselves, are read as empty. */
const MAX_DEPTH = 100;

export function decodeDelimitedItem(
  piece: string,
  shape: Shape,
  layout: DelimitedLayout | undefined,
  escaping: Escaping,
  depth = 0,
): Decoded {
  if (layout === undefined || (shape.types & ARRAY) === 0) {
    return decodeText(escaping.unescape(piece), shape.types);
  }
  return depth < MAX_DEPTH
    ? decodeDelimited([piece], shape, layout, escaping, depth + 1)
    : decodedArray([], escaping.unescape(piece));
}

/** Decodes delimited lists or objects (semantics, section 3): splits, then unescapes; several texts make one list. */
export function decodeDelimited(
  texts: readonly string[],
  shape: Shape,
  layout: DelimitedLayout,
  escaping: Escaping,
  depth = 0,
): Decoded {
  const { types } = shape;
  const first = texts[0] ?? "";
  if ((types & (ARRAY | OBJECT)) === 0) return decodeText(escaping.unescape(first), types);

  const separator = escaping.separators[layout.separator];
  const isArray = (types & ARRAY) !== 0;
  const lists = texts.map((text) => split(text, separator));
  if ((types & SCALARS) !== 0) {
    const delimited = lists.some((list) => list.length > 1) ||
      (!isArray && layout.keyed && texts.some((text) => text.includes("=")));
    if (!delimited) return decodeText(escaping.unescape(first), types);
  }

  const text = texts.length === 1 ? escaping.unescape(first) : undefined;
  const pieces = lists.length === 1 ? lists[0] ?? [] : lists.flat();
  if (isArray) {
    const items = pieces.map((piece, index) =>
      decodeDelimitedItem(piece, shape.item(index), layout.items, escaping, depth)
    );
    return decodedArray(items, text);
  }
  return decodedObject(readMembers(pieces, shape, layout.keyed, escaping), text);
}
