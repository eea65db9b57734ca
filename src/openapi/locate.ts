import { splitDocumentPath, unescapeToken } from "../values/json_pointer.ts";
import { indexYaml } from "./read_yaml.ts";
import type {
  DocumentSet,
  EntryIndex,
  IndexedEntries,
  IndexedEntry,
  Location,
  Syntax,
} from "./document_set.ts";
import { appendTo, getOrAdd } from "../values/collections.ts";
import type { Diagnostic } from "../values/diagnostic.ts";
import { skipSpace, skipString } from "../values/parse_json.ts";
import { textPositions } from "../values/text_position.ts";

/** Adds lines and columns to diagnostics. Parses the texts again, so call it only to show diagnostics. */
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

/** Finds the positions of schema paths in all documents, parsing the texts again. Skips paths that lead nowhere. */
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

const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Finds positions in a valid JSON text. Objects and lists are identified by their number in {@linkcode Containers}. */
export function indexJson(text: string): EntryIndex {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const { starts, ends, nexts } = findContainers(text);

  function listEntries({ value }: IndexedEntry): IndexedEntries | undefined {
    if (value === undefined) return undefined;
    const container = value as number;
    const isObject = text[starts[container] as number] === "{";
    const close = (ends[container] as number) - 1;
    const entries = new Map<string, IndexedEntry>();
    let offset = skipSpace(text, (starts[container] as number) + 1);
    let inner = container + 1;
    while (offset < close) {
      const start = offset;
      let name = String(entries.size);
      if (isObject) {
        const nameEnd = skipString(text, offset);
        const raw = text.slice(offset + 1, nameEnd - 1);
        name = raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
        offset = skipSpace(text, skipSpace(text, nameEnd) + 1);
      }
      const isContainer = starts[inner] === offset;
      const end = isContainer ? ends[inner] as number : skipScalar(text, offset);
      entries.set(name, { start, end, value: isContainer ? inner : undefined });
      if (isContainer) inner = nexts[inner] as number;
      offset = skipSpace(text, end);
      if (text[offset] === ",") offset = skipSpace(text, offset + 1);
    }
    return entries;
  }

  return {
    root: { start, end: text.trimEnd().length, value: starts[0] === start ? 0 : undefined },
    listEntries,
    positionAt: textPositions(text),
  };
}

/** The offsets of all objects and lists, numbered in the order in which they begin. Arrays, since there are many. */
interface Containers {
  readonly starts: readonly number[];
  /** The offset after the end of each. */
  readonly ends: readonly number[];
  /** The number of the first object or list that begins after the end of each. */
  readonly nexts: readonly number[];
}

function findContainers(text: string): Containers {
  const starts: number[] = [];
  const ends: number[] = [];
  const nexts: number[] = [];
  const open: number[] = [];
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    // The brackets of lists and objects differ in one bit: `[` and `{`, `]` and `}`.
    if (code === QUOTE) offset = skipString(text, offset) - 1;
    else if ((code | 0x20) === OPEN) {
      open.push(starts.length);
      starts.push(offset);
      ends.push(0);
      nexts.push(0);
    } else if ((code | 0x20) === CLOSE) {
      const container = open.pop() ?? 0;
      ends[container] = offset + 1;
      nexts[container] = starts.length;
    }
  }
  return { starts, ends, nexts };
}

const LITERAL = /[^\s,\]}]*/y;

function skipScalar(text: string, start: number): number {
  if (text[start] === '"') return skipString(text, start);
  LITERAL.lastIndex = start;
  return start + (LITERAL.exec(text)?.[0].length ?? 0);
}
