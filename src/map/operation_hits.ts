import { Counters, type CounterStore } from "../schema/counters.ts";
import type { IncompleteReasons } from "../schema/schema_unit.ts";
import { getOrAdd } from "../values/collections.ts";
import { addCounts } from "../values/errors.ts";
import { type EvidenceExample, EvidenceHits } from "./evidence.ts";
import { Tallies, type TallyRules } from "./tallies.ts";
import type { SchemaNode } from "../schema/schema_node.ts";

/** A count in the store, with the time of the first hit; counters for details follow it. */
class StoredHits {
  readonly store: CounterStore;
  /** The index of {@linkcode StoredHits.hits} in the store. */
  readonly at: number;

  constructor(store: CounterStore, size: number) {
    this.store = store;
    this.at = store.allocate(size);
  }

  get hits(): number {
    return this.store.counts[this.at] as number;
  }

  /** The time of the first hit, in seconds since 1970; Infinity if unknown. */
  get firstAt(): number {
    return this.store.firstTime(this.at);
  }

  /** Adds hits and the time of the first to the counter at an index of the store (default: its own). */
  merge(hits: number, firstAt: number, at: number = this.at): void {
    const { counts } = this.store;
    counts[at] = addCounts(counts[at] as number, hits);
    this.store.addTime(at, firstAt);
  }
}

/** Hits of one parameter of one operation. Its count precedes those of its schema in the store, for locality. */
export class ParameterHits extends StoredHits implements IncompleteReasons {
  malformed = 0;
  /** Hits whose body is missing or truncated, or whose path value is hidden, in the recording. */
  notRecorded = 0;
  nestedTooDeep = false;
  replaced = false;
  patternUnjudged = false;
  tooLong = false;
  readonly counters: Counters;
  /** Store indexes of the counters of the parameter's own examples; undefined for examples that were never sent. */
  readonly exampleAts: (number | undefined)[] = [];
  /** Hits of each value that the schema lists; undefined until one is hit. */
  values: number[] | undefined = undefined;

  constructor(store: CounterStore) {
    super(store, 1);
    this.counters = new Counters(store);
  }

  exampleAt(index: number): number {
    return this.exampleAts[index] ??= this.store.allocate(1);
  }

  /** Returns the hits of one of its own examples, and the time of the first in seconds since 1970 (or Infinity). */
  exampleCounts(index: number): { readonly hits: number; readonly firstAt: number } {
    const at = this.exampleAts[index];
    return at === undefined
      ? { hits: 0, firstAt: Infinity }
      : { hits: this.store.counts[at] as number, firstAt: this.store.firstTime(at) };
  }
}

export class ResponsePartHits extends ParameterHits {
  /** The keywords that caused the invalid bodies or header values, by pointer. */
  readonly violations: EvidenceHits = new EvidenceHits();
  /** True if some value has an encoding or media type that covtool can't decode. */
  undecoded = false;
  /** Declared properties seen in bodies according to hits files: names by the pointer of `properties`. */
  readonly mergedProperties: Map<string, Set<string>> = new Map();

  constructor(store: CounterStore) {
    super(store);
    this.counters.properties = new Map();
  }

  /** Declared properties seen in bodies: names by the pointer of `properties`. */
  get properties(): ReadonlyMap<string, ReadonlySet<string>> {
    const seen = new Map([...this.mergedProperties].map(([path, names]) => [path, new Set(names)]));
    for (const [node, { names, marks }] of this.counters.properties ?? []) {
      const ownNames = getOrAdd(seen, node.schemaPath("properties"), () => new Set<string>());
      names.forEach((name, index) => {
        if (name !== undefined && marks[index] === 1) ownNames.add(name);
      });
    }
    return seen;
  }
}

/** Offsets of a response's counters from its index in the store. */
const TIMED = 1;
const ELAPSED = 2;
const SLOWEST = 3;

/** Hits of one response of one operation, with durations in whole microseconds. All counters are in the store. */
export class ResponseHits extends StoredHits {
  #parts: (ResponsePartHits | undefined)[] | undefined;

  constructor(store: CounterStore) {
    super(store, SLOWEST + 1);
  }

  /** Adds durations. The sum is limited to the largest safe integer, even if a log contains nonsense. */
  addElapsed(microseconds: number, responses = 1, longest = microseconds): void {
    const { counts } = this.store;
    const { at } = this;
    counts[at + TIMED] = addCounts(counts[at + TIMED] as number, responses);
    counts[at + ELAPSED] = addCounts(counts[at + ELAPSED] as number, microseconds);
    if (longest > (counts[at + SLOWEST] as number)) {
      counts[at + SLOWEST] = Math.min(longest, Number.MAX_SAFE_INTEGER);
    }
  }

