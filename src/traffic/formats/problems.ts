/** A problem that came at least once. */
export interface ProblemKind {
  readonly what: string;
  /** The number of times that it came. */
  readonly count: number;
  /** The first place. */
  readonly first: string;
}

/** Longer places are shortened in the middle: the ends say which entry it is, and what of it. */
const LONGEST_PLACE = 200;

/**
 * Counts the problems of a recording by kind, so that a file with a thousand of them has one sentence.
 *
 * @example
 * ```ts
 * import { Problems } from "./problems.ts";
 * import assert from "node:assert/strict";
 *
 * const problems = new Problems("traffic.json");
 * problems.add("`timestamp` is not a number of seconds and is ignored", "interactions[2].timestamp");
 * problems.add("`timestamp` is not a number of seconds and is ignored", "interactions[5].timestamp");
 * assert.deepEqual(problems.sentences(), [
 *   "traffic.json: `timestamp` is not a number of seconds and is ignored (2 times, first at interactions[2].timestamp).",
 * ]);
 * ```
 */
export class Problems {
  /** The name of the recording in errors and warnings. */
  readonly location: string;
  readonly #kinds = new Map<string, { count: number; readonly first: string }>();

  /** Begins without problems; every sentence begins with the location. */
  constructor(location: string) {
    this.location = location;
  }

  /** Counts a problem; of those that say the same only the first place is kept. */
  add(what: string, place: string): void {
    const known = this.#kinds.get(what);
    if (known === undefined) this.#kinds.set(what, { count: 1, first: shortened(place) });
    else known.count++;
  }

  /** Every kind, in the order in which they first came. */
  kinds(): ProblemKind[] {
    return [...this.#kinds].map(([what, { count, first }]) => ({ what, count, first }));
  }

  /** Adds a kind that was counted elsewhere; what was added before comes first. */
  addKind({ what, count, first }: ProblemKind): void {
    const known = this.#kinds.get(what);
    if (known === undefined) this.#kinds.set(what, { count, first });
    else known.count += count;
  }

  /** One sentence for each kind, in the order in which they first came. */
  sentences(): string[] {
    return [...this.#kinds].map(([what, { count, first }]) => {
      const where = count === 1
        ? `at ${first}`
        : `${count.toLocaleString("en-US")} times, first at ${first}`;
      return `${this.location}: ${what} (${where}).`;
    });
  }
}

function shortened(place: string): string {
  if (place.length <= LONGEST_PLACE) return place;
  const half = LONGEST_PLACE / 2;
  return `${place.slice(0, half)}…${place.slice(-half)}`;
}
