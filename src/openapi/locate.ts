import { textPositions } from "../values/text_position.ts";
import { type Found, locateInYaml, type PointerTree, pointerTree } from "./locate_yaml.ts";
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
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** An object or a list that is being gone through. */
interface Frame {
  readonly tree: PointerTree;
  readonly entry: number;
  readonly isObject: boolean;
  index: number;
  offset: number;
}

/** Finds the pointers of a tree in a JSON text that is known to be valid, however deep it is nested. */
class JsonSearch {
  readonly #text: string;
  readonly #found: Found;
  readonly #frames: Frame[] = [];

  constructor(text: string, found: Found) {
    this.#text = text;
    this.#found = found;
  }

  search(tree: PointerTree): void {
    const text = this.#text;
    const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
    let end = this.#visit(start, start, tree);
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      if (end !== undefined) {
        frame.offset = skipSpace(text, end);
        if (text[frame.offset] === ",") frame.offset = skipSpace(text, frame.offset + 1);
      }
      const isEnd = frame.offset >= text.length ||
        text[frame.offset] === (frame.isObject ? "}" : "]");
      if (isEnd) end = this.#leave(frame);
      else end = frame.isObject ? this.#visitMember(frame) : this.#visitItem(frame);
    }
  }

  /** Gives the offset after a value; undefined if it is to be gone through, as the last of the frames. */
  #visit(offset: number, entry: number, tree: PointerTree): number | undefined {
    const text = this.#text;
    const isObject = text[offset] === "{";
    if (tree.children.size > 0 && (isObject || text[offset] === "[")) {
      const first = skipSpace(text, offset + 1);
      this.#frames.push({ tree, entry, isObject, index: 0, offset: first });
      return undefined;
    }
    const end = skipValue(text, offset);
    if (tree.pointer !== undefined) this.#found(tree.pointer, entry, end);
    return end;
  }

  #leave({ tree, entry, offset }: Frame): number {
    this.#frames.pop();
    const end = offset + 1;
    if (tree.pointer !== undefined) this.#found(tree.pointer, entry, end);
    return end;
  }

  #visitMember(frame: Frame): number | undefined {
    const text = this.#text;
    const { offset, tree } = frame;
    const keyEnd = skipString(text, offset);
    const raw = text.slice(offset + 1, keyEnd - 1);
    const key = raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const child = tree.children.get(key);
    return child === undefined ? skipValue(text, value) : this.#visit(value, offset, child);
  }

  #visitItem(frame: Frame): number | undefined {
    const { offset, tree } = frame;
    const child = tree.children.get(String(frame.index++));
    return child === undefined ? skipValue(this.#text, offset) : this.#visit(offset, offset, child);
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

function skipString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let offset = start;
  while (true) {
    const code = text.charCodeAt(offset);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return offset;
    offset++;
  }
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
  const positionOf = textPositions(text);
  const found: Found = (pointer, start, end) => {
    const { line, column } = positionOf(start);
    locations.set(pointer, { line, column, endLine: positionOf(Math.max(start, end - 1)).line });
  };
  if (syntax === "json") new JsonSearch(text, found).search(tree);
  else locateInYaml(text, tree, found);
  return locations;
}
