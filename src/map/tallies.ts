import { byMembers } from "../values/collections.ts";
import { addCounts } from "../values/errors.ts";
import { type EvidenceExample, type RequestSource, smallerExample } from "./evidence.ts";

export interface TallyRules<Entry> {
  /** The members that identify an entry; entries are sorted by them in this order. */
  readonly key: readonly (keyof Entry & string)[];
  readonly sums: readonly (keyof Entry & string)[];
  /** The maximum number of entries to keep: the first in sorting order, independent of the order of arrival. */
  readonly limit: number;
  /** The primary sort criterion, before `key`. */
  readonly rank?: (entry: Entry) => number;
}

/** Optional members of entries; the earliest time and the smallest example are kept. */
interface TalliedMembers {
  firstAt?: number;
  example?: EvidenceExample | undefined;
}

/** Counts by key, keeping the first keys up to a limit. Adding is commutative, merging associative. */
export class Tallies<Entry extends object> {
  readonly #rules: TallyRules<Entry>;
  /** Undefined while empty: most operations have no entries of a kind. */
  #entries: Map<string, Entry> | undefined;

  constructor(rules: TallyRules<Entry>) {
    this.#rules = rules;
  }

  /** Adds an entry to the one with the same key, if any. `source` is the request of its example. */
  add(entry: Readonly<Entry>, source?: RequestSource): void {
    const { key, sums, limit } = this.#rules;
    const entries = this.#entries ??= new Map();
    let id = "";
    for (const name of key) {
      const text = String(entry[name]);
      id += `${text.length} ${text}`; // the lengths make the key unambiguous for any text
    }
    const { firstAt, example }: TalliedMembers = entry;
    const kept: Entry & TalliedMembers | undefined = entries.get(id);
    if (kept === undefined) {
      const ownExample = example && { example: smallerExample(undefined, example, source) };
      const added = Object.fromEntries(
        sums.map((name) => [name, addCounts(0, entry[name] as number)]),
      );
      entries.set(id, { ...entry, ...ownExample, ...added });
      // Cutting at twice the limit makes the cost of sorting constant per entry.
      if (entries.size > 2 * limit) this.#entries = new Map(this.#firstEntries());
      return;
    }
    const counts = kept as Record<string, number>;
    for (const name of sums) {
      counts[name] = addCounts(counts[name] as number, entry[name] as number);
    }
    if (firstAt !== undefined && firstAt < (kept.firstAt ?? Infinity)) kept.firstAt = firstAt;
    if (example !== undefined) kept.example = smallerExample(kept.example, example, source);
  }

  #firstEntries(): (readonly [id: string, entry: Entry])[] {
    const { key, limit, rank } = this.#rules;
    const compare = byMembers<Entry>(key);
    return Array.from(this.#entries ?? [], (entry) => ({ entry, rank: rank?.(entry[1]) ?? 0 }))
      .sort((a, b) => a.rank - b.rank || compare(a.entry[1], b.entry[1]))
      .slice(0, limit).map(({ entry }) => entry);
  }

  /** Returns the entries in sorting order, up to the limit. */
  list(): readonly Readonly<Entry>[] {
    return this.#firstEntries().map(([, entry]) => entry);
  }
}
