import { splitDocumentPath, unescapeToken } from "../values/json_pointer.ts";
import { indexJson } from "./index_json.ts";
import { indexYaml } from "./read_yaml.ts";
import type {
  DocumentSet,
  IndexedEntries,
  IndexedEntry,
  Location,
  Syntax,
} from "./document_set.ts";
import { appendTo, getOrAdd } from "../values/collections.ts";
import type { Diagnostic } from "../values/diagnostic.ts";

/** Parses the texts again, so call it only to show diagnostics. */
export function locateDiagnostics(
  set: DocumentSet,
  diagnostics: readonly Diagnostic[],
): Diagnostic[] {
  const locations = locatePaths(
    set,
    diagnostics.flatMap(({ line, schema_path }) => line === null ? [schema_path] : []),
  );
  const located = diagnostics.map((original) => {
    const diagnostic = { ...original, message: shortened(original.message) };
    const location = diagnostic.line === null ? locations.get(diagnostic.schema_path) : undefined;
    if (location === undefined) return diagnostic;
    const { label, pointer, line, column } = location;
    const isMoved = set.overlaid !== undefined && label !== "";
    return { ...diagnostic, line, column, ...isMoved && { schema_path: `${label}#${pointer}` } };
  });
  if (set.overlaid === undefined) return located;
  // One mistake in an overlay can appear at many places of the description: it is reported once.
  return [...new Map(located.map((one) => [`${one.schema_path} ${one.message}`, one])).values()];
}

/** Messages quote names and references from the description, which can have any length. */
const MAX_MESSAGE = 1000;

function shortened(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  return `${message.slice(0, MAX_MESSAGE / 2)}…${message.slice(-MAX_MESSAGE / 2)}`;
}

export interface PathLocation extends Location {
  readonly label: string;
  readonly pointer: string;
}

/** Parses the texts again. Skips paths that lead nowhere. */
export function locatePaths(
  set: Pick<DocumentSet, "texts" | "overlaid">,
  paths: Iterable<string>,
): Map<string, PathLocation> {
  const pathsByPlace = new Map<string, Map<string, string[]>>();
  for (const path of new Set(paths)) {
    const { label, pointer } = originalPlace(set, path);
    // With overlays, several paths can lead to the same place in an overlay.
    appendTo(getOrAdd(pathsByPlace, label, () => new Map<string, string[]>()), pointer, path);
  }
  const locations = new Map<string, PathLocation>();
  for (const [label, pointers] of pathsByPlace) {
    const source = set.texts.get(label);
    if (source === undefined) continue;
    const located = locatePointers(source.text, source.syntax, pointers.keys());
    for (const [pointer, { line, column, endLine }] of located) {
      for (const path of pointers.get(pointer) ?? []) {
        locations.set(path, { label, pointer, line, column, endLine });
      }
    }
  }
  return locations;
}

/** Returns the values of all files by label, as they are written: before overlays were applied. */
export function originalValues(
  { documents, overlaid }: Pick<DocumentSet, "documents" | "overlaid">,
): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const { label, value } of documents.values()) values.set(label, value);
  for (const [label, value] of overlaid?.originals ?? []) values.set(label, value);
  return values;
}

function originalPlace(
  { overlaid }: Pick<DocumentSet, "overlaid">,
  path: string,
): { readonly label: string; readonly pointer: string } {
  const [label, pointer] = splitDocumentPath(path);
  return label === "" && overlaid !== undefined ? overlaid.locate(pointer) : { label, pointer };
}

export function locatePointers(
  text: string,
  syntax: Syntax,
  pointers: Iterable<string>,
): Map<string, Location> {
  const locations = new Map<string, Location>();
  const { root, listEntries, positionAt } = syntax === "yaml" ? indexYaml(text) : indexJson(text);
  const cache = new Map<string, IndexedEntries | undefined>();
  const entriesBelow = (pointer: string): IndexedEntries | undefined =>
    getOrAdd(cache, pointer, () => {
      const container = entryAt(pointer);
      return container && listEntries(container);
    });
  const entryAt = (pointer: string): IndexedEntry | undefined => {
    const slash = pointer.lastIndexOf("/");
    if (slash < 0) return root;
    return entriesBelow(pointer.slice(0, slash))?.get(unescapeToken(pointer.slice(slash + 1)));
  };
  const located = [...pointers].flatMap((pointer) => {
    const entry = entryAt(pointer);
    return entry === undefined ? [] : [{ pointer, entry }];
  });
  located.sort(({ entry: one }, { entry: other }) =>
    one.end - other.end || other.start - one.start
  );
  for (const { pointer, entry: { start, end } } of located) {
    const { line, column } = positionAt(start);
    locations.set(pointer, { line, column, endLine: positionAt(Math.max(start, end - 1)).line });
  }
  return locations;
}
