import { addCounts } from "../values/add_counts.ts";
import { compareText, Smallest } from "./smallest.ts";

/** Properties that are kept of one operation; responses may bring any number. */
const KEPT = 200;

/** A property that came back and that the description doesn't declare. */
export interface UndocumentedProperty {
  /** The status of the responses. */
  readonly status: string;
  /** The documented media type of their bodies. */
  readonly mediaType: string;
  /** RFC 6901 pointer to the property, with `*` for items of arrays and for names that look like data. */
  readonly pointer: string;
  /** The number of responses that have it. */
  readonly hits: number;
  /** The time of the first request that they answer, in seconds since 1970; Infinity if unknown. */
  readonly firstAt: number;
}

interface Counted extends UndocumentedProperty {
  hits: number;
  firstAt: number;
}

/** The properties of one operation's responses that the description doesn't declare. Commutative, as everything that is counted. */
export class UndocumentedProperties {
  #entries: Smallest<Counted> | undefined;

  /** By status, media type and pointer, in the order of their characters; at most 200. */
  list(): readonly UndocumentedProperty[] {
    return this.#entries?.list() ?? [];
  }

  /** Adds what another map counted. */
  merge(list: Iterable<UndocumentedProperty>): void {
    for (const one of list) this.add(one);
  }

  /** Counts responses with a property. */
  add(one: UndocumentedProperty): void {
    this.#entries ??= new Smallest(
      KEPT,
      (a, b) =>
        compareText(a.status, b.status) || compareText(a.mediaType, b.mediaType) ||
        compareText(a.pointer, b.pointer),
    );
    const key = JSON.stringify([one.status, one.mediaType, one.pointer]);
    const known = this.#entries.get(key);
    if (known === undefined) {
      this.#entries.add(key, { ...one });
      return;
    }
    known.hits = addCounts(known.hits, one.hits);
    known.firstAt = Math.min(known.firstAt, one.firstAt);
  }
}
