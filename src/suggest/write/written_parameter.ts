export type WrittenParameter =
  | { readonly kind: "path"; readonly name: string; readonly text: string }
  /** Pairs of a query, escaped: `limit=10`. */
  | { readonly kind: "query"; readonly pairs: readonly string[] }
  | { readonly kind: "header"; readonly name: string; readonly value: string }
  /** Pairs of the Cookie header. */
  | { readonly kind: "cookie"; readonly pairs: readonly string[] }
  | {
    readonly kind: "body";
    readonly contentType: string;
    readonly body: string;
    readonly form?: readonly Field[];
  }
  /** Fields of a form that other parameters belong to as well (Swagger 2.0). */
  | { readonly kind: "fields"; readonly fields: readonly Field[]; readonly isMultipart: boolean };

/** A field of a form, before it is escaped. */
export interface Field {
  readonly name: string;
  readonly text: string;
  /** The text as an urlencoded form has it, where that isn't the escaped text: separators of items are not escaped. */
  readonly escaped?: string | undefined;
  /** The media type of a part of a multipart form; text where this is absent. */
  readonly mediaType?: string | undefined;
  /** True for a part that is a file, which has a name then. */
  readonly isFile?: boolean | undefined;
}
