import type { Diagnostic } from "../values/diagnostic.ts";
import type { HttpRequest, HttpResponse, InteractionDetails } from "../http/interaction.ts";
import { hasHeaders, headerLookup } from "../http/headers.ts";
import { RequestText } from "../http/request_text.ts";
import { FULL_VISIBILITY, showsHeader, type Visibility } from "../http/visibility.ts";
import { countOverflowError, RecordingError } from "../values/errors.ts";
import type { CoveragePlan, OperationPlan } from "../map/coverage_plan.ts";
import type { Hits } from "../map/hits.ts";
import { trafficDiagnostics } from "../map/traffic_diagnostics.ts";
import { hideSecretSegments } from "../redact/redact_request.ts";
import { Redactor } from "../redact/redactor.ts";
import { hideCredentials, hidePath } from "../redact/redact_path.ts";
import type { Identity } from "../redact/identities.ts";
import { AccessRecorder, type SenderLog } from "./access_recorder.ts";
import { CredentialState } from "./credential_recorder.ts";
import { LinkRecorder } from "./link_recorder.ts";
import { OperationRecorder, type RecorderState } from "./operation_recorder.ts";
import { recordedBody, RequestMessage, SentRequest, shownParts } from "./sent_request.ts";
import { RequestVerdict } from "./request_verdict.ts";
import { ResponseContentRecorder } from "./response_content_recorder.ts";
import { decodeFormText, decodePercent } from "../http/percent.ts";
import { parsePathTemplate } from "../map/path_template.ts";

/** The base for URLs without a server. */
const BASE = "http://localhost";

/**
 * True if a response redirects to the URL of its request with a trailing slash of the path added or removed, as routers
 * do by themselves. If the recording lacks `Location`, the path of the request must differ from the template by such a
 * slash. Servers are not compared: behind a gateway, an API may name another one.
 *
 * @param template The operation's path.
 */
function isSlashRedirect(
  template: string,
  url: string,
  { headers }: HttpResponse,
  { response_headers: visible }: Visibility = FULL_VISIBILITY,
): boolean {
  const requested = parseUrl(url, BASE);
  if (requested === undefined) return false;
  const location = headerLookup(headers).get("location");
  if (location === undefined) {
    if (hasHeaders(headers) && showsHeader(visible, "location")) return false;
    return requested.path.endsWith("/") !== parsePathTemplate(template).trailingSlash;
  }
  const target = parseUrl(location, requested.url);
  return target !== undefined && target.query === requested.query &&
    (target.path === `${requested.path}/` || requested.path === `${target.path}/`);
}

/** Returns the parts of a URL to compare; undefined for text that is no URL. */
function parseUrl(text: string, base: string | URL) {
  try {
    const url = new URL(text, base);
    return { url, path: decodePercent(url.pathname), query: decodeFormText(url.search) };
  } catch {
    return undefined;
  }
}

export interface RecorderOptions {
  /** True to count undeclared properties of responses (default: false). */
  readonly undocumentedProperties?: boolean | undefined;
  /** True for requests that nobody sends: each is meant for its operation, and findings store no example (default: false). */
  readonly isTrial?: boolean | undefined;
  /** The identities to recognize; if there are none, senders are not determined. */
  readonly identities?: readonly Identity[] | undefined;
}

/** Adds interactions to hits: finds the operation, then decodes, evaluates and counts. */
export class Recorder {
  readonly #plan: CoveragePlan;
  readonly #hits: Hits;
  readonly #state: RecorderState;
  readonly #listsUndeclared: boolean;
  readonly #access: AccessRecorder | undefined;
  readonly #operationRecorders: (OperationRecorder | undefined)[] = [];
  readonly #links: LinkRecorder | undefined;
  /** Operations that requests of indistinguishable ones count for. */
  readonly #ambiguous: ReadonlySet<number>;
  readonly #contentRecorders: (ResponseContentRecorder | undefined)[] = [];

