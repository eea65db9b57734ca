import { FORMATS } from "../formats/formats.ts";
import { logFormat } from "../log_format/log_format.ts";
import type { ProblemKind } from "../formats/problems.ts";
import type { EntryStream, RecordingFormat } from "../formats/recording_format.ts";
import type { Separator } from "../stream/item_boundary.ts";

/** A list whose entries are read one by one; plain data, so that a worker can be sent it. */
export interface StreamedList {
  /** The name of its format. */
  readonly format: string;
  /** True if each entry is on a line of its own. */
  readonly isOnLines: boolean;
  /** The pattern of its lines, if its format is a pattern that somebody gave. */
  readonly logFormat?: string | undefined;
}

/** A list whose items are read one by one, and the position that reading has reached. */
export interface ListPlace {
  readonly list: StreamedList;
  /** The bytes between its items. */
  readonly separator: Separator;
  /** The position of the next item, in bytes from the beginning of the recording. */
  readonly offset: number;
}

/** The result of reading a part of a list. */
export interface PartResult {
  /** Items and empty lines. */
  readonly items: number;
  /** Items. */
  readonly entries: number;
  /** Items that could be used. */
  readonly used: number;
  /** The problems with items that could not be used; places count from the beginning of the part. */
  readonly problems: readonly ProblemKind[];
}

/** The parts of a list that were read elsewhere. */
export interface ReadParts {
  /** The parts in their order, starting at the position that reading had reached. */
  readonly results: readonly PartResult[];
  /** The end of the last part, where the next item begins, in bytes from the beginning of the recording. */
  readonly end: number;
  /** The bytes after that. */
  readonly rest: AsyncIterable<Uint8Array>;
}

/**
 * Reads the middle of a long list in several places at once and records its interactions there, so that the recording
 * itself yields only those before and after it.
 */
export interface ListParts {
  /** Reads from that place on and leaves at least the last item; undefined if the list is too short to be worth it. */
  read(place: ListPlace): Promise<ReadParts | undefined>;
}

/** The functions that read the entries of a list. */
export function streamOf(list: StreamedList): EntryStream {
  return streamedFormat(list).stream;
}

/** The format of the entries of a list. */
export function streamedFormat(
  { format: wanted, logFormat: pattern }: StreamedList,
): RecordingFormat & { readonly stream: EntryStream } {
  const format = pattern === undefined
    ? FORMATS.find(({ name }) => name === wanted)
    : logFormat(pattern);
  const stream = format?.stream;
  if (format === undefined || stream === undefined) {
    throw new TypeError(`No entries can be streamed of ${wanted}.`);
  }
  return { ...format, stream };
}

/**
 * The function that gives what problems call an entry, from its number counted from 0.
 *
 * @example
 * ```ts
 * import { entryPlaces, shiftPlace } from "./streamed_list.ts";
 * import assert from "node:assert/strict";
 *
 * const placeOf = entryPlaces({ format: "a HAR", isOnLines: false });
 * assert.equal(placeOf(3), "log.entries[3]");
 * assert.equal(shiftPlace("log.entries[3].request.headers", 100), "log.entries[103].request.headers");
 * ```
 */
export function entryPlaces(list: StreamedList): (index: number) => string {
  if (list.isOnLines) return (index) => `line ${index + 1}`;
  const { list: name, within } = streamOf(list);
  const path = within === undefined ? name : `${within}.${name}`;
  return (index) => `${path}[${index}]`;
}

/** The place, or one within it, of the entry that comes so many entries later. */
export function shiftPlace(place: string, by: number): string {
  // The names of lists have no digits, so the first number is that of the entry.
  return place.replace(/\d+/, (index) => String(Number(index) + by));
}
