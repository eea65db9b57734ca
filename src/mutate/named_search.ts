import {
  type NoticedHits,
  placeKey,
  placesAround,
  type ResponsePlacePart,
  stateOfPart,
} from "../map/noticed_hits.ts";
import { getOrAdd } from "../values/collections.ts";
import { changesAt } from "./changes.ts";
import type { MutationLevel } from "./levels.ts";
import type { Change } from "./response_changer.ts";
import type { PlainPart, RunTests } from "./search.ts";

/** A failure may be chance, so that it has to come again: so often, and where tests were seen to fail without a cause. */
const FAILURES = 2;
const DOUBTFUL_FAILURES = 4;
/** Failures one after the other, after which a run without changes tells whether others are the cause. */
const MAX_STRAIGHT = 3;
/** Runs after which a test that doesn't tell its end is left to the search without names. */
const MAX_SILENT = 2;
/** The expected failures in a group of changes: the one at which a run tells most. */
const BEST_ODDS = Math.LN2;

/** What may be asked of one test: whether it fails with a change. */
interface Question {
  readonly change: Change & { readonly test: string };
  readonly part: PlainPart;
  /** Questions alike get alike answers. */
  readonly kind: string;
}

interface Half {
  readonly group: readonly Question[];
  readonly isFirst: boolean;
  /** True if the test failed because of it, as part of a larger group. */
  readonly isCause: boolean;
}

/** What is known of one test. */
class AskedTest {
  readonly name: string;
  readonly parts: PlainPart[] = [];
  /** Places and changes with which it passed, and how often it failed with others, alone. */
  readonly passed = new Set<string>();
  readonly failures = new Map<string, number>();
  /** Halves of groups with which it failed, the next one last. */
  readonly divided: Half[] = [];
  /** True while a first half is asked, whole: if the test passes, the second one is the cause. */
  isFirstHalf = false;
  straight = 0;
  silent = 0;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Finds changes that tests notice where it is known which test gets a response, and which one fails: each run changes
 * something for every test, and a test that fails notices its own change. It only finds what is noticed; that nobody
 * notices the rest is for a search without names to tell. So are tests that fail because of others, or by chance: they
 * are left out, with their whole file, as soon as that is seen.
 */
export class NamedSearch {
  readonly #parts: readonly PlainPart[];
  readonly #hits: NoticedHits;
  readonly #level: MutationLevel;
  readonly #run: RunTests;
  readonly #onRun: () => void;
  readonly #tests = new Map<string, AskedTest>();
  readonly #byPlace = new Map<string, PlainPart>();
  /** By places: those that some test seems to notice, and the tests that noticed what this search has settled. */
  readonly #suspects = new Map<string, Set<AskedTest>>();
  readonly #settled = new Map<PlainPart, { readonly change: string; readonly by: AskedTest[] }>();
  readonly #odds = new Map<string, { asked: number; failed: number }>();
  #isDoubtful = false;

  /** @param tests The tests that are known to pass without changes, in the order in which they run; others aren't asked. */
  constructor(
    parts: readonly PlainPart[],
    tests: ReadonlySet<string>,
    hits: NoticedHits,
    level: MutationLevel,
    run: RunTests,
    onRun: () => void = () => {},
  ) {
    this.#parts = parts;
    this.#hits = hits;
    this.#level = level;
    this.#run = run;
    this.#onRun = onRun;
    for (const name of tests) this.#tests.set(name, new AskedTest(name));
    for (const part of parts) {
      this.#byPlace.set(placeKey(part.place), part);
      for (const name of part.tests ?? []) this.#tests.get(name)?.parts.push(part);
    }
  }

