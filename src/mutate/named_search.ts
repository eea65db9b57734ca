import {
  enclosingPlaces,
  type NoticedHits,
  noticedState,
  placeKey,
  type ResponsePartPlace,
} from "../map/noticed_hits.ts";
import { appendTo, getOrAdd } from "../values/collections.ts";
import {
  type ChangeFailures,
  explainsAll,
  type FailedGroup,
  hasBit,
  isUnlikely,
  nextGroup,
  type OpenQuestion,
  type Question,
  TestState,
} from "./test_state.ts";
import { NoticeOdds } from "./notice_odds.ts";
import { changeKey } from "./response_changer.ts";
import type { CandidatePart, RunResult, RunTests } from "./search.ts";

/** The highest accepted probability that a verdict "noticed" is due to chance. */
const MAX_CHANCE = 2e-3;
/** The number of failures that is enough as long as no test has failed by chance. */
const FAILURES = 2;
/** The weight, in runs, of the rate at which all tests fail by chance, beside a test's own rate. */
const COMMON_WEIGHT = 10;
/** The chance failures after which a test is left to the search without names: their number, and share of its runs. */
const MAX_FLAKES = 4;
const MAX_FLAKE_RATE = 0.4;
/** The number of failures without a pass after which a test is checked for a dependency on another one. */
const MAX_ONLY_FAILURES = 3;
const MAX_RESTS = 2;
/** The factor by which a dependency is more likely if a test fails only together with the other one. */
const JOINT_FACTOR = 4;
/** The expected failures of all unlikely questions up to which these are left to the search without names. */
const MAX_EXPECTED = 0.3;
/** The number of runs without a result after which a test is left to the search without names. */
const MAX_SILENT = 2;
const MAX_PEERS = 6;

/**
 * Finds changes that tests notice, where it is known which test gets a response and which test fails: each run changes
 * something for every test. A test that fails has noticed its own change; a test that passes clears all changes that it
 * was given. A change with which all tests of a part have passed is unnoticed.
 *
 * A failure counts only if it is the test's own, caused neither by a test before it in its file nor by chance. Fewer
 * failures are enough the more likely the test is to notice the part, and the less often tests fail by chance.
 */
export class NamedSearch {
  readonly #hits: NoticedHits;
  readonly #run: RunTests;
  readonly #onRun: () => void;
  readonly #tests = new Map<string, TestState>();
  readonly #partByPlace = new Map<string, CandidatePart>();
  readonly #noticing = new Map<CandidatePart, Set<TestState>>();
  readonly #verdicts = new Map<CandidatePart, string>();
  readonly #odds = new NoticeOdds();
  #runs = 0;
  /** The probability that a test depends on a given one before it. */
  #dependence = 0.5;
  #flakes = 0;
  /** The number of runs of single tests that passed; at first, the two runs of each without changes. */
  #passes: number;

