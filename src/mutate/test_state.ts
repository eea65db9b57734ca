import { enclosingPlaces, placeKey, type ResponsePartPlace } from "../map/noticed_hits.ts";
import type { Change } from "./response_changer.ts";
import type { CandidatePart } from "./search.ts";

/** The probability from which a change is taken as the cause of a failure, and no longer grouped with others. */
const SURE_ODDS = 0.9;
/** The probability below which a question is hardly worth a run. */
const UNLIKELY_ODDS = 0.01;

/** The question whether a test fails with a change. */
export interface Question {
  readonly change: Change & { readonly test: string };
  readonly part: CandidatePart;
  readonly key: string;
  /** Questions of one kind tend to have the same answer. */
  readonly kind: string;
}

export interface OpenQuestion {
  readonly question: Question;
  /** The probability that the test notices the change, and (`soleOdds`) that no other test does. */
  readonly odds: number;
  readonly soleOdds: number;
  /** The number of runs in which the test failed with this change alone. */
  readonly failures: number;
}

export interface ChangeFailures {
  readonly question: Question;
  readonly runs: number[];
}

export interface FailedGroup {
  readonly run: number;
  readonly questions: readonly Question[];
}

/** The state of knowledge about one test. Sets of runs are bits of a number. */
export class TestState {
  readonly name: string;
  readonly index: number;
  /** Tests before it in its file, on which it may depend. */
  readonly peers: readonly TestState[];
  readonly parts: CandidatePart[] = [];
  /** Changes with which the test passed, and (`failures`) those with which it failed alone, with the runs. */
  readonly passed = new Set<string>();
  readonly failures = new Map<string, ChangeFailures>();
  /** By response: the number of parts for which an answer is known, and of those that the test notices. */
  readonly answers = new Map<string, { known: number; noticed: number }>();
  /** Groups of changes with which the test failed, as long as the cause among them is unknown. */
  groups: FailedGroup[] = [];
  passedIn = 0n;
  failedIn = 0n;
  /** Runs in which the test failed without a known cause. */
  unexplained: number[] = [];
  runs = 0;
  restRuns = 0;
  flakes = 0;
  silentRuns = 0;
  /** The number of runs in which the test got no question because of other tests. */
  waitedRuns = 0;

  constructor(name: string, index: number, peers: readonly TestState[]) {
    this.name = name;
    this.index = index;
    this.peers = peers;
  }

  /** Tests on which it may depend: it never passed when they failed. */
  get suspects(): readonly TestState[] {
    return this.peers.filter((peer) => (this.passedIn & peer.failedIn) === 0n);
  }

  /** True if no suspect failed in a run, so that a failure of this test is its own. */
  isOwnFailure(run: number): boolean {
    return !this.suspects.some(({ failedIn }) => hasBit(failedIn, run));
  }
}

/** True if `one` failed in all runs in which `other` failed. */
export function explainsAll(one: TestState, other: TestState): boolean {
  return (other.failedIn & ~one.failedIn) === 0n;
}

export function hasBit(bits: bigint, index: number): boolean {
  return (bits >> BigInt(index) & 1n) === 1n;
}

export function isUnlikely({ odds, failures }: OpenQuestion): boolean {
  return odds < UNLIKELY_ODDS && failures === 0;
}

/** Chooses the next changes for a test, so that it fails in about half of the cases. */
export function nextGroup(
  open: readonly OpenQuestion[],
  isDisturbed: boolean,
): readonly Question[] {
  const fresh = open.filter(({ failures, odds }) => failures === 0 && odds < SURE_ODDS);
  if (fresh.length === 0) {
    return open.filter(({ failures }) => failures === 0 || !isDisturbed).slice(0, 1)
      .map(({ question }) => question);
  }
  const group: Question[] = [];
  let passes = 1;
  for (const { question, odds } of fresh) {
    const passesWith = passes * (1 - odds);
    if (group.length > 0 && Math.abs(passesWith - 0.5) > Math.abs(passes - 0.5)) continue;
    if (group.some((other) => mayHide(other.change.place, question.change.place))) continue;
    group.push(question);
    passes = passesWith;
  }
  return group;
}

/** True if one change may prevent another one from being made, or from being noticed. */
export function mayHide(one: ResponsePartPlace, other: ResponsePartPlace): boolean {
  if (one.operation !== other.operation || one.response !== other.response) return false;
  if (one.part === "status" || other.part === "status") return true;
  return one.path === other.path ||
    enclosingPlaces(one).some((place) => placeKey(place) === placeKey(other)) ||
    enclosingPlaces(other).some((place) => placeKey(place) === placeKey(one));
}
