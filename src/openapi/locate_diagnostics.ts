import type { Diagnostic } from "../diagnostic.ts";
import type { DocumentSet } from "./document_set.ts";
import { locatePointers } from "./locate.ts";

/**
 * The diagnostics with the line and column of what they are about, where the texts of the documents are known.
 * This reads the texts again: it is meant for the moment when diagnostics are shown.
 */
export function locateDiagnostics(
  set: DocumentSet,
  diagnostics: readonly Diagnostic[],
): Diagnostic[] {
  const pointers = new Map<string, Set<string>>();
  for (const { line, schema_path } of diagnostics) {
    if (line !== null) continue;
    const [label, pointer] = splitPath(schema_path);
    let wanted = pointers.get(label);
    if (wanted === undefined) pointers.set(label, wanted = new Set());
    wanted.add(pointer);
  }
  const locations = new Map<string, { readonly line: number; readonly column: number }>();
  for (const [label, wanted] of pointers) {
    const source = set.texts.get(label);
    if (source === undefined) continue;
    for (const [pointer, location] of locatePointers(source.text, source.syntax, wanted)) {
      locations.set(`${label}#${pointer}`, location);
    }
  }
  return diagnostics.map((diagnostic) => {
    if (diagnostic.line !== null) return diagnostic;
    const [label, pointer] = splitPath(diagnostic.schema_path);
    const location = locations.get(`${label}#${pointer}`);
    return location === undefined
      ? diagnostic
      : { ...diagnostic, line: location.line, column: location.column };
  });
}

/** The label of the file and the pointer of a schema path: of `file.yaml#/a` and of `/a`. */
function splitPath(path: string): [string, string] {
  if (path === "" || path.startsWith("/")) return ["", path];
  const hash = path.indexOf("#/");
  if (hash >= 0) return [path.slice(0, hash), path.slice(hash + 1)];
  return [path.endsWith("#") ? path.slice(0, -1) : path, ""];
}
