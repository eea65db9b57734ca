import { placeKey, type ResponsePartPlace } from "../map/noticed_hits.ts";
import { changesAt } from "./changes.ts";
import type { MutationLevel } from "./levels.ts";
import type { ReachedPart } from "./response_changer.ts";
import type { CandidatePart } from "./search.ts";

const MAX_TESTS = 50;

/** The parts of the responses in one run without changes. */
export class ReachedParts {
  readonly #level: MutationLevel;
  readonly #parts = new Map<string, CandidatePart & { readonly tests: Set<string> }>();

  /** @param level Leaves out parts that are not changed at this level. */
  constructor(level: MutationLevel) {
    this.#level = level;
  }

  /** @param test The test that gets the response, if known. */
  add(parts: readonly ReachedPart[], test?: string): void {
    for (const part of parts) {
      const key = placeKey(part.place);
      const known = this.#parts.get(key);
      const changes = changesAt(part.place.part, this.#level).filter((change) =>
        part.changes.includes(change) || known?.changes.includes(change)
      );
      if (changes.length === 0) continue;
      const tests = known?.tests ?? new Set<string>();
      const hasRoom = test !== undefined && (tests.has(test) || tests.size < MAX_TESTS);
      if (hasRoom) tests.add(test);
      const hasOthers = !hasRoom || known?.hasOthers === true;
      const count = (known?.count ?? 0) + 1;
      this.#parts.set(key, { ...part, changes, count, tests, hasOthers });
    }
  }

  compare(other: ReachedParts): {
    readonly both: readonly (CandidatePart & { readonly tests: ReadonlySet<string> })[];
    readonly one: readonly ResponsePartPlace[];
  } {
    const both: (CandidatePart & { readonly tests: ReadonlySet<string> })[] = [];
    const one: ResponsePartPlace[] = [];
    for (const [key, part] of this.#parts) {
      const counterpart = other.#parts.get(key);
      if (counterpart === undefined) one.push(part.place);
      else {
        const hasOthers = part.hasOthers === true || counterpart.hasOthers === true ||
          [...counterpart.tests].some((test) => !part.tests.has(test));
        const changes = part.changes.filter((change) => counterpart.changes.includes(change));
        both.push({ ...part, changes, count: Math.min(part.count, counterpart.count), hasOthers });
      }
    }
    for (const [key, { place }] of other.#parts) if (!this.#parts.has(key)) one.push(place);
    return { both, one };
  }
}
