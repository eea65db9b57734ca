import type { Diagnostic } from "../values/diagnostic.ts";
import type { DocumentSet } from "./document_set.ts";
import { locatePaths } from "./locate_paths.ts";

/**
 * The diagnostics with the line and column of what they are about, where the texts of the documents are known.
 * This reads the texts again: it is meant for the moment when diagnostics are shown.
 */
export function locateDiagnostics(
  set: DocumentSet,
  diagnostics: readonly Diagnostic[],
): Diagnostic[] {
  const locations = locatePaths(
    set,
    diagnostics.flatMap(({ line, schema_path }) => line === null ? [schema_path] : []),
  );
  return diagnostics.map((diagnostic) => {
    const location = diagnostic.line === null ? locations.get(diagnostic.schema_path) : undefined;
    return location === undefined
      ? diagnostic
      : { ...diagnostic, line: location.line, column: location.column };
  });
}
