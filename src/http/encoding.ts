import type { Shape } from "./shape.ts";

/** The beginnings of encoded bodies that can be told from all others. */
const SIGNATURES: ReadonlyMap<string, readonly number[]> = new Map([
  ["gzip", [0x1f, 0x8b, 0x08]],
  ["x-gzip", [0x1f, 0x8b, 0x08]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
]);

/** False for bytes that someone has decoded and left the header; undefined where only decoding tells. */
export function isEncodedAs(bytes: Uint8Array, contentEncoding: string): boolean | undefined {
  const signature = SIGNATURES.get(contentEncoding.trim().toLowerCase());
  return signature?.every((byte, index) => bytes[index] === byte);
}

/** The styles of OpenAPI 3 (3.2: section 4.12.7). */
export type ParameterStyle =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"
  | "cookie";

export type Names = Pick<ReadonlySet<string>, "has">;

export type CollectionFormat = "csv" | "ssv" | "tsv" | "pipes" | "multi";

/** The encoding of one property of a form (OpenAPI 3: Encoding Object); what is absent has its default. */
export interface PropertyEncoding {
  /** Media types, separated by commas; only whether JSON is among them matters. */
  readonly contentType?: string | undefined;
  readonly style?: ParameterStyle | undefined;
  readonly explode?: boolean | undefined;
  /** Changes nothing for decoding, but makes the style explicit, as `style` and `explode` do. */
  readonly allowReserved?: boolean | undefined;
}

export type PropertyEncodings = Readonly<Record<string, PropertyEncoding>>;

export interface FormEncoding {
  readonly shape: Shape;
  readonly properties: PropertyEncodings;
}

/** The location of a parameter that is not a body. */
export type EncodedLocation = "path" | "query" | "header" | "cookie";

interface EncodingBase {
  readonly location: EncodedLocation;
  /** The name that the description gives; header names match in any case. */
  readonly name: string;
  readonly shape: Shape;
  /** Names that belong to all else in this location: an exploded object leaves them alone, and a whole query. */
  readonly claimed?: Names | undefined;
}

/** A style that the location does not have is read as the location's default. */
export interface StyleEncoding extends EncodingBase {
  readonly kind: "style";
  readonly style: ParameterStyle;
  readonly explode: boolean;
}

/** A parameter of Swagger 2.0. */
export interface CollectionEncoding extends EncodingBase {
  readonly kind: "collection";
  /** The format of the list, of the lists in it (`items.collectionFormat`), …; `csv` beyond the end. */
  readonly formats: readonly CollectionFormat[];
}

export interface ContentEncoding extends EncodingBase {
  readonly kind: "content";
  readonly mediaType: string;
  readonly properties?: PropertyEncodings | undefined;
  /** True for the whole query as one parameter (OpenAPI 3.2: `in: querystring`). */
  readonly isWholeQuery?: boolean | undefined;
}

export type ParameterEncoding = StyleEncoding | CollectionEncoding | ContentEncoding;
