import type { ResponsePartPlace } from "../map/noticed_hits.ts";
import { getOrAdd } from "../values/collections.ts";
import type { Question, TestState } from "./test_state.ts";

/** The weight, in answers, of the odds for all tests beside a test's own answers. */
const COMMON_WEIGHT = 2;

export class NoticeOdds {
  readonly #kinds = new Map<string, { asked: number; failed: number }>();

  /** The probability that a test notices a change, by its answers about the response, and all answers of the kind. */
  of(test: TestState, { kind, key, part: { place } }: Question): number {
    const { asked, failed } = this.#kinds.get(kind) ?? { asked: 0, failed: 0 };
    const guess = kind === "dull" ? 0.02 : kind === "again" ? 0.05 : 0.5;
    const odds = (failed + 2 * guess) / (asked + 2);
    if (kind === "dull" || kind === "again") return odds;
    const { known = 0, noticed = 0 } = test.answers.get(answersKey(place)) ?? {};
    const self = test.failures.has(key) ? 1 : 0;
    const responseOdds = (noticed - self + COMMON_WEIGHT * odds) / (known - self + COMMON_WEIGHT);
    if (place.part !== "status") return responseOdds;
    let [total, totalNoticed] = [-self, -self];
    for (const { known, noticed } of test.answers.values()) {
      total += known;
      totalNoticed += noticed;
    }
    return (totalNoticed + COMMON_WEIGHT * responseOdds) / (total + COMMON_WEIGHT);
  }

  /** The probability that no other test notices a change. */
  soleOdds(test: TestState, question: Question, tests: ReadonlyMap<string, TestState>): number {
    let odds = 1;
    for (const name of question.part.tests ?? []) {
      const other = tests.get(name);
      if (other === undefined || other === test || other.passed.has(question.key)) continue;
      odds *= 1 - this.of(other, question);
    }
    return odds;
  }

  /** Counts an answer; negative numbers take one back. */
  count(test: TestState, { kind, part: { place } }: Question, noticed: number, known = 1): void {
    const odds = getOrAdd(this.#kinds, kind, () => ({ asked: 0, failed: 0 }));
    odds.asked += known;
    odds.failed += noticed;
    if (kind === "dull" || kind === "again") return;
    const answers = getOrAdd(test.answers, answersKey(place), () => ({ known: 0, noticed: 0 }));
    answers.known += known;
    answers.noticed += noticed;
  }
}

/** Groups answers: tests that assert one status, or one body, mostly assert all; other parts depend on the response. */
function answersKey({ operation, response, part }: ResponsePartPlace): string {
  return part === "status" || part === "body" ? part : `${operation} ${response}`;
}
