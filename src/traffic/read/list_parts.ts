import type { ProblemKind } from "../formats/problems.ts";
import type { Separator } from "../stream/item_boundary.ts";
import type { StreamedList } from "./streamed_list.ts";

/** A list of which the items are read one by one, and where reading it stands. */
export interface ListPlace {
  readonly list: StreamedList;
  /** The bytes between its items. */
  readonly separator: Separator;
  /** Where the next item begins, in bytes from the beginning of the recording. */
  readonly offset: number;
}

/** The result of reading a part of a list. */
export interface PartResult {
  /** Items and empty lines. */
  readonly items: number;
  /** Items. */
  readonly entries: number;
  /** Items that were of use. */
  readonly used: number;
  /** The problems with what could not be used; places count from the beginning of the part. */
  readonly problems: readonly ProblemKind[];
}

/** The parts that were read elsewhere. */
export interface ReadParts {
  /** The parts in their order, from where reading stood. */
  readonly results: readonly PartResult[];
  /** Where they end and the next item begins, in bytes from the beginning of the recording. */
  readonly end: number;
  /** The bytes from there on. */
  readonly rest: AsyncIterable<Uint8Array>;
}

/**
 * Reads the middle of a long list in several places at once, and takes its interactions there: the recording itself then
 * gives those before and behind it only.
 */
export interface ListParts {
  /** Reads from that place on, and leaves at least the last item; undefined where that does not pay. */
  read(place: ListPlace): Promise<ReadParts | undefined>;
}