  /** Responses with a known duration. */
  get timed(): number {
    return this.store.counts[this.at + TIMED] as number;
  }

  get durationsAt(): readonly number[] {
    return [this.at + ELAPSED, this.at + SLOWEST];
  }

  /** The sum of the durations, at most {@linkcode Number.MAX_SAFE_INTEGER}. */
  get elapsed(): number {
    return this.store.counts[this.at + ELAPSED] as number;
  }

  get slowest(): number {
    return this.store.counts[this.at + SLOWEST] as number;
  }

  /** Indexed like the media types and headers in the response's plan; undefined for those never seen. */
  get parts(): readonly (ResponsePartHits | undefined)[] {
    return this.#parts ?? NO_PARTS;
  }

  part(index: number): ResponsePartHits {
    const parts = this.#parts ??= [];
    return parts[index] ??= new ResponsePartHits(this.store);
  }
}

const NO_PARTS: readonly undefined[] = [];

export interface UndocumentedContent {
  /** The status of the responses; empty for requests. */
  readonly status: string;
  /** In lower case and without parameters; empty if there is no Content-Type. */
  readonly mediaType: string;
  /** RFC 6901 pointer to a property, with `*` for items and for names that look like data; empty for whole bodies. */
  readonly pointer: string;
  readonly hits: number;
  /** The time of the first request, in seconds since 1970; Infinity if unknown. */
  readonly firstAt: number;
  /** The smallest interaction with this content; undefined if none is kept. */
  readonly example: EvidenceExample | undefined;
}

/** Limits per operation, as traffic may contain any number of media types, properties and names. */
export const MEDIA_TYPE_RULES: TallyRules<UndocumentedContent> = {
  key: ["status", "mediaType", "pointer"],
  sums: ["hits"],
  limit: 50,
};
export const PROPERTY_RULES: TallyRules<UndocumentedContent> = { ...MEDIA_TYPE_RULES, limit: 200 };
export const NAME_RULES: TallyRules<NameCount> = { key: ["name"], sums: ["count"], limit: 200 };

/** The number of times that an undocumented parameter name was sent. */
export interface NameCount {
  readonly name: string;
  readonly count: number;
}

/** Offsets of an operation's counters from its index in the store. */
const SUCCEEDED = 1;
const REFUSED = 2;
const FIRST = 3;
const LAST = 4;

/** Hits of one operation. Its counters are adjacent in the store, for locality of memory. */
export class OperationHits {
  /** Requests with values that came from a link's response, by the key of the link. */
  readonly links: Map<string, number> = new Map();
  /** Requests whose recording hides a parameter with a default, by the parameter's location and name. */
  readonly hiddenParameters: Map<string, number> = new Map();
  readonly store: CounterStore;
  /** The index of {@linkcode OperationHits.hits} in the store. */
  readonly at: number;
  /** Indexed by parameter; undefined for parameters that were never hit. */
  readonly parameters: (ParameterHits | undefined)[] = [];
  /** Indexed by documented response; undefined for responses that were never seen. */
  readonly responses: (ResponseHits | undefined)[] = [];
  /** Responses with an undocumented status, by status. */
  readonly undocumentedResponses: Map<string, ResponseHits> = new Map();
  /** Request bodies with an undocumented media type. */
  readonly undocumentedBodies: Tallies<UndocumentedContent> = new Tallies(MEDIA_TYPE_RULES);
  responseBodies = 0;
  readonly undocumentedResponseBodies: Tallies<UndocumentedContent> = new Tallies(MEDIA_TYPE_RULES);
  /** Undeclared properties in response bodies; counted only on request. */
  readonly undocumentedProperties: Tallies<UndocumentedContent> = new Tallies(PROPERTY_RULES);
  readonly undocumentedParameters: Tallies<NameCount> = new Tallies(NAME_RULES);
  readonly evidence: EvidenceHits = new EvidenceHits();

  constructor(store: CounterStore) {
    this.store = store;
    this.at = store.allocate(LAST + 1);
    store.counts[this.at + FIRST] = Infinity;
    store.counts[this.at + LAST] = -Infinity;
  }

  /** Adds `count` requests. `time` is null if unknown; `status` is undefined if there is no response. */
  add(time: number | null, status: number | undefined, count: number): void {
    const { counts } = this.store;
    const at = this.at;
    counts[at] = (counts[at] as number) + count;
    if (status !== undefined && status >= 200 && status < 500) {
      const place = at + (status < 400 ? SUCCEEDED : REFUSED);
      counts[place] = (counts[place] as number) + count;
    }
    this.noteTime(time);
  }

