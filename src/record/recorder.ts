import type { Diagnostic } from "../values/diagnostic.ts";
import type { HttpRequest, HttpResponse, InteractionDetails } from "../http/interaction.ts";
import { hasHeaders } from "../http/headers.ts";
import { type RequestText, requestText } from "../http/request_text.ts";
import { FULL_VISIBILITY, type Visibility } from "../http/visibility.ts";
import { listsHeaders } from "../http/visible_headers.ts";
import { RecordingError } from "../values/errors.ts";
import { tooMany } from "../values/too_many.ts";
import type { CoveragePlan, OperationPlan } from "../map/coverage_plan.ts";
import type { Hits } from "../map/hits.ts";
import { trafficDiagnostics } from "../map/traffic_diagnostics.ts";
import type { UnmatchedReason } from "../map/results.ts";
import { hideKnown } from "../redact/mask_known.ts";
import { hideCredentials, hidePath } from "../redact/redact_path.ts";
import { CredentialWatch } from "./credential_recorder.ts";
import { OperationRecorder, type RecorderState } from "./operation_recorder.ts";
import { RequestVerdict } from "./request_verdict.ts";
import { recordedBody } from "./recorded_body.ts";
import { ResponseContentRecorder } from "./response_content_recorder.ts";

/** Options of a recorder. */
export interface RecorderOptions {
  /** Lists the properties of responses that the description doesn't declare (default: false). */
  readonly undocumentedProperties?: boolean | undefined;
}

/** Adds interactions to hits: finds the operation, decodes, evaluates, counts. */
export class Recorder {
  readonly #plan: CoveragePlan;
  readonly #hits: Hits;
  readonly #state: RecorderState;
  readonly #listsUndeclared: boolean;
  readonly #operations: (OperationRecorder | undefined)[] = [];
  readonly #contents: (ResponseContentRecorder | undefined)[] = [];

  /** Counts into the hits. */
  constructor(plan: CoveragePlan, hits: Hits, options: RecorderOptions = {}) {
    this.#listsUndeclared = options.undocumentedProperties === true;
    this.#plan = plan;
    this.#hits = hits;
    const { program } = plan;
    this.#state = {
      program,
      store: hits.store,
      credentials: new CredentialWatch(hits.credentials),
      verdict: new RequestVerdict(program),
      request: 0,
      contentType: undefined,
      hidesPath: false,
    };
  }

  /** Diagnostics for values that could not be evaluated. */
  get diagnostics(): readonly Diagnostic[] {
    return trafficDiagnostics(this.#plan, this.#hits);
  }

  /**
   * Records one interaction; `timestamp` is in seconds since 1970, `test` names the test that sent it.
   *
   * @throws {TypeError} if the request isn't valid: it lacks a method or URL in text, or its body has another type; or
   *   if `count` is no whole number.
   * @throws {RecordingError} if the counts would no longer be exact; those of this map are of no use then.
   */
  record(
    request: HttpRequest,
    response?: HttpResponse,
    timestamp?: number,
    test?: string,
    details?: InteractionDetails,
  ): void {
    checkRequest(request);
    const hits = this.#hits;
    const weight = details?.count === undefined ? undefined : weightOf(details, timestamp);
    const count = weight === undefined ? 1 : weight.count;
    if (hits.recorded + count > Number.MAX_SAFE_INTEGER) throw tooMany();
    const at = timeOf(weight === undefined ? timestamp : weight.firstAt);
    const status = statusOf(response);
    hits.recorded += count;
    if (status !== undefined) hits.answered += count;
    hits.seeAt(at);
    if (weight !== undefined) hits.seeAt(timeOf(weight.lastAt));
    const visibility = details?.visibility;
    hits.visible.add(visibility, request, response);
    hits.coveredBy.trim();
    const sender = test === undefined || test === "" ? undefined : hits.coveredBy.indexOf(test);
    const routes = this.#plan.routes;
    const match = routes.match(request.method, request.url);
    if (match.kind === "unmatched") {
      const { host, path, reason } = match;
      const shown = shownPath(path, reason, request);
      hits.unmatched.add(request.method.toUpperCase(), host, shown, reason, at, count);
      if (reason === "no_matching_path" || reason === "outside_base_path") {
        const hints = routes.suggestPrefixes(request.method, path);
        // With its secret no base path may be shown, and without it none can be used.
        hits.hints.add(
          hints.filter(({ prefix }) => hideKnown(request, hidePath(prefix)) === prefix),
          count,
        );
      }
      return;
    }
    hits.matched += count;
    const recorder = this.#operations[match.index] ??= this.#start(match.index);
    if (sender !== undefined || hits.coveredBy.isUsed) {
      hits.coveredBy.enter(match.index, recorder.hits, sender);
    }
    hits.store.begin(at);
    const text = requestText(match.captures, match.query, request.headers ?? undefined);
    const body = recordedBody(request, text.headers);
    recorder.hits.add(at, status, count);
    this.#state.hidesPath = visibility !== undefined && !visibility.path_parameters;
    if (weight === undefined) {
      recorder.record(status, response?.elapsed, text, body);
      if (status !== undefined) {
        this.#settle(match.index, status, request, text, response, visibility);
      }
    } else {
      recorder.hits.seeAt(timeOf(weight.lastAt));
      try {
        hits.store.weigh(count, () => {
          recorder.record(status, undefined, text, body);
          if (status !== undefined) {
            this.#settle(match.index, status, request, text, response, visibility);
          }
        });
        if (status !== undefined) recorder.addDurations(status, count, response);
      } catch (error) {
        if (error instanceof RecordingError) hits.broken = error;
        throw error;
      }
    }
    this.#state.verdict.clear();
  }

  /** Adds what the answer to a request proves and holds. */
  #settle(
    index: number,
    status: number,
    request: HttpRequest,
    text: RequestText,
    response: HttpResponse | undefined,
    visibility: Visibility | undefined,
  ): void {
    const recorder = this.#operations[index] as OperationRecorder; // it has recorded the request
    recorder.settle(status, shownOf(visibility, request));
    if (response !== undefined && hasContent(response)) {
      this.#contentRecorder(index).record(status, response, visibility);
    }
    recorder.credentials?.record(status, request, text, visibility, this.#hits.store.weight);
  }

  #contentRecorder(index: number): ResponseContentRecorder {
    let recorder = this.#contents[index];
    if (recorder === undefined) {
      const operation = this.#plan.operations[index] as OperationPlan; // routes index the operations
      recorder = new ResponseContentRecorder(
        operation,
        this.#hits.operation(index),
        this.#plan.responseSchemas.program,
        this.#listsUndeclared,
      );
      this.#contents[index] = recorder;
    }
    return recorder;
  }

  #start(index: number): OperationRecorder {
    const operation = this.#plan.operations[index] as OperationPlan; // routes index the operations
    return new OperationRecorder(operation, this.#state, this.#hits.operation(index));
  }
}

