import type { Interaction } from "../../http/interaction.ts";
import { readHarEntry } from "../formats/har/har.ts";
import type { Attachments } from "../formats/har/har_body.ts";
import type { Problems } from "./recording.ts";
import { readTrafficEntry } from "../formats/traffic_file/traffic.ts";

/** A list of entries that can be read one by one: of a HAR, of a traffic file, or a traffic file of lines. */
export type EntryListName = "log.entries" | "interactions" | "line";

/** How the entries of a list are read, and what problems call them. */
export interface EntryList {
  /** Reads one entry; undefined where it is of no use, which is added to the problems. */
  read(
    entry: unknown,
    place: string,
    problems: Problems,
    attachments?: Attachments,
  ): Interaction | undefined;
  /** What problems call an entry, from its number counted from 0. */
  placeOf(index: number): string;
  /** The place, or one within it, of the entry that comes so many entries later. */
  shiftPlace(place: string, by: number): string;
}

const LISTS: Readonly<Record<EntryListName, EntryList>> = {
  "log.entries": { read: readHarEntry, ...placesIn("log.entries") },
  interactions: { read: readTrafficEntry, ...placesIn("interactions") },
  line: { read: readTrafficEntry, placeOf: (index) => `line ${index + 1}`, shiftPlace },
};

/**
 * The list of that name.
 *
 * @example
 * ```ts
 * import { entryList } from "./entry_list.ts";
 * import assert from "node:assert/strict";
 *
 * const list = entryList("log.entries");
 * assert.equal(list.placeOf(3), "log.entries[3]");
 * assert.equal(list.shiftPlace("log.entries[3].request.headers", 100), "log.entries[103].request.headers");
 * ```
 */
export function entryList(name: EntryListName): EntryList {
  return LISTS[name];
}

function placesIn(name: string): Pick<EntryList, "placeOf" | "shiftPlace"> {
  return { placeOf: (index) => `${name}[${index}]`, shiftPlace };
}

/** The names of lists have no digits, so the first number is that of the entry. */
function shiftPlace(place: string, by: number): string {
  return place.replace(/\d+/, (index) => String(Number(index) + by));
}
