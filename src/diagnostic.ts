/** Something in the description that could not be used, or that contradicts itself. */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "info";
  readonly code: string;
  readonly message: string;
  /** RFC 6901 pointer into the document; for another file, `file.yaml#/…`. */
  readonly schema_path: string;
  /** Counted from 1; null where unknown. */
  readonly line: number | null;
  /** Counted from 1; null where unknown. */
  readonly column: number | null;
}
