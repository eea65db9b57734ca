import { ARRAY, NULL, OBJECT } from "../values/json_type.ts";
import { type Decoded, decodedArray, decodedObject } from "./decoded.ts";
import type { Escaping, Separator } from "./escaping.ts";
import { SCALARS } from "./occurrences.ts";
import type { Shape } from "./shape.ts";
import { decodeText } from "./text_value.ts";

/** The way in which a list or an object is written in one text. */
export interface DelimitedLayout {
  /** The separator of items, or of names and values. */
  readonly separator: Separator;
  /** True if objects are written `R=100,G=200`, false for `R,100,G,200`. */
  readonly keyed: boolean;
  /** The layout of items that are arrays themselves (Swagger 2.0); OpenAPI 3 has none. */
  readonly items: DelimitedLayout | undefined;
}

function split(text: string, separator: string | RegExp): readonly string[] {
  return text === "" ? [] : text.split(separator);
}

function* keyedMembers(
  pieces: readonly string[],
  shape: Shape,
  escaping: Escaping,
): Generator<[string, Decoded]> {
  for (const piece of pieces) {
    const equals = piece.indexOf("=");
    const end = equals === -1 ? piece.length : equals;
    const name = escaping.unescape(piece.slice(0, end));
    const text = escaping.unescape(piece.slice(end + 1));
    yield [name, decodeText(text, shape.property(name).types)];
  }
}

function* alternatingMembers(
  pieces: readonly string[],
  shape: Shape,
  escaping: Escaping,
): Generator<[string, Decoded]> {
  for (let index = 0; index < pieces.length; index += 2) {
    const name = escaping.unescape(pieces[index] ?? "");
    // A name at the end that lacks its value has the empty one.
    const text = escaping.unescape(pieces[index + 1] ?? "");
    yield [name, decodeText(text, shape.property(name).types)];
  }
}

/** Lists that nest deeper, as those of a schema that refers to itself, are empty. */
const MAX_DEPTH = 100;

/**
 * Decodes one item: a scalar, or a list by a layout of its own.
 *
 * @param layout The layout of the item, not of the list around it.
 */
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

/**
 * Decodes texts that hold delimited lists or objects (semantics, section 3): split first, then unescaped.
 * Empty text is the empty array or object, repeated lists join. Where the types allow arrays (or objects)
 * and scalars, a delimiter decides; where they allow neither, the first text is a scalar.
 *
 * @param texts At least one, as they were sent.
 */
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
  if ((types & NULL) !== 0 && text === "null") return decodeText(text, NULL);
  const pieces = lists.length === 1 ? lists[0] ?? [] : lists.flat();
  if (isArray) {
    const items = pieces.map((piece, index) =>
      decodeDelimitedItem(piece, shape.item(index), layout.items, escaping, depth)
    );
    return decodedArray(items, text);
  }
  const members = layout.keyed ? keyedMembers : alternatingMembers;
  return decodedObject([...members(pieces, shape, escaping)], text);
}
