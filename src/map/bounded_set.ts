import { getOrAdd } from "../values/collections.ts";

/** Keeps the first entries of an order, at most `limit`: collecting is commutative, merging associative. */
export class BoundedSet<Entry> {
  readonly #limit: number;
  readonly #compare: (a: Entry, b: Entry) => number;
  readonly #entries = new Map<string, Entry>();

  /** `compare` has to tell entries with different keys apart, by what they have when they are made. */
  constructor(limit: number, compare: (a: Entry, b: Entry) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  /** The entry of a key, to add to; makes one if the key never had one or lost it. */
  at(key: string, make: () => Entry): Entry {
    const entry = getOrAdd(this.#entries, key, make);
    // Twice the limit before cutting, so that sorting costs a constant per entry.
    if (this.#entries.size > 2 * this.#limit) this.#cut();
    return entry;
  }

  #cut(): void {
    const kept = [...this.#entries].sort(([, a], [, b]) => this.#compare(a, b)).slice(
      0,
      this.#limit,
    );
    this.#entries.clear();
    for (const [key, entry] of kept) this.#entries.set(key, entry);
  }

  list(): Entry[] {
    return [...this.#entries.values()].sort(this.#compare).slice(0, this.#limit);
  }
}

/** Orders text by its UTF-16 units, the same on every platform and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
