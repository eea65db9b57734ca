import { getOrAdd } from "../values/collections.ts";

export type ResponsePartKind = "status" | "body" | "property" | "list" | "header";

export interface ResponsePartPlace {
  readonly operation: number;
  readonly response: number;
  readonly part: ResponsePartKind;
  /** For properties and lists, a pointer into the body, with `*` for items; for headers, the name; otherwise empty. */
  readonly path: string;
  readonly schema_path: string;
}

export interface ChangeHits {
  runs: number;
  /** The number of times that tests were found to fail with the change, and that they were found to pass. */
  noticed: number;
  passed: number;
  timedOut: number;
}

/** Reasons why a part that tests reached has no verdict. */
export type UntriedReason = "flaky" | "one_run";

export interface NoticedPartHits {
  readonly place: ResponsePartPlace;
  /** Responses that contained the part in a run without changes. */
  reached: number;
  readonly changes: Map<string, ChangeHits>;
  reason: UntriedReason | undefined;
  /** The tests whose responses contain the part, and those that fail when it changes, if test names are known. */
  readonly reachedBy: Set<string>;
  readonly noticedBy: Set<string>;
}

/** The results of changes to parts of responses (`covtool mutate`). Addition is commutative, as for all counts. */
export class NoticedHits {
  readonly #parts = new Map<string, NoticedPartHits>();

  get isUsed(): boolean {
    return this.#parts.size > 0;
  }

  /** In document order. */
  list(): NoticedPartHits[] {
    return [...this.#parts.values()].sort((a, b) => comparePlaces(a.place, b.place));
  }

  find(place: ResponsePartPlace): NoticedPartHits | undefined {
    return this.#parts.get(placeKey(place));
  }

  part(place: ResponsePartPlace): NoticedPartHits {
    return getOrAdd(this.#parts, placeKey(place), () => ({
      place,
      reached: 0,
      changes: new Map(),
      reason: undefined,
      reachedBy: new Set(),
      noticedBy: new Set(),
    }));
  }

  add(place: ResponsePartPlace, change: string, results: Partial<ChangeHits>): void {
    const hits = getOrAdd(
      this.part(place).changes,
      change,
      () => ({ runs: 0, noticed: 0, passed: 0, timedOut: 0 }),
    );
    hits.runs += results.runs ?? 0;
    hits.noticed += results.noticed ?? 0;
    hits.passed += results.passed ?? 0;
    hits.timedOut += results.timedOut ?? 0;
  }
}

export function placeKey({ operation, response, part, path }: ResponsePartPlace): string {
  return `${operation} ${response} ${part} ${path}`;
}

/** Returns the places around a property or list, outermost first. A part isn't missed if one of these isn't. */
export function enclosingPlaces(place: ResponsePartPlace): ResponsePartPlace[] {
  const { part, path } = place;
  if (part !== "property" && part !== "list") return [];
  const enclosing: ResponsePartPlace[] = [{ ...place, part: "body", path: "" }];
  for (let end = path.indexOf("/", 1); end >= 0; end = path.indexOf("/", end + 1)) {
    if (!path.slice(0, end).endsWith("/*")) {
      enclosing.push({ ...place, part: "property", path: path.slice(0, end) });
    }
  }
  if (part === "list") enclosing.push({ ...place, part: "property" });
  return enclosing;
}

const KINDS: readonly ResponsePartKind[] = ["status", "body", "property", "list", "header"];

export function isPartKind(value: unknown): value is ResponsePartKind {
  return KINDS.some((kind) => kind === value);
}

/** Properties and lists have one rank, so they are sorted together by path. */
const RANKS = { status: 0, body: 1, property: 2, list: 2, header: 3 } as const;

function comparePlaces(a: ResponsePartPlace, b: ResponsePartPlace): number {
  return a.operation - b.operation || a.response - b.response || RANKS[a.part] - RANKS[b.part] ||
    (a.path < b.path ? -1 : a.path > b.path ? 1 : KINDS.indexOf(a.part) - KINDS.indexOf(b.part));
}

/** The verdict for a part: `unnoticed` if tests passed with every change that was tried. */
export type NoticedState = "noticed" | "unnoticed" | "not_tried";

export function noticedState(part: NoticedPartHits | undefined): NoticedState {
  const changes = [...part?.changes.values() ?? []];
  if (changes.some(({ noticed }) => noticed > 0)) return "noticed";
  return changes.some(({ passed }) => passed > 0) ? "unnoticed" : "not_tried";
}
