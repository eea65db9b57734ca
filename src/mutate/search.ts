import { enclosingPlaces, type NoticedHits, noticedState, placeKey } from "../map/noticed_hits.ts";
import { type Change, changeKey, type ReachedPart } from "./response_changer.ts";

export interface RunResult {
  readonly passed: boolean;
  readonly timedOut: boolean;
  /** The number of responses in which each change was made; absent ones were made in none. */
  readonly applied: ReadonlyMap<Change, number>;
  /** By test, true if it passed; absent if recorders don't report results. */
  readonly outcomes?: ReadonlyMap<string, boolean>;
}

/** Runs the tests with changes; returns undefined if no more runs are allowed. */
export type RunTests = (changes: readonly Change[]) => Promise<RunResult | undefined>;

export interface SearchProgress {
  readonly noticed: number;
  readonly unnoticed: number;
  readonly not_tried: number;
}

export interface CandidatePart extends ReachedPart {
  /** The number of responses that have the part, in a run without changes. */
  readonly count: number;
  /** The known tests that get these responses. */
  readonly tests?: ReadonlySet<string>;
  /** True if other tests, or unknown ones, get them, too. */
  readonly hasOthers?: boolean;
}

/** The failures needed for a verdict, as each may be chance: at first; `FLAKY_…` once tests have failed by chance. */
const FAILURES = 2;
const FLAKY_FAILURES = 5;
const MAX_FAILURES = 12;
/** The accepted probability that a verdict is chance: at first; `MAX_FLAKY_…` once tests have failed by chance. */
const MAX_CHANCE = 3e-4;
const MAX_FLAKY_CHANCE = 1e-5;
/** The number of runs without a chance failure after which {@linkcode FAILURES} are enough. */
const SURE_PASSES = 56;
const MAX_GROUP = 256;

/** The most repeats of a failed run, until each test has passed in one of them. */
const MAX_REPEATS = 4;

class RunsEnded extends Error {}

/**
 * Finds changes that tests notice, without knowing which test fails: groups of changes are tried together. A run that
 * passes clears its whole group; the group of a failed run is divided until the change is found.
 */
export class MutationSearch {
  readonly #run: RunTests;
  readonly #hits: NoticedHits;
  readonly #parts: readonly CandidatePart[];
  readonly #onRun: () => void;
  readonly #counts = new Map<string, number>();
  /** By noticed change, the number of failed runs that it explains. */
  readonly #failures = new Map<Change, number>();
  readonly #hasNamedSearch: boolean;
  #groupSize = 4;
  /** The number of runs that failed by chance, and of runs that passed. */
  #flakes = 0;
  #passes = 2;

  /**
   * @param hits Receives the results; parts that have a verdict there aren't tried again.
   * @param onRun Called before each run.
   * @param hasNamedSearch True if a search by names has found most of what is noticed.
   */
  constructor(
    parts: readonly CandidatePart[],
    hits: NoticedHits,
    run: RunTests,
    onRun: () => void = () => {},
    hasNamedSearch = false,
  ) {
    this.#hasNamedSearch = hasNamedSearch;
    this.#parts = parts;
    this.#hits = hits;
    this.#run = run;
    this.#onRun = onRun;
    for (const { place, count } of parts) this.#counts.set(placeKey(place), count);
  }

  get isFlaky(): boolean {
    return this.#flakes > 0;
  }

