import { byMembers } from "../values/collections.ts";
import { addCounts } from "../values/errors.ts";
import { type EvidenceExample, type RequestSource, smallerExample } from "./evidence.ts";

/** Rules for identifying, sorting and adding up entries of one kind. */
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
interface Tallied {
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
  add(one: Readonly<Entry>, source?: RequestSource): void {
    const { key, sums, limit } = this.#rules;
    const entries = this.#entries ??= new Map();
    let id = "";
    for (const name of key) {
      const text = String(one[name]);
      id += `${text.length} ${text}`; // the lengths make the key unambiguous for any text
    }
    const { firstAt, example }: Tallied = one;
    const known: Entry & Tallied | undefined = entries.get(id);
    if (known === undefined) {
      const first = example && { example: smallerExample(undefined, example, source) };
      const added = Object.fromEntries(
        sums.map((name) => [name, addCounts(0, one[name] as number)]),
      );
      entries.set(id, { ...one, ...first, ...added });
      // Cutting at twice the limit makes the cost of sorting constant per entry.
      if (entries.size > 2 * limit) this.#entries = new Map(this.#first());
      return;
    }
    const counts = known as Record<string, number>;
    for (const name of sums) counts[name] = addCounts(counts[name] as number, one[name] as number);
    if (firstAt !== undefined && firstAt < (known.firstAt ?? Infinity)) known.firstAt = firstAt;
    if (example !== undefined) known.example = smallerExample(known.example, example, source);
  }

  #first(): (readonly [id: string, entry: Entry])[] {
    const { key, limit, rank } = this.#rules;
    const compare = byMembers<Entry>(key);
    return Array.from(this.#entries ?? [], (one) => ({ one, rank: rank?.(one[1]) ?? 0 }))
      .sort((a, b) => a.rank - b.rank || compare(a.one[1], b.one[1]))
      .slice(0, limit).map(({ one }) => one);
  }

  /** Returns the entries in sorting order, up to the limit. */
  list(): readonly Readonly<Entry>[] {
    return this.#first().map(([, entry]) => entry);
  }
}
