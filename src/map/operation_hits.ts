import { Counters, type CounterStore } from "../schema/run.ts";
import { UndocumentedBodies } from "./undocumented_bodies.ts";

/** The hits of one parameter of one operation. */
export class ParameterHits {
  /** The number of requests that sent it. */
  hits = 0;
  /** Hits whose text did not parse. */
  malformed = 0;
  /** Hits whose body is missing or cut in the recording. */
  notRecorded = 0;
  /** True if a value was nested too deeply to be evaluated. */
  nestedTooDeep = false;
  /** True if a recorder had replaced a value with a placeholder, so that it was not evaluated. */
  replaced = false;
  /** True if matching a text with a pattern would have taken too long. */
  patternUnjudged = false;
  /** The counters of its schema. */
  readonly counters: Counters;
  /** Hits of the examples beside its schema, in their order. */
  readonly examples: number[] = [];
  /** The time at which it was first sent, in seconds since 1970; Infinity if unknown. */
  firstAt = Infinity;
  /** The time at which each of the examples was first sent, likewise. */
  readonly exampleFirsts: number[] = [];

  /** Starts with blocks in a store. */
  constructor(store: CounterStore) {
    this.counters = new Counters(store);
  }
}

/** The hits of one response of one operation; durations in whole microseconds. */
export interface ResponseHits {
  hits: number;
  /** Responses whose duration is known. */
  timed: number;
  elapsed: number;
  slowest: number;
  /** The time of the first one, in seconds since 1970; Infinity if unknown. */
  firstAt: number;
}

/** The first and the last time in the traffic, in seconds since 1970. */
export class SeenTimes {
  // Numbers from the start, which are changed where they stand: null as a beginning would make each change an object.
  #first = Infinity;
  #last = -Infinity;

  /** The first; null if no time is known. */
  get firstAt(): number | null {
    return this.#first === Infinity ? null : this.#first;
  }

  /** The last; null if no time is known. */
  get lastAt(): number | null {
    return this.#last === -Infinity ? null : this.#last;
  }

  /** Adds a finite time; null if it is unknown. */
  seeAt(time: number | null): void {
    if (time === null) return;
    if (time < this.#first) this.#first = time;
    if (time > this.#last) this.#last = time;
  }
}

/** The hits of one operation. */
export class OperationHits extends SeenTimes {
  /** Requests that matched it. */
  hits = 0;
  /** Answers of 2xx or 3xx, documented or not. */
  succeeded = 0;
  /** Answers of 4xx, documented or not. */
  refused = 0;
  /** By the parameter's index; absent ones were never hit. */
  readonly parameters: (ParameterHits | undefined)[] = [];
  /** By the index of the documented response; absent ones were never seen. */
  readonly responses: (ResponseHits | undefined)[] = [];
  /** Statuses that the description does not have. */
  readonly undocumented: Map<string, number> = new Map();
  /** Bodies of media types that the description does not have. */
  readonly undocumentedBodies: UndocumentedBodies = new UndocumentedBodies();
  /** The store of the counters of its parameters. */
  readonly store: CounterStore;

  /** Starts with counters in a store. */
  constructor(store: CounterStore) {
    super();
    this.store = store;
  }

  /** The hits of a parameter; creates them if there are none. */
  parameter(index: number): ParameterHits {
    return this.parameters[index] ??= new ParameterHits(this.store);
  }

  /** The hits of a response; creates them if there are none. */
  response(index: number): ResponseHits {
    return this.responses[index] ??= {
      hits: 0,
      timed: 0,
      elapsed: 0,
      slowest: 0,
      firstAt: Infinity,
    };
  }
}
