import { Counters, type CounterStore } from "../schema/evaluation_context.ts";
import type { LeftOut } from "../schema/schema_unit.ts";
import { getOrAdd } from "../values/collections.ts";
import { addCounts } from "../values/errors.ts";
import { EvidenceHits } from "./evidence.ts";
import { Tallies } from "./tallies.ts";
import {
  MEDIA_TYPES,
  type NameCount,
  NAMES,
  PROPERTIES,
  type Undocumented,
} from "./undocumented_content.ts";

/** Adds saved numbers to those of a store from an index on. */
function addNumbers({ counts }: CounterStore, from: number, numbers: readonly number[]): void {
  numbers.forEach((number, offset) => {
    counts[from + offset] = addCounts(counts[from + offset] as number, number);
  });
}

/** The hits of one parameter of one operation; its count is stored before those of its schema, for one fetch. */
export class ParameterHits implements LeftOut {
  /** The index in the store of the count {@linkcode ParameterHits.hits}. */
  readonly at: number;
  /** Hits whose text did not parse. */
  malformed = 0;
  /** Hits whose body is missing or cut in the recording, or whose value in the path is out of its sight. */
  notRecorded = 0;
  nestedTooDeep = false;
  replaced = false;
  patternUnjudged = false;
  tooLong = false;
  readonly counters: Counters;
  /** The indexes in the store of the hits of its own examples, in their order; absent ones were never sent. */
  readonly exampleAts: (number | undefined)[] = [];
  /** Hits of the values that its schema names, in their order; undefined until one is hit. */
  values: number[] | undefined = undefined;

  constructor(store: CounterStore) {
    this.at = store.allocate(1);
    this.counters = new Counters(store);
  }

  get hits(): number {
    return this.counters.store.counts[this.at] as number;
  }

  /** The time at which it was first sent, in seconds since 1970; Infinity if unknown. */
  get firstAt(): number {
    return this.counters.store.firstAt(this.at);
  }

  /** The index in the store of the hits of one of its own examples. */
  exampleAt(index: number): number {
    return this.exampleAts[index] ??= this.counters.store.allocate(1);
  }

  /** How often one of its own examples was sent, and when first, in seconds since 1970; Infinity if unknown. */
  ofExample(index: number): { readonly hits: number; readonly firstAt: number } {
    const at = this.exampleAts[index];
    const { store } = this.counters;
    return at === undefined
      ? { hits: 0, firstAt: Infinity }
      : { hits: store.counts[at] as number, firstAt: store.firstAt(at) };
  }

  /** Adds hits from elsewhere, and the time of the first of them; those of an example, or of another of its counters, go to its index in the store. */
  merge(hits: number, firstAt: number, at: number = this.at): void {
    addNumbers(this.counters.store, at, [hits]);
    this.counters.store.noteAt(at, firstAt);
  }
}

/** The hits of a media type or a header of a response, and the keywords that it broke. */
export class ResponsePartHits extends ParameterHits {
  /** The keywords that were causes of invalid bodies or header values, by pointer. */
  readonly violations: EvidenceHits = new EvidenceHits();
  /** True if a value came that covtool does not decode. */
  undecoded = false;
  /** The declared properties that bodies had according to hits files: names by the pointer of `properties`. */
  readonly knownProperties: Map<string, Set<string>> = new Map();

  constructor(store: CounterStore) {
    super(store);
    this.counters.properties = new Map();
  }

  /** The declared properties that bodies had: names by the pointer of `properties`. */
  get properties(): ReadonlyMap<string, ReadonlySet<string>> {
    const found = new Map([...this.knownProperties].map(([path, names]) => [path, new Set(names)]));
    for (const [node, { names, marks }] of this.counters.properties ?? []) {
      const own = getOrAdd(found, node.schemaPath("properties"), () => new Set<string>());
      names.forEach((name, index) => {
        if (name !== undefined && marks[index] === 1) own.add(name);
      });
    }
    return found;
  }
}

/** The places of the numbers of a response, after where they begin in the store. */
const TIMED = 1;
const ELAPSED = 2;
const SLOWEST = 3;

/** The hits of one response of one operation; durations in whole microseconds. Its numbers are in the store. */
export class ResponseHits {
  readonly at: number;
  readonly #store: CounterStore;
  #parts: (ResponsePartHits | undefined)[] | undefined;

  constructor(store: CounterStore) {
    this.at = store.allocate(SLOWEST + 1);
    this.#store = store;
  }

  /** Adds durations; the sum stays at the largest exact number, whatever nonsense a log holds. */
  addElapsed(microseconds: number, responses = 1, longest = microseconds): void {
    const { counts } = this.#store;
    const { at } = this;
    counts[at + TIMED] = addCounts(counts[at + TIMED] as number, responses);
    counts[at + ELAPSED] = addCounts(counts[at + ELAPSED] as number, microseconds);
    if (longest > (counts[at + SLOWEST] as number)) {
      counts[at + SLOWEST] = Math.min(longest, Number.MAX_SAFE_INTEGER);
    }
  }