/** What an interaction that stands for several says of them. */
interface Weight {
  readonly count: number;
  readonly firstAt: number | undefined;
  readonly lastAt: number | undefined;
}

function weightOf(
  { count, first_at, last_at }: InteractionDetails,
  timestamp: number | undefined,
): Weight {
  if (!Number.isSafeInteger(count) || count === undefined || count < 1) {
    throw new TypeError(
      `record() takes a \`count\` that is a whole number from 1 to 9,007,199,254,740,991, not ${count}.`,
    );
  }
  const firstAt = first_at ?? last_at ?? timestamp;
  return { count, firstAt, lastAt: last_at ?? firstAt };
}

/** A time in seconds since 1970; null if it is unknown. */
function timeOf(seconds: number | undefined): number | null {
  return typeof seconds === "number" && Number.isFinite(seconds) ? seconds : null;
}

/** What is known of a request; undefined if it is all of it. One without header fields was recorded without them. */
function shownOf(
  visibility: Visibility | undefined,
  { headers }: HttpRequest,
): Visibility | undefined {
  const { request_headers } = visibility ?? FULL_VISIBILITY;
  if (listsHeaders(request_headers) || hasHeaders(headers)) return visibility;
  return withoutHeaders(visibility ?? FULL_VISIBILITY);
}

const HEADERLESS = new WeakMap<Visibility, Visibility>();

/** The same object for the same one, as those who ask what it hides keep the answer. */
function withoutHeaders(visibility: Visibility): Visibility {
  let headerless = HEADERLESS.get(visibility);
  if (headerless === undefined) {
    HEADERLESS.set(visibility, headerless = { ...visibility, request_headers: "none" });
  }
  return headerless;
}

/** True if a recording has more of a response than its status. */
function hasContent({ headers, body, body_truncated }: HttpResponse): boolean {
  return body !== undefined && body !== null || body_truncated === true ||
    headers !== undefined && headers !== null;
}

/** The path of an unmatched request, which is in every report: without its secrets. */
function shownPath(path: string, reason: UnmatchedReason, request: HttpRequest): string {
  // That is the template of the description.
  if (reason === "method_not_documented") return path;
  return hideKnown(request, hidePath(reason === "invalid_url" ? hideCredentials(path) : path));
}

/** Refuses what isn't a request, before anything of it is counted. */
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

/** The status of a response; undefined if there was none (recordings write 0 or -1 for that). */
function statusOf(response: HttpResponse | undefined): number | undefined {
  const status = response?.status_code;
  return typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 999
    ? status
    : undefined;
}
