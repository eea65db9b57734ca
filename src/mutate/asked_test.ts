import { placeKey, placesAround, type ResponsePlacePart } from "../map/noticed_hits.ts";
import type { Change } from "./response_changer.ts";
import type { PlainPart } from "./search.ts";

/** The probability from which on a change is taken for the cause of a failure until others are known. */
const SURE = 0.9;
/** A question that is hardly worth a run. */
const UNLIKELY = 0.01;

/** What may be asked of one test: whether it fails with a change. */
export interface Question {
  readonly change: Change & { readonly test: string };
  readonly part: PlainPart;
  readonly key: string;
  /** Questions alike get alike answers. */
  readonly kind: string;
}

export interface OpenQuestion {
  readonly question: Question;
  /** The probability that the test notices it, and that no other one does. */
  readonly odds: number;
  readonly need: number;
  /** How often the test failed with it alone. */
  readonly failures: number;
}

export interface Failed {
  readonly question: Question;
  readonly runs: number[];
}

export interface FailedGroup {
  readonly run: number;
  readonly questions: readonly Question[];
}

/** What is known of one test. Sets of runs are bits of a number. */
export class AskedTest {
  readonly name: string;
  readonly index: number;
  /** Those before it in its file, which it may need. */
  readonly peers: readonly AskedTest[];
  readonly parts: PlainPart[] = [];
  /** Changes with which it passed; those with which it failed, alone, with the runs. */
  readonly passed = new Set<string>();
  readonly failures = new Map<string, Failed>();
  /** By the response: of how many parts it is known whether the test notices them, and how many it does. */
  readonly answers = new Map<string, { known: number; noticed: number }>();
  /** Groups of changes with which it failed, while none of them is known to be the cause. */
  groups: FailedGroup[] = [];
  passedIn = 0n;
  failedIn = 0n;
  /** Runs in which it failed without a cause that is known. */
  unexplained: number[] = [];
  runs = 0;
  rests = 0;
  flakes = 0;
  silent = 0;
  /** Runs for which others kept it from being asked. */
  waited = 0;

  constructor(name: string, index: number, peers: readonly AskedTest[]) {
    this.name = name;
    this.index = index;
    this.peers = peers;
  }

  /** Tests that it may need: it never passed when they failed. */
  get suspects(): readonly AskedTest[] {
    return this.peers.filter((peer) => (this.passedIn & peer.failedIn) === 0n);
  }

  /** True if the change was the cause of its failure, as far as is known. */
  isOwn(run: number): boolean {
    return !this.suspects.some(({ failedIn }) => hasBit(failedIn, run));
  }
}

/** True if one test failed whenever another one did. */
export function explainsAll(one: AskedTest, other: AskedTest): boolean {
  return (other.failedIn & ~one.failedIn) === 0n;
}

export function hasBit(bits: bigint, index: number): boolean {
  return (bits >> BigInt(index) & 1n) === 1n;
}

export function isUnlikely({ odds, failures }: OpenQuestion): boolean {
  return odds < UNLIKELY && failures === 0;
}

/** The next changes of a test: together it fails with them as often as not. */
export function nextGroup(
  open: readonly OpenQuestion[],
  isDisturbed: boolean,
): readonly Question[] {
  const fresh = open.filter(({ failures, odds }) => failures === 0 && odds < SURE);
  if (fresh.length === 0) {
    return open.filter(({ failures }) => failures === 0 || !isDisturbed).slice(0, 1)
      .map(({ question }) => question);
  }
  const group: Question[] = [];
  let passes = 1;
  for (const { question, odds } of fresh) {
    const then = passes * (1 - odds);
    if (group.length > 0 && Math.abs(then - 0.5) > Math.abs(passes - 0.5)) continue;
    if (group.some((other) => hides(other.change.place, question.change.place))) continue;
    group.push(question);
    passes = then;
  }
  return group;
}

/** True if one change may keep another one from being made, or from being looked at. */
export function hides(one: ResponsePlacePart, other: ResponsePlacePart): boolean {
  if (one.operation !== other.operation || one.response !== other.response) return false;
  if (one.part === "status" || other.part === "status") return true;
  return one.path === other.path ||
    placesAround(one).some((place) => placeKey(place) === placeKey(other)) ||
    placesAround(other).some((place) => placeKey(place) === placeKey(one));
}

export function changeKey(place: ResponsePlacePart, change: string): string {
  return `${placeKey(place)} ${change}`;
}
