import type { Shape } from "./shape.ts";

const SIGNATURES: ReadonlyMap<string, readonly number[]> = new Map([
  ["gzip", [0x1f, 0x8b, 0x08]],
  ["x-gzip", [0x1f, 0x8b, 0x08]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
]);

/** False if the bytes are already decoded despite the header; undefined if the encoding has no signature. */
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

export type NameLookup = Pick<ReadonlySet<string>, "has">;

export type CollectionFormat = "csv" | "ssv" | "tsv" | "pipes" | "multi";

/** The encoding of one property of a form (OpenAPI 3: Encoding Object); an absent member means its default. */
export interface PropertyEncoding {
  /** Media types, separated by commas; decoding only checks whether JSON is one of them. */
  readonly contentType?: string | undefined;
  readonly style?: ParameterStyle | undefined;
  readonly explode?: boolean | undefined;
  /** Doesn't affect decoding by itself, but, like `style` and `explode`, selects serialization by style. */
  readonly allowReserved?: boolean | undefined;
}

export type PropertyEncodings = Readonly<Record<string, PropertyEncoding>>;

export interface FormEncoding {
  readonly shape: Shape;
  readonly properties: PropertyEncodings;
}

export type EncodedLocation = "path" | "query" | "header" | "cookie";

interface EncodingBase {
  readonly location: EncodedLocation;
  /** The documented name; header names match in any case. */
  readonly name: string;
  readonly shape: Shape;
  /** Names of the other parameters in this location; an exploded object or a whole query doesn't take these. */
  readonly claimed?: NameLookup | undefined;
}

/** A parameter with a `style`; a style that its location doesn't allow is read as the default of the location. */
export interface StyleEncoding extends EncodingBase {
  readonly kind: "style";
  readonly style: ParameterStyle;
  readonly explode: boolean;
}

/** A parameter of Swagger 2.0. */
export interface CollectionEncoding extends EncodingBase {
  readonly kind: "collection";
  /** The format of the list, of the lists in it (`items.collectionFormat`), and so on; missing formats are `csv`. */
  readonly formats: readonly CollectionFormat[];
}

export interface ContentEncoding extends EncodingBase {
  readonly kind: "content";
  readonly mediaType: string;
  readonly properties?: PropertyEncodings | undefined;
  /** True if the parameter is the whole query (OpenAPI 3.2: `in: querystring`). */
  readonly isWholeQuery?: boolean | undefined;
}

export type ParameterEncoding = StyleEncoding | CollectionEncoding | ContentEncoding;
