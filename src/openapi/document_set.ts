import type { Diagnostic } from "../values/diagnostic.ts";
import type { LoadedDocument } from "../schema/position.ts";
import type { TextPosition } from "../values/text_position.ts";

export type Syntax = "json" | "yaml";

export interface SourceText {
  /** The text, without byte order mark. */
  readonly text: string;
  readonly syntax: Syntax;
}

/** A description with every file that it refers to. */
export interface DocumentSet {
  /** The OpenAPI document itself. */
  readonly entry: LoadedDocument;
  /** Every document by its URI, the entry first; one that is known by two URIs (`$self`, `$id`) is here twice. */
  readonly documents: ReadonlyMap<string, LoadedDocument>;
  /** The description's name in errors and reports. */
  readonly location: string;
  /** Texts by {@linkcode LoadedDocument.label}; none for a dictionary. */
  readonly texts: ReadonlyMap<string, SourceText>;
  /** The URLs of all that was read, also of what could not be used; none for a dictionary. */
  readonly urls: readonly string[];
  /** References that could not be followed, and keys written twice. */
  readonly problems: readonly Diagnostic[];
  /** What overlays changed in the entry document; undefined without overlays. */
  readonly overlaid?: OverlaidSource | undefined;
}

/** Leads from a description with overlays back to the files that say what it says. */
export interface OverlaidSource {
  /** The entry document as it was written, and the overlays, by label. */
  readonly written: ReadonlyMap<string, unknown>;
  /** The label and the pointer where what a pointer of the entry document leads to is written. */
  readonly locate: (pointer: string) => { readonly label: string; readonly pointer: string };
}

/** The position of an entry of a document: of its key, or for an item of a list of the item. */
export interface Location {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** The line on which the value ends; counted from 1. */
  readonly endLine: number;
}

/** A text in which places are looked for. */
export interface WrittenText {
  readonly root: WrittenEntry;
  /** The entries of an object or list; other values have none. */
  listEntries(holder: WrittenEntry): WrittenEntries | undefined;
  positionAt(offset: number): TextPosition;
}

/** By name or index. */
export type WrittenEntries = ReadonlyMap<string, WrittenEntry>;

/** The offsets of an entry: of its key, or of a value without one, and of the end of the value. */
export interface WrittenEntry {
  readonly start: number;
  readonly end: number;
  /** The value, or what stands for it. */
  readonly value: unknown;
}
