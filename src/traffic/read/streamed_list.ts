import { FORMATS } from "../formats/formats.ts";
import { logFormat } from "../log_format/log_format.ts";
import type { ProblemKind, RecordingFormat } from "../formats/recording.ts";
import type { Visibility } from "../../http/visibility.ts";
import type { Separator } from "../stream/item_boundary.ts";

/** A list whose entries are read one by one; plain data, so that a worker can be sent it. */
export interface StreamedList {
  readonly format: string;
  readonly isOnLines: boolean;
  /** What its entries can show, if the first of them says so. */
  readonly shown?: Visibility | undefined;
  /** The pattern of its lines, if its format is a pattern that somebody gave. */
  readonly logFormat?: string | undefined;
}

/** A list whose items are read one by one, and the position that reading has reached. */
export interface ListPlace {
  readonly list: StreamedList;
  readonly separator: Separator;
  readonly offset: number;
}

export interface PartResult {
  readonly items: number;
  readonly entries: number;
  readonly used: number;
  /** The problems with items that could not be used; places count from the beginning of the part. */
  readonly problems: readonly ProblemKind[];
}

/** The parts of a list that were read elsewhere. */
export interface ReadParts {
  readonly results: readonly PartResult[];
  /** The end of the last part, where the next item begins, in bytes from the beginning of the recording. */
  readonly end: number;
  readonly rest: AsyncIterable<Uint8Array>;
}

/** Reads the middle of a long list in several places at once, so that the recording yields the rest alone. */
export interface ListParts {
  /** Reads from that place on and leaves at least the last item; undefined if the list is too short to be worth it. */
  read(place: ListPlace): Promise<ReadParts | undefined>;
}

export function formatOf({ format: wanted, logFormat: pattern }: StreamedList): RecordingFormat {
  const format = pattern === undefined
    ? FORMATS.find(({ name }) => name === wanted)
    : logFormat(pattern);
  if (format?.stream === undefined) throw new TypeError(`No entries can be streamed of ${wanted}.`);
  return format;
}

/** The place, or one within it, of the entry that comes so many entries later. */
export function shiftPlace(place: string, by: number): string {
  // The names of lists have no digits, so the first number is that of the entry.
  return place.replace(/\d+/, (index) => String(Number(index) + by));
}
