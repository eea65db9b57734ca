import type { Diagnostic } from "../diagnostic.ts";
import type { HttpRequest, HttpResponse } from "../http/interaction.ts";
import { requestText } from "../http/request_text.ts";
import type { CoveragePlan, OperationPlan } from "../map/coverage_plan.ts";
import { earlier, type Hits, later, type OperationHits } from "../map/hits.ts";
import { trafficDiagnostics } from "../map/traffic_diagnostics.ts";
import { OperationRecorder } from "./operation_recorder.ts";
import { recordedBody } from "./recorded_body.ts";

/** Adds interactions to hits: finds the operation, decodes, evaluates, counts. */
export class Recorder {
  readonly #plan: CoveragePlan;
  readonly #hits: Hits;
  readonly #operations: (OperationRecorder | undefined)[] = [];
  readonly #statuses: (Map<string, number> | undefined)[] = [];

  /** Counts into the hits. */
  constructor(plan: CoveragePlan, hits: Hits) {
    this.#plan = plan;
    this.#hits = hits;
  }

  /** What could not be evaluated. */
  get diagnostics(): readonly Diagnostic[] {
    return trafficDiagnostics(this.#plan, this.#hits);
  }

  /**
   * Records one interaction; `timestamp` is in seconds since 1970, `test` names the test that sent it.
   *
   * @throws {TypeError} where the request is none: without a method or URL in text, or with a body of another type.
   */
  record(
    request: HttpRequest,
    response?: HttpResponse,
    timestamp?: number,
    test?: string,
  ): void {
    checkRequest(request);
    const hits = this.#hits;
    const at = typeof timestamp === "number" && Number.isFinite(timestamp) ? timestamp : null;
    const status = statusOf(response);
    hits.recorded++;
    if (status !== undefined) hits.answered++;
    hits.firstAt = earlier(hits.firstAt, at);
    hits.lastAt = later(hits.lastAt, at);
    const sender = test === undefined || test === "" ? undefined : hits.coveredBy.indexOf(test);
    const routes = this.#plan.routes;
    const match = routes.match(request.method, request.url);
    if (match.kind === "unmatched") {
      hits.unmatched.add(
        request.method.toUpperCase(),
        match.host,
        match.path,
        match.reason,
        at,
      );
      if (match.reason === "no_matching_path" || match.reason === "outside_base_path") {
        hits.hints.add(routes.suggestPrefixes(request.method, match.path));
      }
      return;
    }
    hits.matched++;
    const plan = this.#plan.operations[match.index] as OperationPlan; // routes index the operations
    const operation = hits.operation(match.index);
    if (sender !== undefined || hits.coveredBy.isUsed) {
      hits.coveredBy.enter(match.index, operation, sender);
    }
    operation.hits++;
    operation.firstAt = earlier(operation.firstAt, at);
    operation.lastAt = later(operation.lastAt, at);
    if (status !== undefined) this.#recordStatus(plan, operation, status, response?.elapsed);
    const text = requestText(match.captures, match.query, request.headers ?? undefined);
    let recorder = this.#operations[match.index];
    if (recorder === undefined) {
      recorder = new OperationRecorder(plan, this.#plan.program);
      this.#operations[match.index] = recorder;
    }
    recorder.record(text, recordedBody(request, text.headers), operation);
  }

  #recordStatus(
    plan: OperationPlan,
    hits: OperationHits,
    status: number,
    elapsed: number | undefined,
  ): void {
    let statuses = this.#statuses[plan.index];
    if (statuses === undefined) {
      statuses = new Map();
      for (let index = plan.model.responses.length - 1; index >= 0; index--) {
        statuses.set((plan.model.responses[index]?.status_code ?? "").toUpperCase(), index);
      }
      this.#statuses[plan.index] = statuses;
    }
    const code = String(status);
    const index = statuses.get(code) ?? statuses.get(`${code.charAt(0)}XX`) ??
      statuses.get("DEFAULT");
    if (index === undefined) {
      hits.undocumented.set(code, (hits.undocumented.get(code) ?? 0) + 1);
      return;
    }
    const response = hits.response(index);
    response.hits++;
    if (typeof elapsed !== "number" || !(elapsed >= 0) || elapsed === Infinity) return;
    const microseconds = Math.round(elapsed * 1e6);
    response.timed++;
    response.elapsed += microseconds;
    response.slowest = Math.max(response.slowest, microseconds);
  }
}

/** Refuses what is no request, before anything of it is counted. */
function checkRequest(request: HttpRequest): void {
  if (typeof request?.method !== "string" || typeof request.url !== "string") {
    throw new TypeError(
      'record() takes a request with a `method` and a `url` in text: record({ method: "GET", url: "/users" }).',
    );
  }
  const { body } = request;
  if (
    body !== undefined && body !== null && typeof body !== "string" &&
    !(body instanceof Uint8Array)
  ) {
    throw new TypeError(
      "record() takes a `body` in bytes (Uint8Array) or text, as it was sent: use JSON.stringify() for objects.",
    );
  }
}

/** The status of a response; undefined where there was none (0 and -1 stand for that in recordings). */
function statusOf(response: HttpResponse | undefined): number | undefined {
  const status = response?.status_code;
  return typeof status === "number" && status >= 100 && status <= 999 ? status : undefined;
}
