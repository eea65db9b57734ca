import type { DocumentSet, SourceText } from "./document_set.ts";
import { locatePointers } from "./locate.ts";
import { lineStartsOf } from "./line_starts.ts";
import { locatePrinted } from "./locate_printed.ts";
import type { Location } from "./location.ts";
import { pointerTree } from "./pointer_tree.ts";

/** Stands for the text that `JSON.stringify(value, null, 2)` gives for a document's value. */
export const PRINTED = "printed";

/** Documents, and what positions in them are of. */
export interface LocatedDocuments extends Pick<DocumentSet, "documents"> {
  /** Texts by the label of their document. */
  readonly texts: ReadonlyMap<string, SourceText | typeof PRINTED>;
}

/** The target of a schema path: the document and the position in its text. */
export interface PathLocation extends Location {
  /** The label of the document: empty for the entry document. */
  readonly label: string;
}

/**
 * Finds where schema paths lead, over all documents of a description: one pass over the text of each document that a
 * path is in. Paths into documents without a text, and those that lead nowhere, are left out. This reads the texts
 * again: it is meant for the moment when positions are shown.
 *
 * @param paths RFC 6901 pointers into the entry document; `file.yaml#/…` for another one.
 *
 * @example
 * ```ts
 * import { locatePaths } from "./locate_paths.ts";
 * import { loadFromDict } from "./load.ts";
 * import assert from "node:assert/strict";
 *
 * const set = loadFromDict({ openapi: "3.1.0", info: { title: "A", version: "1" }, paths: {} });
 * assert.equal(locatePaths(set, ["/paths"]).size, 0); // an object has no lines
 * ```
 */
export function locatePaths(
  set: LocatedDocuments,
  paths: Iterable<string>,
): Map<string, PathLocation> {
  const wanted = new Map<string, Map<string, string>>();
  for (const path of paths) {
    const [label, pointer] = splitPath(path);
    let pointers = wanted.get(label);
    if (pointers === undefined) wanted.set(label, pointers = new Map());
    pointers.set(pointer, path);
  }
  const values = new Map<string, unknown>();
  for (const { label, value } of set.documents.values()) values.set(label, value);
  const locations = new Map<string, PathLocation>();
  for (const [label, pointers] of wanted) {
    const source = set.texts.get(label);
    if (source === undefined) continue;
    const value = values.get(label);
    const found = source === PRINTED
      ? locatePrinted(value, pointerTree(pointers.keys()))
      : locatePointers(source.text, source.syntax, pointers.keys(), value, () =>
        lineStartsOf(source));
    for (const [pointer, { line, column, endLine }] of found) {
      const path = pointers.get(pointer);
      if (path !== undefined) locations.set(path, { label, line, column, endLine });
    }
  }
  return locations;
}

/** The label of the document and the pointer of a schema path: of `file.yaml#/a` and of `/a`. */
function splitPath(path: string): [string, string] {
  if (path === "" || path.startsWith("/")) return ["", path];
  const hash = path.indexOf("#/");
  if (hash >= 0) return [path.slice(0, hash), path.slice(hash + 1)];
  return [path.endsWith("#") ? path.slice(0, -1) : path, ""];
}
