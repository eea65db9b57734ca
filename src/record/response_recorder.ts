import type { HttpResponse } from "../http/interaction.ts";
import { documentedResponse, type OperationPlan } from "../map/coverage_plan.ts";
import type { CounterStore } from "../schema/counters.ts";
import type { RequestSource } from "../map/evidence.ts";
import type { OperationHits, ResponseHits } from "../map/operation_hits.ts";

/** A status with the hits of the matching documented response, if there is one. */
interface CountedStatus {
  readonly status: number;
  readonly response: ResponseHits | undefined;
  readonly next: CountedStatus | undefined;
}

export class ResponseRecorder {
  readonly #store: CounterStore;
  readonly #source: RequestSource | undefined;
  /** The last status, as most responses of one operation have the same. */
  #status = 0;
  /** The index of its response's counter; negative if the status isn't documented. */
  #at = -1;
  readonly #hits: OperationHits;
  /** A linked list of the statuses seen: they are few, so that this is faster than a map. */
  #statuses: CountedStatus | undefined;
  readonly #operation: OperationPlan;

  constructor(operation: OperationPlan, hits: OperationHits, source: RequestSource | undefined) {
    this.#source = source;
    this.#store = hits.store;
    this.#hits = hits;
    this.#operation = operation;
  }

  /** @param elapsed In seconds. */
  record(status: number, elapsed: number | undefined, redirectsSlash: boolean): void {
    if (status !== this.#status) {
      this.#at = this.#findResponse(status)?.at ?? -1;
      this.#status = status;
    }
    const at = this.#at;
    if (this.#hits.succeeded === 0) this.#addEvidence("failed", "", status, this.#source);
    if (at < 0) {
      const code = String(status);
      const kind = redirectsSlash ? "slash_redirect" : "undocumented_status";
      if (!redirectsSlash) this.#store.count(this.#hits.undocumentedResponse(code).at);
      this.#addEvidence(kind, code, status, redirectsSlash ? undefined : this.#source);
      return;
    }
    this.#store.count(at);
    if (isDuration(elapsed)) this.#findResponse(status)?.addElapsed(microseconds(elapsed));
  }

  #addEvidence(
    kind: "failed" | "slash_redirect" | "undocumented_status",
    detail: string,
    status_code: number,
    source: RequestSource | undefined,
  ): void {
    const { requestTime, weight } = this.#store;
    this.#hits.evidence.add(kind, -1, detail, requestTime, { status_code }, weight, source);
  }

  /** Adds the durations of `count` responses with a status, either equal ones or by sum and maximum. */
  addDurations(
    status: number,
    count: number,
    { elapsed, elapsed_sum: sum, elapsed_max: longest }: HttpResponse,
  ): void {
    const response = this.#findResponse(status);
    if (isDuration(sum) && isDuration(longest)) {
      response?.addElapsed(microseconds(sum), count, microseconds(longest));
    } else if (isDuration(elapsed)) {
      const each = microseconds(elapsed);
      response?.addElapsed(each * count, count, each);
    }
  }

  #findResponse(status: number): ResponseHits | undefined {
    for (let counted = this.#statuses; counted !== undefined; counted = counted.next) {
      if (counted.status === status) return counted.response;
    }
    const index = documentedResponse(this.#operation.model.responses, status);
    const response = index < 0 ? undefined : this.#hits.response(index);
    this.#statuses = { status, response, next: this.#statuses };
    return response;
  }
}

function isDuration(seconds: number | undefined): seconds is number {
  return typeof seconds === "number" && seconds >= 0 && seconds !== Infinity;
}

/** Rounds to whole microseconds, the unit in which durations are added up. */
function microseconds(seconds: number): number {
  return Math.round(seconds * 1e6);
}
