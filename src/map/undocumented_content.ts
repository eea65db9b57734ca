import { addCounts } from "../values/errors.ts";
import { BoundedSet, compareText } from "./bounded_set.ts";
import { type EvidenceExample, type RequestSource, smallerExample } from "./evidence.ts";
import { mediaEssence } from "../http/media_type.ts";
import { maskShapes } from "../redact/secret_shapes.ts";

/** Longer ones, in characters, are cut: they are text of strangers. */
const MAX_LENGTH = 200;

/** A Content-Type's media type as reports and hits show it: cut, and with secrets masked; empty without one. */
export function mediaTypeText(contentType: string | undefined): string {
  return mediaEssence(maskShapes(contentType ?? "")).slice(0, MAX_LENGTH).toWellFormed();
}

/** The media types and the properties that are kept of one operation; traffic may bring any number. */
export const MAX_MEDIA_TYPES = 50;
export const MAX_PROPERTIES = 200;

/** Content of requests or responses that the description doesn't have. */
export interface Undocumented {
  /** The status of the responses; empty for the content of requests. */
  readonly status: string;
  /** In lower case, without parameters; empty where none is named. */
  readonly mediaType: string;
  /** RFC 6901 pointer to a property, with `*` for items and for names that look like data; empty for a whole body. */
  readonly pointer: string;
  readonly hits: number;
  /** The time of the first request, in seconds since 1970; Infinity if unknown. */
  readonly firstAt: number;
  /** The smallest interaction with it; undefined where none is kept. */
  readonly example: EvidenceExample | undefined;
}

interface Counted extends Undocumented {
  hits: number;
  firstAt: number;
  example: EvidenceExample | undefined;
}

function compare(a: Undocumented, b: Undocumented): number {
  return compareText(a.status, b.status) || compareText(a.mediaType, b.mediaType) ||
    compareText(a.pointer, b.pointer);
}

/** Content of one operation that the description doesn't have. Commutative, as everything that is counted. */
export class UndocumentedContent {
  readonly #limit: number;
  #entries: BoundedSet<Counted> | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** By status, media type and pointer, in the order of their characters, up to the limit. */
  list(): readonly Undocumented[] {
    return this.#entries?.list() ?? [];
  }

  merge(list: Iterable<Undocumented>): void {
    for (const one of list) this.add(one);
  }

  add(one: Undocumented, source?: RequestSource): void {
    const entries = this.#entries ??= new BoundedSet<Counted>(this.#limit, compare);
    const key = JSON.stringify([one.status, one.mediaType, one.pointer]);
    const known = entries.at(key, () => ({ ...one, hits: 0, example: undefined }));
    known.hits = addCounts(known.hits, one.hits);
    known.firstAt = Math.min(known.firstAt, one.firstAt);
    if (one.example !== undefined) {
      known.example = smallerExample(known.example, one.example, source);
    }
  }
}

interface NameCount {
  readonly name: string;
  count: number;
}

/** Counts by name, of the names that come first in the order of their characters, up to a limit. */
export class NameCounts {
  readonly #counts: BoundedSet<NameCount>;

  constructor(limit: number) {
    this.#counts = new BoundedSet(limit, (a, b) => compareText(a.name, b.name));
  }

  add(name: string, count: number): void {
    const known = this.#counts.at(name, () => ({ name, count: 0 }));
    known.count = addCounts(known.count, count);
  }

  list(): readonly (readonly [name: string, count: number])[] {
    return this.#counts.list().map(({ name, count }) => [name, count] as const);
  }
}