  get progress(): SearchProgress {
    const counts = { noticed: 0, unnoticed: 0, not_tried: 0 };
    for (const { place } of this.#parts) counts[noticedState(this.#hits.find(place))]++;
    return counts;
  }

  /** Tries changes until all are tried or no more runs are allowed; true if all were tried. */
  async search(): Promise<boolean> {
    try {
      if (this.#hasNamedSearch) await this.#clearOutermost();
      await this.#tryPhase((part) => part.place.part === "body", 0);
      for (const index of [0, 1]) {
        await this.#tryPhase((part) => part.place.part === "status", index);
      }
      const depths = new Set(this.#parts.map(({ depth }) => depth).filter((depth) => depth > 0));
      for (const depth of [...depths].sort((a, b) => a - b)) {
        // Lists are changed apart from the properties that hold them.
        for (const isList of [false, true]) {
          const isPart = (part: CandidatePart) =>
            part.depth === depth && (part.place.part === "list") === isList && this.#mayTry(part);
          for (let index = 0; index < MAX_CHANGES; index++) await this.#tryPhase(isPart, index);
        }
      }
      await this.#checkChance();
      await this.#confirmAll();
      return true;
    } catch (error) {
      if (!(error instanceof RunsEnded)) throw error;
      for (const [change, failures] of this.#failures) {
        if (failures < this.#minFailures()) this.#withdraw(change);
      }
      return false;
    }
  }

  /** Tries all probably unnoticed parts at once: the outermost ones of each body. */
  async #clearOutermost(): Promise<void> {
    this.#groupSize = MAX_GROUP;
    const isOutermost = ({ place }: CandidatePart) =>
      enclosingPlaces(place).every((around) =>
        !this.#counts.has(placeKey(around)) || noticedState(this.#hits.find(around)) === "noticed"
      );
    const outermost = this.#parts.filter(isOutermost);
    // Each change once: a change that couldn't be made in a run that passed wouldn't be made the next time either.
    const tried = new Set<string>();
    for (let isFirst = true;; isFirst = false) {
      const next = outermost.flatMap(({ place, changes: partChanges }): Change[] => {
        const { changes, reason } = this.#hits.part(place);
        const open = partChanges.find((change) =>
          !changes.get(change)?.passed && !tried.has(changeKey(place, change))
        ) ?? (isFirst ? partChanges[0] : undefined);
        const isOpen = reason === undefined && noticedState(this.#hits.find(place)) !== "noticed";
        return open !== undefined && isOpen ? [{ place, change: open }] : [];
      });
      if (next.length === 0) return;
      for (const { place, change } of next) tried.add(changeKey(place, change));
      await this.#tryAll(next);
    }
  }

  /** False for a part inside an unnoticed one. */
  #mayTry({ place }: CandidatePart): boolean {
    return !enclosingPlaces(place).some((around) =>
      noticedState(this.#hits.find(around)) === "unnoticed"
    );
  }

  /** Tries the change at an index for each part that isn't noticed yet, those in most responses first. */
  async #tryPhase(isPart: (part: CandidatePart) => boolean, index: number): Promise<void> {
    const open = this.#parts.filter(isPart)
      .sort((a, b) => b.count - a.count)
      .flatMap(({ place, changes }): Change[] => {
        const change = changes[index];
        const known = this.#hits.part(place);
        if (change === undefined || known.reason !== undefined) return [];
        const tried = known.changes.get(change);
        const isTried = tried !== undefined && tried.noticed + tried.passed > 0;
        return isTried || noticedState(known) === "noticed" ? [] : [{ place, change }];
      });
    await this.#tryAll(open);
  }

  async #tryAll(changes: readonly Change[]): Promise<void> {
    const alone: Change[] = [];
    const rest = [...changes];
    while (rest.length > 0) {
      const group = rest.splice(0, this.#groupSize);
      const result = await this.#runWith(group);
      if (result.passed) {
        this.#groupSize = Math.min(MAX_GROUP, this.#groupSize * 2);
        alone.push(...this.#addPass(group, result));
      } else {
        this.#groupSize = Math.max(1, Math.floor(this.#groupSize / 2));
        alone.push(...await this.#resolve(group));
      }
    }
    for (const change of alone) await this.#tryAlone(change, 0, 0);
  }

  /** Finds the noticed changes of a group that has just failed. Returns the changes that have to be tried alone. */
  async #resolve(group: readonly Change[]): Promise<Change[]> {
    const alone = await this.#divide(group, 1, 1);
    const isOpen = (change: Change) => this.#failures.has(change) || alone.includes(change);
    if (group.length === 1 || group.some(isOpen)) return alone;
    // If the group passes this time, it had failed by chance.
    if ((await this.#runWith(group)).passed) this.#flakes++;
    return alone;
  }

  /**
   * Finds the noticed changes of a failed group.
   *
   * @param failures The number of failed runs that only this group explains.
   * @param alone The number of these runs with exactly this group.
   * @returns changes that have to be tried alone.
   */
  async #divide(group: readonly Change[], failures: number, alone: number): Promise<Change[]> {
    const [single] = group;
    if (single === undefined) return [];
    if (group.length === 1) {
      await this.#tryAlone(single, failures, alone);
      return [];
    }
    const left = group.slice(0, group.length >> 1);
    const right = group.slice(left.length);
    const first = await this.#runWith(left);
    if (first.passed) {
      return [...this.#addPass(left, first), ...await this.#divide(right, failures, 0)];
    }
    const leftAlone = await this.#resolve(left);
    const second = await this.#runWith(right);
    const rightAlone = second.passed ? this.#addPass(right, second) : await this.#resolve(right);
    return [...leftAlone, ...rightAlone];
  }

  /** Records that a run with a group passed. Returns the changes for which this proves nothing. */
  #addPass(group: readonly Change[], result: RunResult): Change[] {
    this.#passes++;
    return group.filter((change) => {
      const count = result.applied.get(change) ?? 0;
      // Another change of the group may have kept tests from getting there.
      if (group.length > 1 && count < (this.#counts.get(placeKey(change.place)) ?? 0)) return true;
      if (count > 0) this.#hits.add(change.place, change.change, { passed: 1 });
      return false;
    });
  }

  /** Tries a change alone until its verdict is sure; it has failed `failures` times before, `aloneFailures` of them alone. */
  async #tryAlone(change: Change, failures: number, aloneFailures: number): Promise<void> {
    let failed = failures;
    let failedAlone = aloneFailures;
    let hasTimedOut = false;
    const tests = new Set<string>();
    while (failed < this.#minFailures()) {
      const result = await this.#runWith([change]);
      if (result.passed) {
        if (failedAlone > 0) {
          this.#flakes++;
          this.#hits.part(change.place).reason = "flaky";
        } else this.#addPass([change], result);
        return;
      }
      hasTimedOut ||= result.timedOut;
      for (const [test, passed] of result.outcomes ?? []) if (!passed) tests.add(test);
      failedAlone++;
      failed++;
    }
    this.#failures.set(change, failed);
    const { noticedBy } = this.#hits.part(change.place);
    for (const test of tests) noticedBy.add(test);
    this.#hits.add(change.place, change.change, { noticed: 1, timedOut: Number(hasTimedOut) });
  }

  /** The number of failures needed for a preliminary verdict. */
  #minFailures(): number {
    if (this.#flakes === 0) return FAILURES;
    return Math.min(MAX_FAILURES, Math.max(FLAKY_FAILURES, this.#sureFailures(MAX_FLAKY_CHANCE)));
  }

  /** The number of failures that are all chance with a given probability, at the rate seen so far. */
  #sureFailures(chance: number): number {
    const rate = (this.#flakes + 1) / (this.#flakes + this.#passes + 2);
    return Math.ceil(Math.log(chance) / Math.log(rate));
  }

  #finalMinFailures(): number {
    return this.#flakes > 0
      ? this.#minFailures()
      : Math.max(FAILURES, this.#sureFailures(MAX_CHANCE));
  }

  /** Repeats runs without changes to see if tests fail by chance, unless confirming all verdicts takes fewer runs. */
  async #checkChance(): Promise<void> {
    while (this.#flakes === 0 && this.#passes < SURE_PASSES) {
      const extraRuns = this.#failures.size * (this.#finalMinFailures() - FAILURES);
      if (extraRuns <= SURE_PASSES - this.#passes) return;
      if ((await this.#runWith([])).passed) this.#passes++;
      else this.#flakes++;
    }
  }

  /** Tries changes again whose verdicts have fewer failures than a final verdict needs. */
  async #confirmAll(): Promise<void> {
    for (const [change, failures] of this.#failures) {
      let failed = failures;
      while (failed < this.#finalMinFailures()) {
        const result = await this.#runWith([change]);
        if (result.passed) {
          this.#flakes++;
          this.#withdraw(change);
          break;
        }
        failed++;
      }
      this.#failures.set(change, failed);
    }
  }

  #withdraw({ place, change }: Change): void {
    const part = this.#hits.part(place);
    part.changes.delete(change);
    part.reason = "flaky";
  }

  async #runWith(changes: readonly Change[]): Promise<RunResult> {
    this.#onRun();
    const result = await this.#run(changes);
    if (result === undefined) throw new RunsEnded();
    for (const change of changes) {
      if ((result.applied.get(change) ?? 0) > 0) {
        this.#hits.add(change.place, change.change, { runs: 1 });
      }
    }
    return result;
  }
}

const MAX_CHANGES = 4;

/**
 * Makes a runner forgive chance failures: it repeats a failed run with the same changes, and the run counts as passed
 * once each failed test has passed in some repeat. If a test never does, its next failures count at once.
 *
 * @param mayFlake Returns false for tests whose failures always count.
 */
export function forgiveChance(
  run: RunTests,
  onRun: () => void,
  mayFlake: (test: string) => boolean,
): RunTests {
  const persistent = new Set<string>();
  return async (changes) => {
    const result = await run(changes);
    let failing = result && failingTests(result);
    for (let repeat = 1; failing !== undefined && failing.length > 0; repeat++) {
      const isForgiven = failing.every((name) => mayFlake(name) && !persistent.has(name));
      if (repeat > MAX_REPEATS || !isForgiven) break;
      onRun();
      const again = await run(changes);
      if (again === undefined) return undefined;
      // A run that was stopped or broke off says nothing of the tests that it didn't reach.
      failing = failing.filter((name) => !again.passed && again.outcomes?.get(name) !== true);
      const failedByTests = !again.timedOut && failingTests(again).length > 0;
      if (failing.length === 0) return failedByTests ? { ...again, passed: true } : again;
    }
    for (const name of failing ?? []) persistent.add(name);
    return result;
  };
}

function failingTests({ passed, outcomes }: RunResult): readonly string[] {
  return passed ? [] : [...outcomes ?? []].flatMap(([name, ok]) => ok ? [] : [name]);
}
