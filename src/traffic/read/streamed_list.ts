import { FORMATS } from "../formats/formats.ts";
import type { EntryStream } from "../formats/recording_format.ts";

/** A list whose entries are read one by one; plain data, so that a worker can be sent it. */
export interface StreamedList {
  /** The name of its format. */
  readonly format: string;
  /** True if each entry stands on a line of its own. */
  readonly isOnLines: boolean;
}

/** The functions that read the entries of a list. */
export function streamOf({ format }: StreamedList): EntryStream {
  const stream = FORMATS.find(({ name }) => name === format)?.stream;
  if (stream === undefined) throw new TypeError(`No entries can be streamed of ${format}.`);
  return stream;
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
