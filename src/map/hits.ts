import { CounterStore } from "../schema/counters.ts";
import type { RecordingError } from "../values/errors.ts";
import { AccessHits } from "./access_hits.ts";
import { BasePathHints } from "./base_path.ts";
import { CredentialHits } from "./credential_hits.ts";
import { CoveredBy } from "./covered_by.ts";
import { NoticedHits } from "./noticed_hits.ts";
import { OperationHits } from "./operation_hits.ts";
import { UnmatchedRequests } from "./unmatched_requests.ts";
import { VisibleParts } from "./visible_parts.ts";

/** The counts of all traffic for one plan. They can be added in any order. */
export class Hits {
  recorded = 0;
  matched = 0;
  /** Interactions that have a response status. */
  answered = 0;
  readonly store: CounterStore;
  /** Indexed by operation; undefined for operations that were never called. */
  readonly operations: (OperationHits | undefined)[] = [];
  readonly unmatched: UnmatchedRequests = new UnmatchedRequests();
  readonly basePathHints: BasePathHints = new BasePathHints();
  readonly visible: VisibleParts = new VisibleParts();
  readonly credentials: CredentialHits = new CredentialHits();
  readonly access: AccessHits = new AccessHits();
  readonly coveredBy: CoveredBy = new CoveredBy();
  readonly noticed: NoticedHits = new NoticedHits();
  /** True if some traffic was counted without classes of values: uncovered classes may have been sent there. */
  lacksValues = false;
  /** Set if an interaction was counted only in part, after which no count is reliable. */
  countError: RecordingError | undefined = undefined;
  // Not null at first: V8 updates a field that only ever holds doubles in place, else it allocates each new number.
  #first = Infinity;
  #last = -Infinity;

  constructor(store: CounterStore = new CounterStore()) {
    this.store = store;
  }

  /** The time of the earliest interaction, in seconds since 1970; null if no time is known. */
  get firstAt(): number | null {
    return this.#first === Infinity ? null : this.#first;
  }

  get lastAt(): number | null {
    return this.#last === -Infinity ? null : this.#last;
  }

  /** @param time Finite, or null if unknown. */
  noteTime(time: number | null): void {
    if (time === null) return;
    if (time < this.#first) this.#first = time;
    if (time > this.#last) this.#last = time;
  }

  operation(index: number): OperationHits {
    return this.operations[index] ??= new OperationHits(this.store);
  }
}
