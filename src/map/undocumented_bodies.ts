import { addCounts } from "../values/add_counts.ts";
import { mediaTypeText } from "./media_type_text.ts";
import { compareText, Smallest } from "./smallest.ts";

/** The number of media types that are kept of one operation; traffic may bring any number. */
export const MOST_MEDIA_TYPES = 50;

/** A media type with how many bodies had it. */
export type UndocumentedBody = readonly [media_type: string, hits: number];

interface Entry {
  readonly mediaType: string;
  hits: number;
}

/**
 * The bodies of one operation that the description does not have: sent in another media type than it documents, or where
 * it documents none. Commutative, as everything that is counted.
 */
export class UndocumentedBodies {
  #entries: Smallest<Entry> | undefined;

  /** Counts a body; without a Content-Type its media type is empty. */
  add(contentType: string | undefined, count = 1): void {
    this.#count(mediaTypeText(contentType), count);
  }

  /** By media type, in order of its characters; at most 50. */
  list(): UndocumentedBody[] {
    return this.#entries?.list().map(({ mediaType, hits }) => [mediaType, hits]) ?? [];
  }

  /** Adds what another map counted. */
  merge(list: readonly UndocumentedBody[]): void {
    for (const [mediaType, hits] of list) this.#count(mediaType, hits);
  }

  #count(mediaType: string, hits: number): void {
    this.#entries ??= new Smallest(
      MOST_MEDIA_TYPES,
      (a, b) => compareText(a.mediaType, b.mediaType),
    );
    const entry = this.#entries.get(mediaType);
    if (entry === undefined) this.#entries.add(mediaType, { mediaType, hits });
    else entry.hits = addCounts(entry.hits, hits);
  }
}
