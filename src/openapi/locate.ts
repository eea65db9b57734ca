import { skipSpace, skipString } from "../values/parse_json.ts";
import { textPositions } from "../values/text_position.ts";
import { type Found, locateInYaml, type PointerTree, pointerTree } from "./locate_yaml.ts";
import { yamlEvents } from "./read_yaml.ts";
import type { DocumentSet, Location, Syntax } from "./document_set.ts";
import { appendTo, getOrAdd } from "../values/collections.ts";
import type { Diagnostic } from "../values/diagnostic.ts";

/** Diagnostics with lines and columns. The texts are read again: it is for the moment when they are shown. */
export function locateDiagnostics(
  set: DocumentSet,
  diagnostics: readonly Diagnostic[],
): Diagnostic[] {
  const locations = locatePaths(
    set,
    diagnostics.flatMap(({ line, schema_path }) => line === null ? [schema_path] : []),
  );
  const located = diagnostics.map((found) => {
    const diagnostic = { ...found, message: shortened(found.message) };
    const location = diagnostic.line === null ? locations.get(diagnostic.schema_path) : undefined;
    if (location === undefined) return diagnostic;
    const { label, pointer, line, column } = location;
    const isMoved = set.overlaid !== undefined && label !== "";
    return { ...diagnostic, line, column, ...isMoved && { schema_path: `${label}#${pointer}` } };
  });
  if (set.overlaid === undefined) return located;
  // What an overlay says for many places is wrong once.
  return [...new Map(located.map((one) => [`${one.schema_path} ${one.message}`, one])).values()];
}

/** Messages quote names and references, which a description can have in any length. */
const MAX_MESSAGE = 1000;

function shortened(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  return `${message.slice(0, MAX_MESSAGE / 2)}…${message.slice(-MAX_MESSAGE / 2)}`;
}

/** The target of a schema path: the document and the position in its text. */
export interface PathLocation extends Location {
  /** The label of the document: empty for the entry document. */
  readonly label: string;
  readonly pointer: string;
}

/** Finds where schema paths lead over all documents, reading the texts again; what leads nowhere is left out. */
export function locatePaths(
  set: Pick<DocumentSet, "texts" | "overlaid">,
  paths: Iterable<string>,
): Map<string, PathLocation> {
  const wanted = new Map<string, Map<string, string[]>>();
  for (const path of new Set(paths)) {
    const { label, pointer } = writtenAt(set, path);
    // An overlay can say something for many places at once.
    appendTo(getOrAdd(wanted, label, () => new Map<string, string[]>()), pointer, path);
  }
  const locations = new Map<string, PathLocation>();
  for (const [label, pointers] of wanted) {
    const source = set.texts.get(label);
    if (source === undefined) continue;
    const found = locatePointers(source.text, source.syntax, pointers.keys());
    for (const [pointer, { line, column, endLine }] of found) {
      for (const path of pointers.get(pointer) ?? []) {
        locations.set(path, { label, pointer, line, column, endLine });
      }
    }
  }
  return locations;
}

/** The values of all files as they are written, by label: where overlays were applied, not what is measured. */
export function writtenValues(
  { documents, overlaid }: Pick<DocumentSet, "documents" | "overlaid">,
): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const { label, value } of documents.values()) values.set(label, value);
  for (const [label, value] of overlaid?.written ?? []) values.set(label, value);
  return values;
}

function writtenAt(
  { overlaid }: Pick<DocumentSet, "overlaid">,
  path: string,
): { readonly label: string; readonly pointer: string } {
  const [label, pointer] = splitPath(path);
  return label === "" && overlaid !== undefined ? overlaid.locate(pointer) : { label, pointer };
}

/** The label of the document and the pointer of a schema path: of `file.yaml#/a` and of `/a`. */
function splitPath(path: string): [string, string] {
  if (path === "" || path.startsWith("/")) return ["", path];
  const hash = path.indexOf("#/");
  if (hash >= 0) return [path.slice(0, hash), path.slice(hash + 1)];
  return [path.endsWith("#") ? path.slice(0, -1) : path, ""];
}

const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Finds the pointers of a tree in a JSON text that is known to be valid. */
function locateInJson(text: string, tree: PointerTree, found: Found): void {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  visitValue(start, start, tree);

  /** Gives the offset after a value; `entry` is the offset of its name, or its own. */
  function visitValue(offset: number, entry: number, tree: PointerTree): number {
    const isEntered = tree.children.size > 0 && (text[offset] === "{" || text[offset] === "[");
    const end = isEntered ? visitEntries(offset, tree) : skipValue(text, offset);
    if (tree.pointer !== undefined) found(tree.pointer, entry, end);
    return end;
  }

  function visitEntries(start: number, tree: PointerTree): number {
    const isObject = text[start] === "{";
    const closer = isObject ? "}" : "]";
    let offset = skipSpace(text, start + 1);
    for (let index = 0; offset < text.length && text[offset] !== closer; index++) {
      const entry = offset;
      let name: string;
      if (!isObject) name = String(index);
      else {
        const end = skipString(text, offset);
        const raw = text.slice(offset + 1, end - 1);
        name = raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
        offset = skipSpace(text, skipSpace(text, end) + 1);
      }
      const child = tree.children.get(name);
      const end = child === undefined ? skipValue(text, offset) : visitValue(offset, entry, child);
      offset = skipSpace(text, end);
      if (text[offset] === ",") offset = skipSpace(text, offset + 1);
    }
    return offset + 1;
  }
}

function skipValue(text: string, start: number): number {
  let depth = 0;
  let offset = start;
  do {
    const code = text.charCodeAt(offset);
    if (code === QUOTE) offset = skipString(text, offset);
    else {
      // A bit tells the brackets of a list from those of an object.
      if ((code | 0x20) === OPEN) depth++;
      else if ((code | 0x20) === CLOSE) depth--;
      else if (depth === 0) return skipLiteral(text, offset);
      offset++;
    }
  } while (depth > 0 && offset < text.length);
  return offset;
}

function skipLiteral(text: string, start: number): number {
  let offset = start;
  while (offset < text.length && /[^\s,\]}]/.test(text[offset] ?? "")) offset++;
  return offset;
}

/** Finds where pointers lead in a document's text, in one pass. */
export function locatePointers(
  text: string,
  syntax: Syntax,
  pointers: Iterable<string>,
): Map<string, Location> {
  const tree = pointerTree(pointers);
  const locations = new Map<string, Location>();
  if (tree.pointer === undefined && tree.children.size === 0) return locations;
  const yaml = syntax === "yaml" ? yamlEvents(text) : undefined;
  const positionOf = yaml?.positionOf ?? textPositions(text);
  const found: Found = (pointer, start, end) => {
    const { line, column } = positionOf(start);
    locations.set(pointer, { line, column, endLine: positionOf(Math.max(start, end - 1)).line });
  };
  if (yaml === undefined) locateInJson(text, tree, found);
  else locateInYaml(yaml, tree, found);
  return locations;
}
