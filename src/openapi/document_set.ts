import type { Diagnostic } from "../values/diagnostic.ts";
import type { LoadedDocument } from "../schema/place.ts";
import type { Syntax } from "./locate.ts";

/** The text that a document was parsed from. */
export interface SourceText {
  /** The text, without byte order mark. */
  readonly text: string;
  /** Its syntax. */
  readonly syntax: Syntax;
}

/** A description with every file that it refers to. */
export interface DocumentSet {
  /** The OpenAPI document itself. */
  readonly entry: LoadedDocument;
  /**
   * Every document by its URI, the entry first. A file that is known by two URIs (`$self`, or a base that an `$id`
   * sets) is here twice, with the same value and label.
   */
  readonly documents: ReadonlyMap<string, LoadedDocument>;
  /** The description's name in errors and reports. */
  readonly location: string;
  /** Texts by {@linkcode LoadedDocument.label}; none for a dictionary. */
  readonly texts: ReadonlyMap<string, SourceText>;
  /** The URLs of all that was read, also of what could not be used; none for a dictionary. */
  readonly urls: readonly string[];
  /** References that could not be followed, and keys written twice. */
  readonly problems: readonly Diagnostic[];
}