  /** Adds hits from elsewhere, and the time of the first of them. */
  merge(hits: number, firstAt: number): void {
    addNumbers(this.#store, this.at, [hits]);
    this.#store.noteAt(this.at, firstAt);
  }

  get hits(): number {
    return this.#store.counts[this.at] as number;
  }

  /** Responses whose duration is known. */
  get timed(): number {
    return this.#store.counts[this.at + TIMED] as number;
  }

  /** The indexes in the store of the sum of the durations and of the longest. */
  get durationsAt(): readonly number[] {
    return [this.at + ELAPSED, this.at + SLOWEST];
  }

  /** The sum of the durations; {@linkcode Number.MAX_SAFE_INTEGER} stands for that or more. */
  get elapsed(): number {
    return this.#store.counts[this.at + ELAPSED] as number;
  }

  get slowest(): number {
    return this.#store.counts[this.at + SLOWEST] as number;
  }

  /** The time of the first one, in seconds since 1970; Infinity if unknown. */
  get firstAt(): number {
    return this.#store.firstAt(this.at);
  }

  /** By the index of the media type or header in the plan of the response; absent ones never came. */
  get parts(): readonly (ResponsePartHits | undefined)[] {
    return this.#parts ?? NO_PARTS;
  }

  /** The hits of a media type or header; creates them if there are none. */
  part(index: number): ResponsePartHits {
    const parts = this.#parts ??= [];
    return parts[index] ??= new ResponsePartHits(this.#store);
  }
}

const NO_PARTS: readonly undefined[] = [];

/** The places of the numbers of an operation, after where they begin in the store. */
const SUCCEEDED = 1;
const REFUSED = 2;
const FIRST = 3;
const LAST = 4;

/** The hits of one operation. Its numbers are in the store: counting a request fetches them at once. */
export class OperationHits {
  /** Requests that carried what the source of a link had answered, by the key of the link. */
  readonly links: Map<string, number> = new Map();
  /** Requests whose recording can't show a parameter that has a default, by its location and name. */
  readonly hidden: Map<string, number> = new Map();
  readonly store: CounterStore;
  /** The index in the store of the count {@linkcode OperationHits.hits}. */
  readonly at: number;
  /** By the parameter's index; absent ones were never hit. */
  readonly parameters: (ParameterHits | undefined)[] = [];
  /** By the index of the documented response; absent ones were never seen. */
  readonly responses: (ResponseHits | undefined)[] = [];
  /** Statuses that the description does not have. */
  readonly undocumented: Map<string, ResponseHits> = new Map();
  /** Bodies of media types that the description does not have. */
  readonly undocumentedBodies: Tallies<Undocumented> = new Tallies(MEDIA_TYPES);
  answeredBodies = 0;
  /** Bodies of answers that the description does not have. */
  readonly undocumentedAnswers: Tallies<Undocumented> = new Tallies(MEDIA_TYPES);
  /** Properties of its responses that the description does not declare; only where they are asked for. */
  readonly undocumentedProperties: Tallies<Undocumented> = new Tallies(PROPERTIES);
  /** Names in queries that are no documented parameters. */
  readonly undocumentedParameters: Tallies<NameCount> = new Tallies(NAMES);
  readonly evidence: EvidenceHits = new EvidenceHits();

  constructor(store: CounterStore) {
    this.store = store;
    this.at = store.allocate(LAST + 1);
    store.counts[this.at + FIRST] = Infinity;
    store.counts[this.at + LAST] = -Infinity;
  }

  /** Adds `count` requests; the time may be unknown (null), and there may be no response (undefined). */
  add(time: number | null, status: number | undefined, count: number): void {
    const { counts } = this.store;
    const at = this.at;
    counts[at] = (counts[at] as number) + count;
    if (status !== undefined && status >= 200 && status < 500) {
      const place = at + (status < 400 ? SUCCEEDED : REFUSED);
      counts[place] = (counts[place] as number) + count;
    }
    this.seeAt(time);
  }

  /** Adds requests from elsewhere, and how many of them succeeded and were refused. */
  merge(hits: number, succeeded: number, refused: number): void {
    addNumbers(this.store, this.at, [hits, succeeded, refused]);
  }

  /** Adds a finite time; null if it is unknown. */
  seeAt(time: number | null): void {
    if (time === null) return;
    const { counts } = this.store;
    const at = this.at;
    if (time < (counts[at + FIRST] as number)) counts[at + FIRST] = time;
    if (time > (counts[at + LAST] as number)) counts[at + LAST] = time;
  }

  get hits(): number {
    return this.store.counts[this.at] as number;
  }

  /** Answers of 2xx or 3xx, documented or not. */
  get succeeded(): number {
    return this.store.counts[this.at + SUCCEEDED] as number;
  }

  /** Answers of 4xx, documented or not. */
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

  /** The hits of a parameter; creates them if there are none. */
  parameter(index: number): ParameterHits {
    return this.parameters[index] ??= new ParameterHits(this.store);
  }

  /** The hits of a response; creates them if there are none. */
  response(index: number): ResponseHits {
    return this.responses[index] ??= new ResponseHits(this.store);
  }

  /** The hits of a status that the description does not have; creates them if there are none. */
  undocumentedResponse(status: string): ResponseHits {
    return getOrAdd(this.undocumented, status, () => new ResponseHits(this.store));
  }
}
