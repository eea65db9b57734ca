import { addCounts } from "../values/add_counts.ts";
import { compareText, Smallest } from "./smallest.ts";
import { mediaTypeText } from "./media_type_text.ts";
import { MOST_MEDIA_TYPES } from "./undocumented_bodies.ts";

/** Bodies of one status and media type that the description does not have. */
export interface UndocumentedAnswer {
  /** The status of the responses. */
  readonly status: string;
  /** Their media type in lower case, without parameters; empty if they name none. */
  readonly mediaType: string;
  /** The number of responses. */
  readonly hits: number;
  /** The time of the first request that they answer, in seconds since 1970; Infinity if unknown. */
  readonly firstAt: number;
}

interface Counted extends UndocumentedAnswer {
  hits: number;
  firstAt: number;
}

/**
 * The bodies of answers of one operation that the description does not have: of another media type than it documents
 * for their status, or where it documents none. Commutative, as everything that is counted.
 */
export class UndocumentedAnswers {
  #entries: Smallest<Counted> | undefined;

  /** Counts bodies of a Content-Type: one, unless `hits` says otherwise; undefined if they have none. */
  add(status: string, contentType: string | undefined, firstAt: number, hits = 1): void {
    const mediaType = mediaTypeText(contentType);
    this.#count({ status, mediaType, hits, firstAt });
  }

  /** By status and media type, in the order of their characters; at most 50. */
  list(): readonly UndocumentedAnswer[] {
    return this.#entries?.list() ?? [];
  }

  /** Adds what another map counted. */
  merge(list: Iterable<UndocumentedAnswer>): void {
    for (const one of list) this.#count(one);
  }

  #count(one: UndocumentedAnswer): void {
    this.#entries ??= new Smallest(
      MOST_MEDIA_TYPES,
      (a, b) => compareText(a.status, b.status) || compareText(a.mediaType, b.mediaType),
    );
    const key = `${one.status} ${one.mediaType}`;
    const known = this.#entries.get(key);
    if (known === undefined) {
      this.#entries.add(key, { ...one });
      return;
    }
    known.hits = addCounts(known.hits, one.hits);
    known.firstAt = Math.min(known.firstAt, one.firstAt);
  }
}
