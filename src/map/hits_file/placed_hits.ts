import type { CountedUnit } from "../../schema/counted_unit.ts";
import type { PrefixCount } from "../base_path_hints.ts";
import type { Evidence } from "../evidence.ts";
import type { DroppedHits } from "../results.ts";
import type { UndocumentedProperty } from "../undocumented_properties.ts";
import type { UndocumentedAnswer } from "../undocumented_answers.ts";
import type { UndocumentedBody } from "../undocumented_bodies.ts";
import type { UnmatchedState } from "../unmatched.ts";
import type { HitsFile, TestIndexes } from "./hits_format.ts";

/** A hits file whose counts have their places in a plan: all that is left is to add them. Times are in seconds since 1970. */
export interface PlacedHits {
  readonly recorded: number;
  readonly matched: number;
  readonly answered: number;
  readonly visible: HitsFile["visible"];
  readonly seen: readonly number[];
  readonly testNames: readonly string[];
  readonly tests_left_out: HitsFile["tests_left_out"];
  readonly operations: readonly PlacedOperation[];
  readonly unmatched: UnmatchedState | undefined;
  readonly hints: readonly PrefixCount[];
  /** Hits that have no place in the plan. */
  readonly dropped: readonly DroppedHits[];
}

/** The hits of one operation of the plan. */
export interface PlacedOperation {
  readonly index: number;
  readonly hits: number;
  readonly succeeded: number;
  readonly refused: number;
  readonly seen: readonly number[];
  readonly parameters: readonly PlacedParameter[];
  readonly responses: readonly PlacedResponse[];
  readonly undocumented: readonly (readonly [status: string, hits: number])[];
  readonly undocumentedBodies: readonly UndocumentedBody[];
  /** Answers whose body was recorded. */
  readonly answeredBodies: number;
  readonly responseParts: readonly PlacedResponsePart[];
  readonly undocumentedProperties: readonly UndocumentedProperty[];
  readonly undocumentedAnswers: readonly UndocumentedAnswer[];
  readonly evidence: readonly Evidence[];
  readonly tests: TestIndexes;
  readonly responseTests: readonly (readonly [index: number, tests: TestIndexes])[];
  readonly undocumentedTests: readonly (readonly [status: string, tests: TestIndexes])[];
}

/** The hits of one parameter of the plan. */
export interface PlacedParameter {
  readonly index: number;
  readonly hits: number;
  /** Infinity where it is not known. */
  readonly firstAt: number;
  readonly malformed: number;
  readonly notRecorded: number;
  readonly nestedTooDeep: boolean;
  readonly replaced: boolean;
  readonly patternUnjudged: boolean;
  readonly blocks: readonly PlacedBlock[];
  readonly examples: readonly PlacedExample[];
  /** By the index of the value that its schema names. */
  readonly values: readonly (readonly [index: number, hits: number])[];
  /** Undefined where no test sent it. */
  readonly tests: TestIndexes | undefined;
  readonly exampleTests: readonly (readonly [index: number, tests: TestIndexes])[];
  readonly unitTests: readonly PlacedTests[];
}

/** The hits of a media type or header of a response; its index is that in the plan of the response. */
export interface PlacedResponsePart extends PlacedParameter {
  /** The index of the documented response. */
  readonly response: number;
  readonly undecoded: boolean;
  readonly violations: readonly Evidence[];
}

/** Counters of a unit. */
export interface PlacedBlock {
  readonly unit: CountedUnit;
  /** As many as the unit has. */
  readonly counts: readonly number[];
  /** The times when each was first counted, Infinity if unknown; undefined if all are unknown. */
  readonly firsts: readonly number[] | undefined;
}

/** The tests that counted in a unit, by counter. */
export interface PlacedTests {
  readonly unit: CountedUnit;
  readonly slots: readonly (readonly [slot: number, tests: TestIndexes])[];
}

/** An example of the parameter itself, outside its schema. */
export interface PlacedExample {
  readonly index: number;
  readonly hits: number;
  readonly firstAt: number;
}

/** A documented response; durations in microseconds. */
export interface PlacedResponse {
  readonly index: number;
  readonly hits: number;
  readonly timed: number;
  readonly elapsed: number;
  readonly slowest: number;
  readonly firstAt: number;
}