  constructor(plan: CoveragePlan, hits: Hits, options: RecorderOptions = {}) {
    this.#listsUndeclared = options.undocumentedProperties === true;
    this.#plan = plan;
    this.#hits = hits;
    const { identities = [], isTrial = false } = options;
    this.#access = identities.length === 0 ? undefined : new AccessRecorder(plan, hits, identities);
    this.#ambiguous = new Set(isTrial ? [] : plan.routes.duplicates.values());
    this.#links = plan.links.length === 0 ? undefined : new LinkRecorder(plan, hits);
    const { program } = plan.schemas;
    const sent = new SentRequest(new Redactor(plan.model.secretNames));
    const source = isTrial ? undefined : sent;
    this.#state = {
      program,
      store: hits.store,
      credentials: new CredentialState(hits.credentials, source),
      verdict: new RequestVerdict(program, source),
      sent,
      source,
      requestNumber: 0,
      contentType: undefined,
      shownParts: undefined,
      isSlashRedirect: false,
      hasQueryInForm: false,
    };
  }

  keepSenders(senders: SenderLog): void {
    this.#access?.keepSenders(senders);
  }

  get diagnostics(): readonly Diagnostic[] {
    return trafficDiagnostics(this.#plan, this.#hits);
  }

  /** Records one interaction; throws a TypeError for an invalid request, and a RecordingError if counts overflow. */
  record(
    request: HttpRequest,
    response?: HttpResponse,
    timestamp?: number,
    test?: string,
    details?: InteractionDetails,
  ): void {
    checkRequest(request);
    const hits = this.#hits;
    const weight = details?.count === undefined ? undefined : readWeight(details, timestamp);
    const count = weight === undefined ? 1 : weight.count;
    if (hits.recorded + count > Number.MAX_SAFE_INTEGER) throw countOverflowError();
    const at = readTime(weight === undefined ? timestamp : weight.firstAt);
    const status = readStatus(response);
    hits.recorded += count;
    if (status !== undefined) hits.answered += count;
    hits.noteTime(at);
    if (weight !== undefined) hits.noteTime(readTime(weight.lastAt));
    const routes = this.#plan.routes;
    const message = routes.hasConditions ? new RequestMessage(request) : undefined;
    const visibility = details?.visibility;
    hits.visible.add(visibility, request, response);
    hits.coveredBy.trim();
    const caller = test === undefined || test === "" ? undefined : hits.coveredBy.testIndex(test);
    const match = routes.match(request.method, request.url, message);
    if (match.kind === "unmatched") {
      const { host, path, reason } = match;
      const hide = (text: string) => hideSecretSegments({ request, response }, hidePath(text));
      // Every report shows the path. If only the method is wrong, it is a template of the description.
      const shown = reason === "invalid_url" ? hideCredentials(path) : path;
      const maskedPath = reason === "method_not_documented" ? path : hide(shown);
      hits.unmatched.add(request.method.toUpperCase(), host, maskedPath, reason, at, count);
      if (reason === "no_matching_path" || reason === "outside_base_path") {
        const hints = routes.suggestPrefixes(request.method, path);
        // A base path with a secret must not be shown, and would be useless with the secret masked.
        hits.basePathHints.add(hints.filter(({ prefix }) => hide(prefix) === prefix), count);
      }
      return;
    }
    hits.matched += count;
    const recorder = this.#operationRecorders[match.index] ??= this.#createRecorder(match.index);
    if (caller !== undefined || hits.coveredBy.isUsed) {
      hits.coveredBy.setCaller(recorder.hits, caller);
    }
    hits.store.beginRequest(at);
    const { hasQueryInForm } = match;
    const query = hasQueryInForm && message !== undefined
      ? message.withFields(match.query)
      : match.query;
    const text = new RequestText(match.captures, query, request.headers);
    const body = recordedBody(request, text.headers);
    recorder.hits.add(at, status, count);
    this.#state.hasQueryInForm = hasQueryInForm;
    this.#state.sent.begin(request, text, body, hits.store.requestTime);
    this.#state.shownParts = shownParts(visibility, request);
    this.#state.credentials.tag = details?.identity;
    this.#state.isSlashRedirect = status !== undefined && response !== undefined &&
      this.#isRouterRedirect(match.index, status, request, response, visibility);
    if (this.#ambiguous.has(match.index)) this.#state.verdict.markUnjudged();
    if (weight === undefined) {
      recorder.record(status, text, body);
      this.#finish(match.index, status, response?.elapsed, request, text, response, visibility);
    } else {
      recorder.hits.noteTime(readTime(weight.lastAt));
      try {
        hits.store.countWeighted(count, () => {
          recorder.record(status, text, body);
          this.#finish(match.index, status, undefined, request, text, response, visibility);
        });
        if (status !== undefined) recorder.addDurations(status, count, response);
      } catch (error) {
        if (error instanceof RecordingError) hits.countError = error;
        throw error;
      }
    }
    this.#state.verdict.clear();
    if (this.#access === undefined || status === undefined) return;
    this.#access.record({
      index: match.index,
      status,
      request,
      text,
      response,
      visibility: this.#state.shownParts,
      tag: details?.identity,
      test: test ?? "",
      at,
      count,
    });
  }

  /** True for a redirect by the API's router, whose status need not be documented. */
  #isRouterRedirect(
    index: number,
    status: number,
    { url }: HttpRequest,
    response: HttpResponse,
    visibility: Visibility | undefined,
  ): boolean {
    if (status < 300 || status > 399 || status === 304) return false;
    const { model } = this.#plan.operations[index] as OperationPlan; // routes index the operations
    return !model.responses.some(({ status_code }) => status_code === String(status)) &&
      isSlashRedirect(model.path, url, response, visibility);
  }

  /** Adds the response's evidence and content, and the credentials of the request. */
  #finish(
    index: number,
    status: number | undefined,
    elapsed: number | undefined,
    request: HttpRequest,
    text: RequestText,
    response: HttpResponse | undefined,
    visibility: Visibility | undefined,
  ): void {
    const recorder = this.#operationRecorders[index] as OperationRecorder; // `record` created it
    const { shownParts, isSlashRedirect } = this.#state;
    if (status !== undefined) {
      recorder.recordResponse(status, elapsed);
      if (response !== undefined && !isSlashRedirect && hasContent(response)) {
        this.#contentRecorder(index).record(status, response, visibility);
      }
    }
    this.#links?.record(index, status, request, text, response);
    recorder.credentials?.record(status, request, text, shownParts);
  }

  #contentRecorder(index: number): ResponseContentRecorder {
    return this.#contentRecorders[index] ??= new ResponseContentRecorder(
      this.#plan.operations[index] as OperationPlan, // routes index the operations
      this.#hits.operation(index),
      this.#plan.responseSchemas.program,
      this.#listsUndeclared,
      this.#state.source,
    );
  }

  #createRecorder(index: number): OperationRecorder {
    const operation = this.#plan.operations[index] as OperationPlan; // routes index the operations
    return new OperationRecorder(operation, this.#state, this.#hits.operation(index));
  }
}

/** Returns the number and times of the interactions that one interaction represents. */
function readWeight(
  { count, first_at, last_at }: InteractionDetails,
  timestamp: number | undefined,
) {
  if (!Number.isSafeInteger(count) || count === undefined || count < 1) {
    throw new TypeError(
      `record() takes a \`count\` that is a whole number from 1 to 9,007,199,254,740,991, not ${count}.`,
    );
  }
  const firstAt = first_at ?? last_at ?? timestamp;
  return { count, firstAt, lastAt: last_at ?? firstAt };
}

function readTime(seconds: number | undefined): number | null {
  return typeof seconds === "number" && Number.isFinite(seconds) ? seconds : null;
}

/** True if a recording has more of a response than its status. */
function hasContent({ headers, body, body_truncated }: HttpResponse): boolean {
  return body !== undefined && body !== null || body_truncated === true || headers !== undefined;
}

/** Rejects an invalid request before counting anything. */
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

/** Returns the status of a response; undefined if there was none (recordings write 0 or -1 for that). */
function readStatus(response: HttpResponse | undefined): number | undefined {
  const status = response?.status_code;
  return typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 999
    ? status
    : undefined;
}
