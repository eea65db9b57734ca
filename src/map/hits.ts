import { CounterStore } from "../schema/run.ts";
import { BasePathHints } from "./base_path_hints.ts";
import { CoveredBy } from "./covered_by.ts";
import { OperationHits, SeenTimes } from "./operation_hits.ts";
import { Unmatched } from "./unmatched.ts";

/** The counts of all traffic, beside a plan; they add up in any order. */
export class Hits extends SeenTimes {
  /** Interactions recorded. */
  recorded = 0;
  /** Interactions that matched an operation. */
  matched = 0;
  /** Interactions with the status of a response. */
  answered = 0;
  /** The store of the counters of all parameters. */
  readonly store: CounterStore = new CounterStore();
  /** By the operation's index; operations that were never called are absent. */
  readonly operations: (OperationHits | undefined)[] = [];
  /** Requests that matched none. */
  readonly unmatched: Unmatched = new Unmatched();
  /** Base paths under which they would have matched. */
  readonly hints: BasePathHints = new BasePathHints();
  /** The tests that covered each part, if tests are known. */
  readonly coveredBy: CoveredBy = new CoveredBy();

  /** The hits of an operation; creates them if there are none. */
  operation(index: number): OperationHits {
    return this.operations[index] ??= new OperationHits(this.store);
  }
}
