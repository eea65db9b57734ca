/** One document of a description: the entry document, or a file or resource that it refers to. */
export interface LoadedDocument {
  /** The URI of the document, without fragment: a URL, or a made-up one for a dictionary. */
  readonly uri: string;
  /** The text before `#` in the pointers that users see: empty for the entry document, else the file's path relative to it. */
  readonly label: string;
  /** The parsed JSON value. */
  readonly value: unknown;
}

/** A value in a document, with where it is. */
export interface Place {
  /** The value. */
  readonly value: unknown;
  /** The document that holds it. */
  readonly document: LoadedDocument;
  /** RFC 6901 pointer from the root of that document: empty for the root itself. */
  readonly pointer: string;
}
