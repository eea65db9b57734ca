import { getOrAdd } from "../values/collections.ts";

export type ResponsePartKind = "status" | "body" | "property" | "list" | "header";

/** A documented part of the responses of an operation. */
export interface ResponsePlacePart {
  readonly operation: number;
  /** The index of the documented response. */
  readonly response: number;
  readonly part: ResponsePartKind;
  /** Properties and lists: a pointer into the body, with `*` for items; headers: the name; else empty. */
  readonly path: string;
  /** The pointer of its place in the description. */
  readonly schema_path: string;
}

/** The results of one kind of change to a part. */
export interface ChangeHits {
  runs: number;
  /** How often it was established that tests fail with it, and that they pass. */
  noticed: number;
  passed: number;
  /** The runs that had to be ended because they took too long. */
  timedOut: number;
}

/** The reasons for which a part that was reached has no verdict. */
export type UntriedReason = "flaky" | "one_run";

export interface PartHits {
  readonly place: ResponsePlacePart;
  /** The responses that had it in a run without changes. */
  reached: number;
  readonly changes: Map<string, ChangeHits>;
  reason: UntriedReason | undefined;
  /** The tests whose responses have it, and those that fail with a change of it, where tests are known. */
  readonly reachedBy: Set<string>;
  readonly noticedBy: Set<string>;
}

/** What is known of the parts that were changed towards the tests (`covtool mutate`); it adds up like all counts. */
export class NoticedHits {
  readonly #parts = new Map<string, PartHits>();

  get isUsed(): boolean {
    return this.#parts.size > 0;
  }

  /** In the order of the description. */
  list(): PartHits[] {
    return [...this.#parts.values()].sort((a, b) => comparePlaces(a.place, b.place));
  }

  find(place: ResponsePlacePart): PartHits | undefined {
    return this.#parts.get(placeKey(place));
  }

  /** What is known of a part; creates it if there is nothing. */
  part(place: ResponsePlacePart): PartHits {
    return getOrAdd(this.#parts, placeKey(place), () => ({
      place,
      reached: 0,
      changes: new Map(),
      reason: undefined,
      reachedBy: new Set(),
      noticedBy: new Set(),
    }));
  }

  add(place: ResponsePlacePart, change: string, found: Partial<ChangeHits>): void {
    const hits = getOrAdd(
      this.part(place).changes,
      change,
      () => ({ runs: 0, noticed: 0, passed: 0, timedOut: 0 }),
    );
    hits.runs += found.runs ?? 0;
    hits.noticed += found.noticed ?? 0;
    hits.passed += found.passed ?? 0;
    hits.timedOut += found.timedOut ?? 0;
  }
}

export function placeKey({ operation, response, part, path }: ResponsePlacePart): string {
  return `${operation} ${response} ${part} ${path}`;
}

/** The places that a property or list is in, the whole body first; where nobody misses one of them, nobody misses it. */
export function placesAround(place: ResponsePlacePart): ResponsePlacePart[] {
  const { part, path } = place;
  if (part !== "property" && part !== "list") return [];
  const around: ResponsePlacePart[] = [{ ...place, part: "body", path: "" }];
  for (let end = path.indexOf("/", 1); end >= 0; end = path.indexOf("/", end + 1)) {
    if (!path.slice(0, end).endsWith("/*")) {
      around.push({ ...place, part: "property", path: path.slice(0, end) });
    }
  }
  if (part === "list") around.push({ ...place, part: "property" });
  return around;
}

const KINDS: readonly ResponsePartKind[] = ["status", "body", "property", "list", "header"];

export function isPartKind(value: unknown): value is ResponsePartKind {
  return KINDS.some((kind) => kind === value);
}

/** Properties and lists are sorted together, by their paths. */
const RANKS = { status: 0, body: 1, property: 2, list: 2, header: 3 } as const;

function comparePlaces(a: ResponsePlacePart, b: ResponsePlacePart): number {
  return a.operation - b.operation || a.response - b.response || RANKS[a.part] - RANKS[b.part] ||
    (a.path < b.path ? -1 : a.path > b.path ? 1 : KINDS.indexOf(a.part) - KINDS.indexOf(b.part));
}

/** Whether tests fail when a part changes: `unnoticed` where all changes that were tried passed. */
export type NoticedState = "noticed" | "unnoticed" | "not_tried";

export function stateOfPart(part: PartHits | undefined): NoticedState {
  const found = [...part?.changes.values() ?? []];
  if (found.some(({ noticed }) => noticed > 0)) return "noticed";
  return found.some(({ passed }) => passed > 0) ? "unnoticed" : "not_tried";
}
