import { byMembers } from "../values/collections.ts";
import { addCounts } from "../values/errors.ts";
import { type EvidenceExample, type RequestSource, smallerExample } from "./evidence.ts";

/** How entries of one kind are told apart, sorted and added up. */
export interface TallyRules<Entry> {
  /** The members that name an entry; entries are sorted by them, in this order. */
  readonly key: readonly (keyof Entry & string)[];
  /** The members whose numbers are added. */
  readonly sums: readonly (keyof Entry & string)[];
  /** The most entries to keep: the first ones, whatever the order in which they come. */
  readonly limit: number;
  /** Sorts entries before their names do. */
  readonly rank?: (entry: Entry) => number;
}

/** What entries may have beside their sums: the first time is kept, and the smallest example. */
interface Tallied {
  firstAt?: number;
  example?: EvidenceExample | undefined;
}

/** Counts by name, of the names that come first up to a limit: collecting is commutative, merging associative. */
export class Tallies<Entry extends object> {
  readonly #rules: TallyRules<Entry>;
  /** Undefined until there is one: most operations have nothing of a kind. */
  #entries: Map<string, Entry> | undefined;

  constructor(rules: TallyRules<Entry>) {
    this.#rules = rules;
  }

  /** Adds an entry to the one of its name; `source` is the request of its example. */
  add(one: Readonly<Entry>, source?: RequestSource): void {
    const { key, sums, limit } = this.#rules;
    const entries = this.#entries ??= new Map();
    let id = "";
    for (const name of key) {
      const text = String(one[name]);
      id += `${text.length} ${text}`; // the lengths make it unambiguous, whatever the texts hold
    }
    const { firstAt, example }: Tallied = one;
    const known: Entry & Tallied | undefined = entries.get(id);
    if (known === undefined) {
      const first = example && { example: smallerExample(undefined, example, source) };
      const added = Object.fromEntries(
        sums.map((name) => [name, addCounts(0, one[name] as number)]),
      );
      entries.set(id, { ...one, ...first, ...added });
      // Twice the limit before cutting, so that sorting costs a constant per entry.
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

  /** The entries in their order, up to the limit. */
  list(): readonly Readonly<Entry>[] {
    return this.#first().map(([, entry]) => entry);
  }
}
