import type { OperationPlan } from "../map/coverage_plan.ts";
import type { OperationHits, ResponseHits } from "../map/operation_hits.ts";

/** A status, and what counts it: the documented response that it stands for, else none. */
interface CountedStatus {
  readonly status: number;
  readonly response: ResponseHits | undefined;
  /** The one that came first before it. */
  readonly next: CountedStatus | undefined;
}

/** Records the responses of one operation. */
export class ResponseRecorder {
  readonly #operation: OperationPlan;
  readonly #hits: OperationHits;
  /** The statuses that came, one after the other: few, so that looking through them is faster than hashing. */
  #statuses: CountedStatus | undefined;

  /** Counts into the hits of the operation. */
  constructor(operation: OperationPlan, hits: OperationHits) {
    this.#operation = operation;
    this.#hits = hits;
  }

  /** Adds the response to one request; `elapsed` is in seconds. */
  record(status: number, elapsed: number | undefined): void {
    if (status >= 200 && status < 400) this.#hits.succeeded++;
    else if (status >= 400 && status < 500) this.#hits.refused++;
    const response = this.#responseOf(status);
    if (response === undefined) {
      const { undocumented } = this.#hits;
      const code = String(status);
      undocumented.set(code, (undocumented.get(code) ?? 0) + 1);
      return;
    }
    const { fresh, now } = this.#hits.store;
    if (response.hits < fresh && now < response.firstAt) response.firstAt = now;
    response.hits++;
    if (typeof elapsed !== "number" || !(elapsed >= 0) || elapsed === Infinity) return;
    const microseconds = Math.round(elapsed * 1e6);
    response.timed++;
    response.elapsed += microseconds;
    if (microseconds > response.slowest) response.slowest = microseconds;
  }

  #responseOf(status: number): ResponseHits | undefined {
    for (let counted = this.#statuses; counted !== undefined; counted = counted.next) {
      if (counted.status === status) return counted.response;
    }
    const index = this.#indexOf(String(status));
    const response = index < 0 ? undefined : this.#hits.response(index);
    this.#statuses = { status, response, next: this.#statuses };
    return response;
  }

  /** The first documented response with the code, else with its range, else `default`. */
  #indexOf(code: string): number {
    for (const key of [code, `${code.charAt(0)}XX`, "DEFAULT"]) {
      const index = this.#operation.model.responses.findIndex(({ status_code }) =>
        status_code.toUpperCase() === key
      );
      if (index >= 0) return index;
    }
    return -1;
  }
}
