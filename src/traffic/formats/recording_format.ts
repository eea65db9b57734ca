import type { Visibility } from "../../http/visibility.ts";
import type { PostmanValues } from "./postman/postman_variables.ts";
import type { Problems } from "./problems.ts";
import type { EntryContent, EntryReader, Recording } from "./recording.ts";

/** The importer of a map that reads a format: `map.archive`, `map.collection` or `map.cassette`. */
export type FormatFamily = "archive" | "collection" | "cassette";

/** Finds the bytes that a recording keeps in files of their own, by the name that an entry gives them. */
export type Attachments = (name: string) => Uint8Array | undefined;

/** The options that a format is read with. */
export interface FormatOptions {
  /** Values of variables that are not in Postman's collections. */
  readonly values?: PostmanValues | undefined;
  /** The log format of nginx or Apache that access logs have. */
  readonly logFormat?: string | undefined;
}

/** A list of entries that can be read one by one while the bytes of a recording arrive. */
export interface EntryStream {
  /** The name of the member that holds the list. */
  readonly list: string;
  /** The name of the member of the recording that has the list in it; undefined if that is the recording itself. */
  readonly within?: string;
  /** True if the list, or entries that follow each other, may also be the whole recording. */
  readonly isBare?: boolean;
  /** True if it is a log, whose lines may all be noise. */
  readonly isLog?: boolean;
  /** True if the entries are lines of text that isn't JSON. */
  readonly isText?: boolean;
  /** Makes a reader for one recording whose lines depend on earlier ones, such as a line with the names of columns. */
  begin?(): EntryReader;
  /**
   * The index after the entry of bytes that begins at an index; -1 if it isn't there to its end, -2 if none can begin
   * there. Formats that have it are neither JSON nor lines of text.
   */
  endOfEntry?(bytes: Uint8Array, start: number): number;
  /**
   * Reads one entry.
   *
   * @param place The place of the entry in problems.
   * @returns Undefined for an entry that cannot be used; the reason is added to the problems.
   */
  readEntry(
    entry: unknown,
    place: string,
    problems: Problems,
    attachments?: Attachments,
  ): EntryContent;
  /** The names of the files that hold the bodies of an entry. */
  attachmentsOf?(entry: unknown): readonly string[];
}

/** A format of recordings: an entry of the registry, which is all that the rest of covtool knows of the format. */
export interface RecordingFormat {
  /** The name of one such recording, with its article: `a HAR`. No two formats share it. */
  readonly name: string;
  /** The name in lists of what covtool reads: `HAR`. Formats of one program share it. */
  readonly title: string;
  /** Undefined for a format that only the command line reads. */
  readonly family?: FormatFamily;
  /**
   * What recordings of this format can show (default: everything). An interaction that has a `visibility` of its own
   * overrides it, where that varies from file to file or from entry to entry.
   */
  readonly visibility?: Visibility;
  /** Recognises recordings of this format by a parsed document. */
  recognize(value: unknown): boolean;
  /**
   * The reason why a document that resembles this format isn't of it, as a clause: "`log` has no list `entries`".
   * Undefined for other documents. Called only for documents that no format recognises.
   */
  nearMiss?(value: unknown): string | undefined;
  /**
   * Reads a parsed document that {@linkcode RecordingFormat.recognize} holds for.
   *
   * @param location The name of the recording in errors and warnings.
   * @throws {RecordingError} if nothing in it can be used.
   */
  read(value: unknown, location: string, options: FormatOptions): Recording;
  /** Reads the format entry by entry, without all of it in memory; undefined for formats that are read whole. */
  readonly stream?: EntryStream;
  /**
   * Reads a zip with such a recording in it.
   *
   * @throws {RecordingError} if there is none in it.
   */
  readZip?(bytes: Uint8Array, location: string): Promise<Recording>;
}