  /** True if some tests were seen to fail because of others, or by chance. */
  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  /** Asks until no test has more to tell; false if no more runs are allowed. */
  async search(): Promise<boolean> {
    if (this.#tests.size < 2) return true;
    // First one half of the tests gets everything broken, and then the other: who fails in the wrong half needs others.
    for (const half of [0, 1]) {
      const names = [...this.#tests.values()].filter((_, index) => index % 2 === half);
      const groups = new Map(names.map((test) => [test, this.#everything(test)]));
      if (!await this.#ask(groups, true)) return false;
    }
    while (true) {
      const groups = this.#groups();
      if (groups === undefined) return true;
      if (!await this.#ask(groups, false)) return false;
    }
  }

  #everything(test: AskedTest): Question[] {
    return test.parts.filter(({ place: { part } }) => part === "body" || part === "status")
      .flatMap((part) => this.#question(test, part) ?? []);
  }

  /** The changes of the next run; undefined where there is nothing to ask. */
  #groups(): Map<AskedTest, readonly Question[]> | undefined {
    const groups = new Map<AskedTest, readonly Question[]>();
    const load = new Map<string, number>();
    let isResting = false;
    for (const test of this.#tests.values()) {
      if (test.straight >= MAX_STRAIGHT) {
        isResting ||= test.parts.some((part) => this.#question(test, part) !== undefined);
        continue;
      }
      const group = this.#nextGroup(test, load);
      if (group.length === 0) continue;
      groups.set(test, group);
      for (const { change: { place } } of group) {
        load.set(placeKey(place), (load.get(placeKey(place)) ?? 0) + 1);
      }
    }
    return groups.size > 0 || isResting ? groups : undefined;
  }

  #nextGroup(test: AskedTest, load: ReadonlyMap<string, number>): readonly Question[] {
    test.isFirstHalf = false;
    for (let half = test.divided.pop(); half !== undefined; half = test.divided.pop()) {
      const group = half.group.filter(({ part }) => !this.#isNoticed(part.place));
      const isWhole = group.length === half.group.length;
      if (half.isCause && isWhole && group.length > 1) divide(test, group);
      else if (group.length > 0) {
        test.isFirstHalf = half.isFirst && isWhole;
        return group;
      }
    }
    const open = test.parts.flatMap((part) => this.#question(test, part) ?? []).map((question) => ({
      question,
      odds: this.#oddsOf(question.kind),
      load: load.get(placeKey(question.part.place)) ?? 0,
      others: this.#othersOf(question),
    }));
    // What failed once is asked again first; then what few others can tell.
    open.sort((a, b) =>
      this.#failuresOf(test, b.question) - this.#failuresOf(test, a.question) ||
      a.load - b.load || a.others - b.others || b.odds - a.odds
    );
    const group: Question[] = [];
    let sum = 0;
    for (const { question, odds } of open) {
      const isAgain = this.#failuresOf(test, question) > 0;
      if (group.length > 0 && (isAgain || sum + odds > BEST_ODDS)) continue;
      if (group.some((other) => hides(other.change.place, question.change.place))) continue;
      group.push(question);
      sum += odds;
      if (isAgain) break;
    }
    return group;
  }

  /** What a test is asked next of a part; undefined where there is nothing. */
  #question(test: AskedTest, part: PlainPart): Question | undefined {
    const { place } = part;
    if (this.#isNoticed(place) || this.#hits.part(place).reason !== undefined) return undefined;
    const around = placesAround(place).filter((one) => this.#byPlace.has(placeKey(one)));
    const isAsked = around.every((one) =>
      this.#suspects.has(placeKey(one)) || this.#isNoticed(one)
    );
    if (!isAsked) return undefined;
    const changes = changesAt(place.part, this.#level);
    const known = this.#hits.part(place).changes;
    const change = changes.find((one) =>
      !test.passed.has(changeKey(place, one)) && !known.get(one)?.passed
    );
    if (change === undefined) return undefined;
    const isDull = around.some((one) =>
      changesAt(one.part, this.#level).some((name) => test.passed.has(changeKey(one, name)))
    );
    const isAgain = change !== changes[0];
    const kind = isDull ? "dull" : isAgain ? "again" : place.part;
    return { change: { place, change, test: test.name }, part, kind };
  }

  /** The number of tests that may still notice it. */
  #othersOf({ part, change: { place, change } }: Question): number {
    let others = 0;
    for (const name of part.tests ?? []) {
      const test = this.#tests.get(name);
      if (test !== undefined && !test.passed.has(changeKey(place, change))) others++;
    }
    return others;
  }

  #isNoticed(place: ResponsePlacePart): boolean {
    return stateOfPart(this.#hits.find(place)) === "noticed";
  }

  #failuresOf(test: AskedTest, { change: { place, change } }: Question): number {
    return test.failures.get(changeKey(place, change)) ?? 0;
  }

  #oddsOf(kind: string): number {
    const { asked, failed } = this.#odds.get(kind) ?? { asked: 0, failed: 0 };
    const guess = kind === "dull" ? 0.02 : kind === "again" ? 0.05 : 0.5;
    return (failed + 2 * guess) / (asked + 2);
  }

  #count(group: readonly Question[], failed: 0 | 1): void {
    for (const { kind } of group) {
      const odds = getOrAdd(this.#odds, kind, () => ({ asked: 0, failed: 0 }));
      odds.asked++;
      odds.failed += failed / group.length;
    }
  }

  /** Runs the tests, each with its group of changes, and notes what that says; false if no more runs are allowed. */
  async #ask(
    groups: ReadonlyMap<AskedTest, readonly Question[]>,
    isFirst: boolean,
  ): Promise<boolean> {
    const asked = [...groups.values()].flat();
    this.#onRun();
    const result = await this.#run(asked.map(({ change }) => change));
    if (result === undefined) return false;
    for (const [name, test] of [...this.#tests]) {
      // Another one of its file may have been left out by now.
      if (this.#tests.get(name) !== test) continue;
      const group = groups.get(test) ?? [];
      const made = group.filter(({ change }) => (result.applied.get(change) ?? 0) > 0);
      const passed = ownOutcome(result.outcomes, name);
      if (passed === undefined) {
        if (++test.silent >= MAX_SILENT) this.#tests.delete(name);
        else if (!isFirst && group.length > 0) {
          test.divided.push({ group, isFirst: false, isCause: false });
        }
        continue;
      }
      test.straight = passed ? 0 : test.straight + 1;
      if (made.length === 0 && !passed) this.#leaveOut(test);
      else if (group.length === 0) continue;
      else if (passed) this.#notePass(test, group, made);
      else if (isFirst) continue;
      else {
        if (!made.some((question) => this.#failuresOf(test, question) > 0)) this.#count(made, 1);
        if (made.length > 1) divide(test, made);
        else for (const question of made) this.#noteFailure(test, question);
      }
    }
    return true;
  }

  #notePass(
    test: AskedTest,
    group: readonly Question[],
    made: readonly Question[],
  ): void {
    if (made.some((question) => this.#failuresOf(test, question) > 0)) {
      this.#leaveOut(test);
      return;
    }
    for (const question of group) {
      const { place, change } = question.change;
      test.passed.add(changeKey(place, change));
    }
    this.#count(made, 0);
    if (!test.isFirstHalf || made.length < group.length) return;
    const second = test.divided.pop();
    const [only] = second?.group ?? [];
    if (second === undefined || only === undefined) return;
    if (second.group.length > 1) test.divided.push({ ...second, isCause: true });
    else this.#noteFailure(test, only);
  }

  #noteFailure(test: AskedTest, question: Question): void {
    const { part, change: { place, change } } = question;
    const key = changeKey(place, change);
    const failures = this.#failuresOf(test, question) + 1;
    test.failures.set(key, failures);
    getOrAdd(this.#suspects, placeKey(place), () => new Set()).add(test);
    const by = [...this.#tests.values()].filter((one) => one.failures.has(key));
    const seen = by.reduce((sum, one) => sum + (one.failures.get(key) ?? 0), 0);
    if (seen < this.#needed()) return;
    if (!this.#settled.has(part)) {
      this.#hits.add(place, change, { runs: seen, noticed: 1 });
    }
    this.#settled.set(part, { change, by });
    for (const { name } of by) this.#hits.part(place).noticedBy.add(name);
  }

  #needed(): number {
    return this.#isDoubtful ? DOUBTFUL_FAILURES : FAILURES;
  }

  /** Forgets what the tests of a file said, one of which failed because of another one, or by chance. */
  #leaveOut({ name: cause }: AskedTest): void {
    const file = fileOf(cause);
    for (const [name, test] of [...this.#tests]) {
      if (fileOf(name) !== file) continue;
      this.#tests.delete(name);
      for (const [key, tests] of this.#suspects) {
        if (tests.delete(test) && tests.size === 0) this.#suspects.delete(key);
      }
    }
    this.#isDoubtful = true;
    // What rests on too little now has to be seen again.
    for (const [part, { change, by }] of [...this.#settled]) {
      const left = by.filter(({ name }) => this.#tests.has(name));
      const key = changeKey(part.place, change);
      const seen = left.reduce((sum, one) => sum + (one.failures.get(key) ?? 0), 0);
      if (seen >= this.#needed()) continue;
      this.#settled.delete(part);
      const hits = this.#hits.part(part.place);
      hits.changes.delete(change);
      for (const { name } of by) hits.noticedBy.delete(name);
    }
  }
}

/** Whether a test passed; unknown where a step of it failed, and so the test did. */
function ownOutcome(
  outcomes: ReadonlyMap<string, boolean> | undefined,
  name: string,
): boolean | undefined {
  const passed = outcomes?.get(name);
  if (passed !== false) return passed;
  const steps = `${name} > `;
  const isOfStep = [...outcomes ?? []].some(([other, ok]) => !ok && other.startsWith(steps));
  return isOfStep ? undefined : false;
}

function divide(test: AskedTest, group: readonly Question[]): void {
  const left = group.slice(0, group.length >> 1);
  test.divided.push(
    { group: group.slice(left.length), isFirst: false, isCause: false },
    { group: left, isFirst: true, isCause: false },
  );
}

/** True if one change may keep another one from being made, or from being looked at. */
function hides(one: ResponsePlacePart, other: ResponsePlacePart): boolean {
  if (one.operation !== other.operation || one.response !== other.response) return false;
  if (one.part === "status" || other.part === "status") return true;
  return one.path === other.path ||
    placesAround(one).some((place) => placeKey(place) === placeKey(other)) ||
    placesAround(other).some((place) => placeKey(place) === placeKey(one));
}

function changeKey(place: ResponsePlacePart, change: string): string {
  return `${placeKey(place)} ${change}`;
}

/** The file of a test, by its name in reports. */
function fileOf(test: string): string {
  return test.split(/ > |::/, 1)[0] ?? "";
}