  /** @param tests The tests that are known to pass without changes, in the order in which they run; others aren't asked. */
  constructor(
    parts: readonly CandidatePart[],
    tests: ReadonlySet<string>,
    hits: NoticedHits,
    run: RunTests,
    onRun: () => void = () => {},
  ) {
    this.#hits = hits;
    this.#run = run;
    this.#onRun = onRun;
    this.#passes = 2 * tests.size;
    const files = new Map<string, TestState[]>();
    for (const name of tests) {
      const peers = files.get(testFile(name))?.slice(-MAX_PEERS) ?? [];
      const test = new TestState(name, this.#tests.size, peers);
      appendTo(files, testFile(name), test);
      this.#tests.set(name, test);
    }
    for (const part of parts) {
      this.#partByPlace.set(placeKey(part.place), part);
      for (const name of part.tests ?? []) this.#tests.get(name)?.parts.push(part);
    }
  }

  /** True if a test isn't left to the search without names. */
  isAsked(test: string): boolean {
    return this.#tests.has(test);
  }

  /** Runs tests until no questions are left; returns false if no more runs are allowed. */
  async search(): Promise<boolean> {
    if (this.#tests.size < 2) return true;
    while (true) {
      const groups = this.#chooseGroups();
      const asked = [...groups.values()].flat();
      if (asked.length === 0) return true;
      this.#onRun();
      const result = await this.#run(asked.map(({ change }) => change));
      if (result === undefined) return false;
      this.#addResult(groups, result);
      this.#runs++;
    }
  }

  /** Chooses the changes for the next run, by test; none if no questions are left. */
  #chooseGroups(): Map<TestState, readonly Question[]> {
    const groups = new Map<TestState, readonly Question[]>();
    const missOdds = new Map<string, number>();
    const resting = new Set<TestState>();
    const idle = new Map<TestState, readonly OpenQuestion[]>();
    let isWaiting = false;
    const tests = [...this.#tests.values()].sort((a, b) => b.waitedRuns - a.waitedRuns)
      .map((test) => ({ test, all: this.#openQuestions(test) }));
    const unlikely = tests.flatMap(({ all }) => all).filter(isUnlikely);
    const hasMany = unlikely.reduce((sum, { odds }) => sum + odds, 0) > MAX_EXPECTED;
    for (const { test, all: questions } of tests) {
      const needed = test.unexplained.length > 0 ? test.suspects : [];
      if (resting.has(test) || needed.some((one) => groups.has(one))) {
        test.waitedRuns++;
        isWaiting = true;
        continue;
      }
      if (this.#shouldRest(test, groups)) {
        test.restRuns++;
        isWaiting = true;
        continue;
      }
      const open = hasMany ? questions : questions.filter((one) => !isUnlikely(one));
      const sole = ({ question, soleOdds }: OpenQuestion) =>
        soleOdds * (missOdds.get(question.key) ?? 1);
      const isBody = ({ question }: OpenQuestion) =>
        Number(this.#runs === 0 && question.kind === "body");
      open.sort((a, b) =>
        a.failures - b.failures || isBody(b) - isBody(a) || sole(b) - sole(a) || b.odds - a.odds
      );
      const group = nextGroup(open, test.suspects.some((one) => groups.has(one)));
      if (group.length === 0) {
        idle.set(test, questions);
        continue;
      }
      test.waitedRuns = 0;
      groups.set(test, group);
      const isAgain = group.some(({ key }) => test.failures.has(key));
      for (const one of isAgain ? test.suspects : needed) resting.add(one);
      for (const question of group) {
        const odds = this.#odds.of(test, question);
        missOdds.set(question.key, (missOdds.get(question.key) ?? 1) * (1 - odds));
      }
    }
    if (groups.size === 0 && !isWaiting) return groups;
    for (const test of resting) idle.delete(test);
    this.#fillIdle(groups, idle);
    return groups;
  }

  /** Gives idle tests unlikely questions, or else changes that they have noticed, to confirm these. */
  #fillIdle(
    groups: Map<TestState, readonly Question[]>,
    idle: ReadonlyMap<TestState, readonly OpenQuestion[]>,
  ): void {
    for (const [test, questions] of idle) {
      const group = nextGroup(questions, true);
      if (group.length > 0) groups.set(test, group);
      else if (!test.suspects.some((one) => groups.has(one))) {
        const noticed = [...test.failures.values()].filter(({ runs }) => runs.length < FAILURES)
          .sort((a, b) => a.runs.length - b.runs.length)[0];
        if (noticed !== undefined) groups.set(test, [noticed.question]);
      }
    }
  }

  /** True if a test should run without a change, to see if it fails because of others. */
  #shouldRest(test: TestState, groups: ReadonlyMap<TestState, readonly Question[]>): boolean {
    if (test.failures.size + test.groups.length < MAX_ONLY_FAILURES || test.passed.size > 0) {
      return false;
    }
    if (JOINT_FACTOR * this.#dependence < MAX_CHANCE || test.restRuns >= MAX_RESTS) return false;
    const suspects = test.suspects.filter((one) => explainsAll(one, test));
    const asked = suspects.filter((one) => groups.has(one)).length;
    if (suspects.length > 0) return 2 * asked >= suspects.length;
    return test.passedIn === 0n && groups.size > 0 && (this.#runs + test.index) % 2 === 0;
  }

  #estimateDependency(): number {
    let [pairs, dependent] = [0, 0.5];
    for (const { peers, passedIn, unexplained } of this.#tests.values()) {
      for (const { failedIn } of peers) if (failedIn & passedIn) pairs++;
      if (unexplained.length > 0) dependent++;
    }
    return dependent / (pairs + dependent + 0.5);
  }

  #openQuestions(test: TestState): OpenQuestion[] {
    return test.parts.flatMap((part) => this.#nextQuestion(test, part) ?? []).map((question) => {
      let odds = this.#odds.of(test, question);
      for (const { questions } of test.groups) {
        if (!questions.some(({ key }) => key === question.key)) continue;
        const none = questions.reduce((none, one) => none * (1 - this.#odds.of(test, one)), 1);
        odds = Math.max(odds, this.#odds.of(test, question) / (1 - none));
      }
      const soleOdds = this.#odds.soleOdds(test, question, this.#tests);
      const failures = test.failures.get(question.key)?.runs.length ?? 0;
      return { question, odds, soleOdds, failures };
    });
  }

  #nextQuestion(test: TestState, part: CandidatePart): Question | undefined {
    const { place } = part;
    if (this.#isNoticed(place) || this.#hits.part(place).reason !== undefined) return undefined;
    const outer = enclosingPlaces(place).flatMap((one) =>
      this.#partByPlace.get(placeKey(one)) ?? []
    );
    const isAsked = outer.every((one) => this.#noticing.has(one) || this.#isNoticed(one.place));
    if (!isAsked) return undefined;
    const { changes } = part;
    const tried = this.#hits.part(place).changes;
    const change = changes.find((one) =>
      !test.passed.has(changeKey(place, one)) && !tried.get(one)?.passed
    );
    if (change === undefined) return undefined;
    const isDull = outer.some((one) =>
      one.changes.some((name) => test.passed.has(changeKey(one.place, name)))
    );
    const isAgain = change !== changes[0];
    const kind = isDull ? "dull" : isAgain ? "again" : place.part;
    const key = changeKey(place, change);
    return { change: { place, change, test: test.name }, part, key, kind };
  }

  #isNoticed(place: ResponsePartPlace): boolean {
    return noticedState(this.#hits.find(place)) === "noticed";
  }

  #addResult(groups: ReadonlyMap<TestState, readonly Question[]>, result: RunResult): void {
    const run = this.#runs;
    const bit = 1n << BigInt(run);
    const outcomes = [...this.#tests.values()].map((test) => {
      const passed = ownOutcome(result.outcomes, test.name);
      if (passed === true) test.passedIn |= bit;
      if (passed === false) test.failedIn |= bit;
      return { test, passed };
    });
    for (const { test, passed } of outcomes) {
      const group = groups.get(test) ?? [];
      const applied = group.filter(({ change }) => (result.applied.get(change) ?? 0) > 0);
      if (passed === undefined) {
        // A run that was stopped, or that another test has broken, has no results of tests that it didn't reach.
        if (applied.length > 0 && ++test.silentRuns >= MAX_SILENT) this.#tests.delete(test.name);
        continue;
      }
      test.runs++;
      if (passed) {
        this.#passes++;
        this.#notePass(test, group, applied);
      } else if (applied.length === 0) test.unexplained.push(run);
      else if (test.unexplained.length > 0 && !test.isOwnFailure(run)) continue;
      else this.#noteFailure(test, { run, questions: applied });
    }
    for (const { test } of outcomes) this.#countFlakes(test);
    this.#dependence = this.#estimateDependency();
    this.#updateVerdicts();
  }

  #notePass(test: TestState, group: readonly Question[], applied: readonly Question[]): void {
    for (const question of group) {
      test.passed.add(question.key);
      const failed = test.failures.get(question.key);
      if (failed === undefined) continue;
      test.unexplained.push(...failed.runs);
      this.#odds.count(test, question, -1, -1);
      test.failures.delete(question.key);
      this.#noticing.get(question.part)?.delete(test);
    }
    for (const question of applied) {
      this.#odds.count(test, question, 0);
      const { part, key, change: { place, change } } = question;
      const isCleared = !part.hasOthers &&
        [...part.tests ?? []].every((name) => this.#tests.get(name)?.passed.has(key));
      if (isCleared) this.#hits.add(place, change, { runs: 1, passed: 1 });
    }
    for (const failed of test.groups.splice(0)) this.#noteFailure(test, failed);
  }

  /** Records a failed group, without changes that were cleared meanwhile. */
  #noteFailure(test: TestState, { run, questions }: FailedGroup): void {
    const candidates = questions.filter(({ key }) => !test.passed.has(key));
    const [single] = candidates;
    if (single === undefined) test.unexplained.push(run);
    else if (candidates.some(({ key }) => test.failures.has(key)) && candidates.length > 1) return;
    else if (candidates.length > 1) test.groups.push({ run, questions: candidates });
    else {
      if (!test.failures.has(single.key)) this.#odds.count(test, single, 1);
      getOrAdd(test.failures, single.key, () => ({ question: single, runs: [] })).runs.push(run);
      getOrAdd(this.#noticing, single.part, () => new Set()).add(test);
      test.groups = test.groups.filter(({ questions }) => !questions.includes(single));
    }
  }

  /** Counts failures that no test before explains as chance, and drops a test with too many of these. */
  #countFlakes(test: TestState): void {
    const chanceRuns = test.unexplained.filter((run) => test.isOwnFailure(run));
    if (chanceRuns.length === 0) return;
    test.unexplained = test.unexplained.filter((run) => !chanceRuns.includes(run));
    this.#flakes += chanceRuns.length;
    test.flakes += chanceRuns.length;
    if (test.flakes < MAX_FLAKES || test.flakes < MAX_FLAKE_RATE * test.runs) return;
    this.#tests.delete(test.name);
    for (const tests of this.#noticing.values()) tests.delete(test);
  }

  /** The probability that a test fails by chance a number of times. */
  #failureChance(test: TestState, failures: number): number {
    const rate = (this.#flakes + 1) / (this.#flakes + this.#passes + 2);
    let chance = 1;
    for (let index = 0; index < failures; index++) {
      chance *= (COMMON_WEIGHT * rate + test.flakes + index) / (COMMON_WEIGHT + test.runs + index);
    }
    return chance;
  }

  /** The probability that a test failed in some runs by chance, or because of another one. */
  #failureDoubt(test: TestState, { question, runs }: ChangeFailures): number {
    const odds = this.#odds.of(test, question);
    let doubt = Math.min(1, this.#failureChance(test, runs.length) * (1 - odds) / odds);
    for (const suspect of test.suspects) {
      const others = runs.filter((run) => !hasBit(suspect.failedIn, run)).length;
      if (others === runs.length) continue;
      const isNeeded = test.unexplained.some((run) => hasBit(suspect.failedIn, run));
      const odds = this.#dependence * (explainsAll(suspect, test) ? JOINT_FACTOR : 1);
      doubt += (isNeeded ? 1 : Math.min(1, odds)) * this.#failureChance(test, others);
    }
    return doubt;
  }

  /** Adds verdicts that enough failures support, and withdraws those that no longer have enough support. */
  #updateVerdicts(): void {
    for (const [part, tests] of this.#noticing) {
      if (tests.size === 0) this.#noticing.delete(part);
      const { place } = part;
      let verdict: string | undefined;
      for (const change of part.changes) {
        const key = changeKey(place, change);
        let [failures, ownFailures, doubt] = [0, 0, 1];
        for (const test of tests) {
          const failed = test.failures.get(key);
          if (failed === undefined) continue;
          failures += failed.runs.length;
          ownFailures += failed.runs.filter((run) => test.isOwnFailure(run)).length;
          doubt *= this.#failureDoubt(test, failed);
        }
        const isSure = doubt < MAX_CHANCE || this.#flakes === 0 && ownFailures >= FAILURES;
        if (isSure) verdict ??= change;
        else if (this.#verdicts.get(part) === change) this.#withdraw(part, change);
        if (verdict === change && !this.#verdicts.has(part)) {
          this.#hits.add(place, change, { runs: failures, noticed: 1 });
          this.#verdicts.set(part, change);
        }
      }
      if (!this.#verdicts.has(part)) continue;
      const { noticedBy } = this.#hits.part(place);
      noticedBy.clear();
      for (const test of tests) noticedBy.add(test.name);
    }
  }

  #withdraw(part: CandidatePart, change: string): void {
    this.#verdicts.delete(part);
    const hits = this.#hits.part(part.place);
    hits.changes.delete(change);
    hits.noticedBy.clear();
  }
}

/** True if a test passed; undefined if unknown, or if it failed just because one of its steps did. */
function ownOutcome(
  outcomes: ReadonlyMap<string, boolean> | undefined,
  name: string,
): boolean | undefined {
  const passed = outcomes?.get(name);
  if (passed !== false) return passed;
  const steps = `${name} > `;
  const isStepFailure = [...outcomes ?? []].some(([other, ok]) => !ok && other.startsWith(steps));
  return isStepFailure ? undefined : false;
}

function testFile(test: string): string {
  return test.split(/ > |::/, 1)[0] ?? "";
}