  merge(hits: number, succeeded: number, refused: number): void {
    const { counts } = this.store;
    [hits, succeeded, refused].forEach((number, offset) => {
      counts[this.at + offset] = addCounts(counts[this.at + offset] as number, number);
    });
  }

  /** @param time Finite, or null if unknown. */
  noteTime(time: number | null): void {
    if (time === null) return;
    const { counts } = this.store;
    const at = this.at;
    if (time < (counts[at + FIRST] as number)) counts[at + FIRST] = time;
    if (time > (counts[at + LAST] as number)) counts[at + LAST] = time;
  }

  get hits(): number {
    return this.store.counts[this.at] as number;
  }

  get timesAt(): readonly number[] {
    return [this.at + FIRST, this.at + LAST];
  }

  /** Responses with 2xx or 3xx, documented or not. */
  get succeeded(): number {
    return this.store.counts[this.at + SUCCEEDED] as number;
  }

  /** Responses with 4xx, documented or not. */
  get refused(): number {
    return this.store.counts[this.at + REFUSED] as number;
  }

  /** The time of the first request, in seconds since 1970; null if no time is known. */
  get firstAt(): number | null {
    const first = this.store.counts[this.at + FIRST] as number;
    return first === Infinity ? null : first;
  }

  get lastAt(): number | null {
    const last = this.store.counts[this.at + LAST] as number;
    return last === -Infinity ? null : last;
  }

  parameter(index: number): ParameterHits {
    return this.parameters[index] ??= new ParameterHits(this.store);
  }

  response(index: number): ResponseHits {
    return this.responses[index] ??= new ResponseHits(this.store);
  }

  undocumentedResponse(status: string): ResponseHits {
    return getOrAdd(this.undocumentedResponses, status, () => new ResponseHits(this.store));
  }
}

export interface KeywordCounts {
  readonly keyword: string;
  valid: number;
  invalid: number;
  /** The time of the first evaluation, in seconds since 1970; Infinity if unknown. */
  firstAt: number;
}

/** The counts of one example, or of one alternative of `discriminator`. */
export interface TallyCounts {
  hits: number;
  /** The time at which the first such value was sent, in seconds since 1970; Infinity if unknown. */
  firstAt: number;
}

export interface ParameterCounts {
  /** Keyed by the schema that contains the keywords; only evaluated schemas. */
  readonly keywords: ReadonlyMap<SchemaNode, readonly KeywordCounts[]>;
  /** Keyed by the pointer of an example or alternative; only those that were sent. */
  readonly tallies: ReadonlyMap<string, TallyCounts>;
}

/** Counts of a schema with two blocks are merged: each keyword occurs once. */
export function parameterCounts(hits: ParameterHits): ParameterCounts {
  const keywords = new Map<SchemaNode, KeywordCounts[]>();
  const tallies = new Map<string, TallyCounts>();
  const { store, units } = hits.counters;
  const { counts } = store;
  for (const unit of units) {
    const base = hits.counters.base(unit);
    let lastNode: SchemaNode | undefined;
    let nodeCounts: KeywordCounts[] = [];
    for (const { node, keyword, slot } of unit.keywords) {
      const valid = counts[base + slot] as number;
      const invalid = counts[base + slot + 1] as number;
      if (valid + invalid === 0) continue;
      // The keywords of a schema are adjacent, so its counts are looked up once.
      if (node !== lastNode) {
        lastNode = node;
        nodeCounts = keywords.get(node) ?? [];
        if (nodeCounts.length === 0) keywords.set(node, nodeCounts);
      }
      const existing = nodeCounts.find((one) => one.keyword === keyword);
      const firstAt = Math.min(store.firstTime(base + slot), store.firstTime(base + slot + 1));
      if (existing === undefined) nodeCounts.push({ keyword, valid, invalid, firstAt });
      else {
        existing.valid += valid;
        existing.invalid += invalid;
        existing.firstAt = Math.min(existing.firstAt, firstAt);
      }
    }
    for (const { schema_path, slot } of unit.tallies) {
      const tally = counts[base + slot] as number;
      if (tally === 0) continue;
      const firstAt = store.firstTime(base + slot);
      const existing = tallies.get(schema_path);
      if (existing === undefined) tallies.set(schema_path, { hits: tally, firstAt });
      else {
        existing.hits += tally;
        existing.firstAt = Math.min(existing.firstAt, firstAt);
      }
    }
  }
  return { keywords, tallies };
}
