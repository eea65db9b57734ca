import { CounterStore } from "../schema/evaluation_context.ts";
import type { RecordingError } from "../values/errors.ts";
import { AccessHits } from "./access_hits.ts";
import { BasePathHints } from "./base_path.ts";
import { CredentialHits } from "./credential_hits.ts";
import { CoveredBy } from "./covered_by.ts";
import { NoticedHits } from "./noticed_hits.ts";
import { OperationHits } from "./operation_hits.ts";
import { Unmatched } from "./unmatched.ts";
import { VisibleParts } from "./visible_parts.ts";

/** The counts of all traffic, beside a plan; they add up in any order. */
export class Hits {
  recorded = 0;
  matched = 0;
  /** Interactions with the status of a response. */
  answered = 0;
  readonly store: CounterStore;
  /** By the operation's index; operations that were never called are absent. */
  readonly operations: (OperationHits | undefined)[] = [];
  /** Requests that matched none. */
  readonly unmatched: Unmatched = new Unmatched();
  /** Base paths under which they would have matched. */
  readonly hints: BasePathHints = new BasePathHints();
  readonly visible: VisibleParts = new VisibleParts();
  /** Recordings of which more may come, with what they show of credentials. */
  readonly credentials: CredentialHits = new CredentialHits();
  /** Who called which operation, where identities are known. */
  readonly access: AccessHits = new AccessHits();
  /** The tests that covered each part, if tests are known. */
  readonly coveredBy: CoveredBy = new CoveredBy();
  /** The parts of responses that were changed towards the tests. */
  readonly noticed: NoticedHits = new NoticedHits();
  /** True if some of it was counted without classes of values, so that those that are missing may have come. */
  lacksValues = false;
  /** Why an interaction was counted in part, after which no count means anything; undefined where none was. */
  broken: RecordingError | undefined = undefined;
  // Numbers from the start, which are changed where they are: null as a beginning would make each change an object.
  #first = Infinity;
  #last = -Infinity;

  constructor(store: CounterStore = new CounterStore()) {
    this.store = store;
  }

  /** The first time in the traffic, in seconds since 1970; null if no time is known. */
  get firstAt(): number | null {
    return this.#first === Infinity ? null : this.#first;
  }

  get lastAt(): number | null {
    return this.#last === -Infinity ? null : this.#last;
  }

  /** Adds a finite time; null if it is unknown. */
  seeAt(time: number | null): void {
    if (time === null) return;
    if (time < this.#first) this.#first = time;
    if (time > this.#last) this.#last = time;
  }

  operation(index: number): OperationHits {
    return this.operations[index] ??= new OperationHits(this.store);
  }
}
