import { ARRAY } from "../values/json_type.ts";
import type { Decoded } from "./decoded.ts";
import { decodeDelimited, decodeDelimitedItem, type DelimitedLayout } from "./delimited.ts";
import type { CollectionFormat } from "./encoding.ts";
import type { Separator } from "./escaping.ts";
import { decodeOccurrences, isNotEmpty } from "./occurrences.ts";
import type { Named, PairReader } from "./pair_reader.ts";
import type { Shape } from "./shape.ts";

/** The format in which a parameter of Swagger 2.0 writes its list. */
export interface CollectionLayout {
  /** True if items repeat the name (`multi`). */
  readonly repeated: boolean;
  /** The layout of the list, or of the items of a repeated one. */
  readonly layout: DelimitedLayout;
}

const SEPARATORS: Readonly<Record<CollectionFormat, Separator>> = {
  csv: "comma",
  ssv: "space",
  tsv: "tab",
  pipes: "pipe",
  // Below the top `multi` means nothing, and is read as the default.
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
  return { separator: SEPARATORS[format], keyed: false, items: delimitedLayout(inner) };
}

/**
 * The layout that a list of formats describes, outermost first.
 *
 * @param repeatable Whether names can repeat here: `multi` is for queries and forms only.
 */
export function collectionLayout(
  formats: readonly CollectionFormat[],
  repeatable: boolean,
): CollectionLayout {
  const repeated = repeatable && formats[0] === "multi";
  return { repeated, layout: delimitedLayout(repeated ? formats.slice(1) : formats) };
}

/**
 * Decodes a parameter of Swagger 2.0, which is an array of any depth or a scalar.
 *
 * @param pairs The pairs of its name.
 * @returns `undefined` where there are none.
 */
export function decodeCollection<P extends Named>(
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
