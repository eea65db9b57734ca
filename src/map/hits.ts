import { CounterStore } from "../schema/run.ts";
import { BasePathHints } from "./base_path_hints.ts";
import { CoveredBy } from "./covered_by.ts";
import { OperationHits, SeenTimes } from "./operation_hits.ts";
import { Unmatched } from "./unmatched.ts";

/** Everything that traffic has shown: numbers beside a plan, which add up in any order. */
export class Hits extends SeenTimes {
  /** Interactions recorded. */
  recorded = 0;
  /** Those that matched an operation. */
  matched = 0;
  /** Those with the status of a response. */
  answered = 0;
  /** The store of the counters of all parameters. */
  readonly store: CounterStore = new CounterStore();
  /** By the operation's index; absent ones were never called. */
  readonly operations: (OperationHits | undefined)[] = [];
  /** Requests that matched none. */
  readonly unmatched: Unmatched = new Unmatched();
  /** Base paths under which they would have matched. */
  readonly hints: BasePathHints = new BasePathHints();
  /** Which tests covered what, where tests are known. */
  readonly coveredBy: CoveredBy = new CoveredBy();

  /** The hits of an operation, started where there are none. */
  operation(index: number): OperationHits {
    return this.operations[index] ??= new OperationHits(this.store);
  }
}
