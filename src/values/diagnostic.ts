/** A part of the description that could not be used, or that contradicts itself. */
export interface Diagnostic {
  /** An error means that the part cannot be used, a warning that it can in part; an info needs no action. */
  readonly severity: "error" | "warning" | "info";
  /** The stable code for programs. */
  readonly code: string;
  /** The message for people: one sentence. */
  readonly message: string;
  /** RFC 6901 pointer into the entry document, or `file.yaml#/…` for another file. */
  readonly schema_path: string;
  /** Counted from 1; null if unknown. */
  readonly line: number | null;
  /** Counted from 1; null if unknown. */
  readonly column: number | null;
}

/** Creates a diagnostic, whose position is added later. */
export function diagnostic(
  severity: Diagnostic["severity"],
  code: string,
  schema_path: string,
  message: string,
): Diagnostic {
  return { severity, code, message, schema_path, line: null, column: null };
}
