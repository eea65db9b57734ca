export type WrittenParameter =
  | { readonly kind: "path"; readonly name: string; readonly text: string }
  /** Pairs of a query, escaped: `limit=10`. */
  | { readonly kind: "query"; readonly pairs: readonly string[] }
  | { readonly kind: "header"; readonly name: string; readonly value: string }
  | { readonly kind: "cookie"; readonly pairs: readonly string[] }
  | {
    readonly kind: "body";
    readonly contentType: string;
    readonly body: string;
    readonly form?: readonly Field[];
  }
  /** Fields of a form to which other parameters add theirs (Swagger 2.0). */
  | { readonly kind: "fields"; readonly fields: readonly Field[]; readonly isMultipart: boolean };

/** A field of a form, before it is escaped. */
export interface Field {
  readonly name: string;
  readonly text: string;
  /** The text in a urlencoded form, if it isn't just `text` escaped: separators between items stay unescaped. */
  readonly escaped?: string | undefined;
  /** The media type of a part of a multipart form (default: text). */
  readonly mediaType?: string | undefined;
  /** True for a part that is a file, and so gets a file name. */
  readonly isFile?: boolean | undefined;
}
