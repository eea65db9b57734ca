import type { Diagnostic } from "../values/diagnostic.ts";
import type { LoadedDocument } from "../schema/part_positions.ts";
import type { TextPosition } from "../values/text_position.ts";

export type Syntax = "json" | "yaml";

export interface SourceText {
  /** Without the byte order mark. */
  readonly text: string;
  readonly syntax: Syntax;
}

export interface DocumentSet {
  readonly entry: LoadedDocument;
  /** Documents by URI, the entry document first. A document with two URIs (`$self`, `$id`) is listed twice. */
  readonly documents: ReadonlyMap<string, LoadedDocument>;
  /** The description's name in errors and reports. */
  readonly location: string;
  /** Texts by {@linkcode LoadedDocument.label}; empty for a description that was given as an object. */
  readonly texts: ReadonlyMap<string, SourceText>;
  /** URLs of all files that were read, unusable ones included; empty for a description that was given as an object. */
  readonly urls: readonly string[];
  readonly problems: readonly Diagnostic[];
  readonly overlaid?: OverlaidSource | undefined;
}

/** Maps positions in a description that overlays changed back to the files in which they are written. */
export interface OverlaidSource {
  /** The original entry document and the overlays, by label. */
  readonly originals: ReadonlyMap<string, unknown>;
  readonly locate: (pointer: string) => { readonly label: string; readonly pointer: string };
}

/** The position of an entry of a document. An entry of an object begins at its key, an item of a list at its value. */
export interface Location {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** The line on which the value ends; counted from 1. */
  readonly endLine: number;
}

export interface EntryIndex {
  readonly root: IndexedEntry;
  /** Returns the entries of an object or list; undefined for other values. */
  listEntries(container: IndexedEntry): IndexedEntries | undefined;
  positionAt(offset: number): TextPosition;
}

/** Entries by name or index. */
export type IndexedEntries = ReadonlyMap<string, IndexedEntry>;

/** The offsets of an entry: it begins at its key, if it has one, and ends with its value. */
export interface IndexedEntry {
  readonly start: number;
  readonly end: number;
  /** YAML: the value itself. JSON: the number of the object or list; undefined for other values. */
  readonly value: unknown;
}
