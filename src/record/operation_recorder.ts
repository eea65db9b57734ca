import type { Json, RawText } from "../values/json.ts";
import { type BodyDecoder, compileBody, type DecodedBody, decodeJson } from "../http/body.ts";
import { isAsciiJson } from "../http/body_text.ts";
import { readForm } from "../http/form_plan.ts";
import type { HttpResponse } from "../http/interaction.ts";
import { FULL_VISIBILITY, showsHeader, type Visibility } from "../http/visibility.ts";
import type { ParameterDecoder } from "../http/parameter_style.ts";
import { contentTypeKind, readContentType } from "../http/media_type.ts";
import { decodeFormText, decodePercent } from "../http/percent.ts";
import type { RequestText } from "../http/request_text.ts";
import { readText } from "../http/decoded.ts";
import type { OperationPlan } from "../map/coverage_plan.ts";
import { addCounts } from "../values/errors.ts";
import type { RequestSource } from "../map/evidence.ts";
import type { OperationHits, ParameterHits } from "../map/operation_hits.ts";
import { propertyEncodings } from "../map/parameter_encoding.ts";
import { parameterName, type ParameterPlan } from "../map/parameter_plan.ts";
import { defaultLeftOutClass } from "../map/value_places.ts";
import { showsParameter } from "../map/visible_parts.ts";
import { equalText } from "../schema/equal.ts";
import type { CounterStore } from "../schema/counters.ts";
import type { SchemaProgram } from "../schema/schema_unit.ts";
import { CredentialRecorder, type CredentialState } from "./credential_recorder.ts";
import { DocumentedBodies } from "./documented_bodies.ts";
import {
  isInBody,
  prepareTargets,
  type RequiredParameter,
  requiredParameters,
} from "./prepare_targets.ts";
import type { JudgedOperation, MissingParameter, RequestVerdict } from "./request_verdict.ts";
import { mediaTypeText, type RecordedBody, type SentRequest } from "./sent_request.ts";
import { UndocumentedParameters } from "./undocumented_parameters.ts";
import { ResponseRecorder } from "./response_recorder.ts";
import type { BodyTarget, FieldTarget, Target } from "./target.ts";

/** State shared by the recorders of all operations of a map. */
export interface RecorderState {
  readonly program: SchemaProgram;
  readonly store: CounterStore;
  readonly credentials: CredentialState;
  readonly sent: SentRequest;
  /** The same as `sent`, as the example of findings; undefined if examples are off. */
  readonly source: RequestSource | undefined;
  readonly verdict: RequestVerdict;
  requestNumber: number;
  /** The last Content-Type. Requests with the same one share this string. */
  contentType: string | undefined;
  /** The parts of the current request that the recording shows; undefined for all. */
  shownParts: Visibility | undefined;
  /** True if the response is a redirect that only adds or removes a slash, which needs no documentation. */
  isSlashRedirect: boolean;
  /** True if the current request sends the parameters of its query in the form in its body. */
  hasQueryInForm: boolean;
}

/** Up to this many names, comparing each is faster than hashing a name that was just decoded. */
const FEW_NAMES = 8;

/** Records the requests of one operation. Decoders for its parameters are prepared once. */
export class OperationRecorder implements JudgedOperation {
  // The fields that every request needs are first.
  readonly #state: RecorderState;
  readonly #responses: ResponseRecorder;
  readonly #firstInPath: Target | undefined;
  /** Query parameters that only a pair with exactly their name carries. Most requests have few of them. */
  readonly #exactNames: readonly (string | Target)[];
  readonly #bodies: DocumentedBodies<BodyTarget> | undefined;
  readonly hits: OperationHits;
  /** The same by name, if there are many. */
  readonly #byName: ReadonlyMap<string, Target> | undefined;
  readonly #decoded: readonly Target[];
  readonly #cookies: readonly Target[];
  readonly #forms: readonly FieldTarget[];
  /** The media type of a form without Content-Type: the only documented one; empty if there are several. */
  readonly #formType: string;
  readonly #required: readonly RequiredParameter[];
  readonly #plan: OperationPlan;
  #undocumentedNames: UndocumentedParameters | undefined;
  /** Undefined if the operation requires no credentials. */
  readonly credentials: CredentialRecorder | undefined;
  #hasBody = false;
  /** True if the fields of the current request's form could be read. */
  #hasForm = false;
  /** The cached result of {@linkcode OperationRecorder.hidesParameters}, for `#cachedParts`. */
  #hidesSome = false;
  readonly #withDefaults: readonly ParameterPlan[];
  #cachedParts: Visibility | undefined;

  constructor(operation: OperationPlan, state: RecorderState, hits: OperationHits) {
    this.#state = state;
    this.#responses = new ResponseRecorder(operation, hits, state.source);
    this.hits = hits;
    const targets = prepareTargets(operation, state.program);
    const { firstInPath, decoded, exactNames, cookies, bodies, forms } = targets;
    this.#firstInPath = firstInPath;
    this.#decoded = sharedIfEmpty(decoded);
    this.#exactNames = sharedIfEmpty(exactNames);
    this.#byName = exactNames.length <= 2 * FEW_NAMES ? undefined : indexTargets(exactNames);
    this.#cookies = sharedIfEmpty(cookies);
    this.#bodies = bodies.length === 0 ? undefined : new DocumentedBodies(bodies);
    this.#forms = sharedIfEmpty(forms);
    const [field] = forms;
    const consumes = operation.parameters[field?.value.index ?? -1]?.model.consumes ?? [URLENCODED];
    this.#formType = consumes.length === 1 ? consumes[0] ?? "" : "";
    this.#plan = operation;
    this.#withDefaults = sharedIfEmpty(
      operation.parameters.filter((plan) => defaultLeftOutClass(plan) !== undefined),
    );
    const { index, model: { security } } = operation;
    this.credentials = security &&
      new CredentialRecorder(index, security, hits, state.credentials);
    const namedTargets = exactNames.filter((entry) => typeof entry === "object");
    const values = [...bodies, ...forms].map(({ value }) => value);
    const carriers = [...decoded, ...namedTargets, ...cookies, ...values];
    this.#required = sharedIfEmpty(requiredParameters(operation, carriers));
  }

  /** Adds one request. @param status The status of its response. */
  record(status: number | undefined, request: RequestText, body: RecordedBody | undefined): void {
    this.#state.requestNumber++;
    this.#hasBody = body !== undefined;
    this.#hasForm = false;
    const { shownParts } = this.#state;
    if (shownParts !== undefined) {
      this.#countHidden(({ location, name }) => !showsParameter(shownParts, location, name));
    }
    const hidesPath = this.#hidesPath();
    for (let target = this.#firstInPath; target !== undefined; target = target.next) {
      const text = request.captures[target.template];
      if (text === undefined) continue;
      if (hidesPath) this.#addHidden(target);
      else this.#recordScalar(target, decodePercent(text));
    }
    if (this.#decoded !== NONE) this.#recordDecodedFrom(this.#decoded, request);
    if (request.queryText !== "") this.#recordQuery(request);
    if (this.#cookies !== NONE && request.cookies.length > 0) {
      this.#recordDecodedFrom(this.#cookies, request);
    }
    if (body === undefined) return;
    const state = this.#state;
    let contentType = readContentType(request.headers.get("content-type"));
    if (contentType === state.contentType) contentType = state.contentType;
    else state.contentType = contentType;
    const isBody = this.#bodies !== undefined && this.#recordBody(this.#bodies, body, contentType);
    const isForm = this.#forms !== NONE && this.#recordForm(body, contentType);
    if (isBody || isForm || state.hasQueryInForm) return;
    if (!contentType && this.#mayBeDocumented(body)) {
      state.verdict.markUnjudged();
      this.#countHiddenFields();
      return;
    }
    const content = { status: "", mediaType: mediaTypeText(contentType), pointer: "" };
    const example = status === undefined ? undefined : { status_code: status };
    const entry = { ...content, hits: state.store.weight, firstAt: Infinity, example };
    this.hits.undocumentedBodies.add(entry, state.source);
    state.verdict.addOtherFault();
  }

  /** Counts requests with a hidden parameter, which must not count as left out. */
  #countHidden(isHidden: (model: ParameterPlan["model"]) => boolean): void {
    const counts = this.hits.hiddenParameters;
    for (const plan of this.#withDefaults) {
      if (!isHidden(plan.model)) continue;
      const name = parameterName(plan);
      counts.set(name, addCounts(counts.get(name) ?? 0, this.#state.store.weight));
    }
  }

  /** Counts unreadable forms, whose fields are unknown, unless the recording hides forms, which was counted before. */
  #countHiddenFields(): void {
    const { shownParts = FULL_VISIBILITY } = this.#state;
    this.#countHidden(({ location, name }) =>
      location === "form_data" && showsParameter(shownParts, location, name)
    );
  }

  get #undocumented(): UndocumentedParameters {
    return this.#undocumentedNames ??= new UndocumentedParameters(this.#plan, this.hits);
  }

  /** Adds the durations of the `count` responses that one interaction represents. */
  addDurations(status: number, count: number, response: HttpResponse | undefined): void {
    this.#responses.addDurations(status, count, response ?? {});
  }

  /** Adds the response to the last request, with its duration in seconds, and its evidence. */
  recordResponse(status: number, elapsed: number | undefined): void {
    this.#responses.record(status, elapsed, this.#state.isSlashRedirect);
    this.#state.verdict.addEvidence(status, this);
  }

  lacksBody(parameter: number): boolean {
    return !this.#hasBody && isInBody(this.#plan.parameters[parameter]?.model.location);
  }

  isInPath(parameter: number): boolean {
    return this.#plan.parameters[parameter]?.model.location === "path";
  }

  hidesParameters(): boolean {
    const { shownParts } = this.#state;
    if (shownParts === undefined) return false;
    if (shownParts !== this.#cachedParts) {
      this.#cachedParts = shownParts;
      this.#hidesSome = this.#plan.parameters.some(({ model: { location, name } }) =>
        !showsParameter(shownParts, location, name)
      );
    }
    return this.#hidesSome;
  }

  missingParameters(): readonly MissingParameter[] {
    if (this.#required === NONE) return NONE;
    const { requestNumber } = this.#state;
    let lacking: MissingParameter[] | undefined;
    for (const required of this.#required) {
      if (isSent(requestNumber, required.targets)) continue;
      if (this.#isHidden(required)) continue;
      // A body with another media type is a fault of its own.
      if (required.isBody && this.#hasBody && !this.#hasForm) continue;
      (lacking ??= []).push(required);
    }
    return lacking ?? NONE;
  }

  #isHidden({ parameters: [index = -1] }: RequiredParameter): boolean {
    const { shownParts } = this.#state;
    const model = this.#plan.parameters[index]?.model;
    if (shownParts === undefined || model === undefined) return false;
    return !showsParameter(shownParts, model.location, model.name);
  }

  #recordQuery(request: RequestText): void {
    const number = this.#state.requestNumber;
    for (const { name, value } of request.query) {
      const target = this.#byName === undefined
        ? findTarget(this.#exactNames, name)
        : this.#byName.get(name);
      if (target === undefined) {
        if (!this.#state.hasQueryInForm) this.#undocumented.add(name);
        continue;
      }
      if (target.lastRequest === number) continue;
      target.lastRequest = number;
      const { decode } = target;
      if (decode === undefined) this.#recordScalar(target, decodeFormText(value));
      else this.#recordParameter(target, decode(request));
    }
  }

  #recordDecodedFrom(targets: readonly Target[], request: RequestText): void {
    const hidesPath = this.#hidesPath();
    for (const target of targets) {
      if (hidesPath && this.isInPath(target.index)) this.#addHidden(target);
      else this.#recordParameter(target, target.decode?.(request));
    }
  }

  #recordParameter(target: Target, decoded: ReturnType<ParameterDecoder>): void {
    if (decoded === undefined) return;
    target.lastRequest = this.#state.requestNumber;
    this.#countHit(target);
    if (decoded === "malformed") this.#addMalformed(target);
    else if (decoded === "unsupported") this.#state.verdict.markUnjudged();
    else this.#recordValue(target, decoded.value, decoded.raw);
  }

  #addHidden(target: Target): void {
    this.#countHit(target);
    this.#targetHits(target).notRecorded += this.#state.store.weight;
    this.#state.verdict.markUnjudged();
  }

  #recordScalar(target: Target, text: string): void {
    this.#countHit(target);
    this.#recordValue(target, readText(text, target.types), { text, parts: undefined });
  }

  #countHit(target: Target): void {
    if (target.at < 0) target.at = this.#targetHits(target).at;
    this.#state.store.count(target.at);
  }

  #targetHits(target: Target): ParameterHits {
    return target.hits ??= this.hits.parameter(target.index);
  }

  #recordValue(target: Target, value: Json, raw: RawText | undefined): void {
    // Checked before decoding as an array or number, after which a placeholder couldn't be recognized.
    if (raw?.text !== undefined && this.#state.program.isReplaced(raw.text)) {
      this.#targetHits(target).replaced = true;
      this.#state.verdict.markUnjudged();
      return;
    }
    this.#evaluate(target, value, raw);
    if (target.examples.length > 0) this.#recordExamples(target, value, raw);
    if (target.values !== undefined) this.#countListedValue(target, target.values, value, raw);
  }

  #countListedValue(
    target: Target,
    values: ReadonlyMap<unknown, number>,
    value: Json,
    raw: RawText | undefined,
  ): void {
    const index = values.get(value) ?? values.get(raw?.text);
    if (index === undefined) return;
    const counts = this.#targetHits(target).values ??= [];
    counts[index] = (counts[index] ?? 0) + this.#state.store.weight;
  }

  #recordExamples(target: Target, value: Json, raw: RawText | undefined): void {
    for (const { value: example, index } of target.examples) {
      if (!equalText(value, raw, example)) continue;
      this.#state.store.count(this.#targetHits(target).exampleAt(index));
    }
  }

  /** Returns false if the description has no such body. */
  #recordBody(
    bodies: DocumentedBodies<BodyTarget>,
    body: RecordedBody,
    contentType: string | undefined,
  ): boolean {
    const selected = bodies.select(body, contentType);
    if (selected === undefined) return false;
    const { documented, mediaType } = selected;
    this.#state.sent.documentedBody = documented.plan;
    const target = documented.value;
    target.lastRequest = this.#state.requestNumber;
    this.#countHit(target);
    if (body.kind === "not_recorded") {
      this.#targetHits(target).notRecorded += this.#state.store.weight;
      this.#state.verdict.markUnjudged();
    } else if (body.kind === "malformed") this.#addMalformed(target);
    else if (contentTypeKind(mediaType) === "json") {
      const { program } = this.#state;
      if (program.countsValues) program.isAscii = isAsciiJson(body.data);
      this.#recordDecoded(documented, decodeJson(body.data));
      if (program.countsValues) program.isAscii = false;
    } else {
      const decode = documented.decode ??= chooseDecoder(documented.plan);
      this.#recordDecoded(documented, decode(body.data, mediaType));
    }
    return true;
  }

  #addMalformed(target: Target): void {
    this.#targetHits(target).malformed += this.#state.store.weight;
    this.#state.verdict.addOtherFault();
  }

  #recordDecoded(target: BodyTarget, decoded: DecodedBody): void {
    if (decoded === "malformed") return this.#addMalformed(target.value);
    if (decoded === "unsupported") return this.#state.verdict.markUnjudged();
    const { value, raw, items, described = [] } = decoded;
    if (items === undefined) return this.#recordValue(target.value, value, raw);
    this.#state.program.share(() => {
      for (const item of items) this.#evaluate(target.items, item, undefined);
      for (const one of described) this.#recordValue(target.value, one, undefined);
      if (described === items) this.#recordExamples(target.value, value, undefined);
    });
  }

  /** True if a body without Content-Type may be a documented one, as its recording doesn't show the type. */
  #mayBeDocumented({ kind }: RecordedBody): boolean {
    if (this.#bodies === undefined && this.#forms === NONE) return false;
    const { request_headers } = this.#state.shownParts ?? FULL_VISIBILITY;
    return kind !== "data" || !showsHeader(request_headers, "content-type");
  }

  /** True if the recording has the route of the current request in place of its path. */
  #hidesPath(): boolean {
    return this.#state.shownParts?.path_parameters === false;
  }

  /** Returns false if the body isn't a form. */
  #recordForm(body: RecordedBody, contentType: string | undefined): boolean {
    const { verdict, requestNumber } = this.#state;
    const fields = body.kind === "data"
      ? readForm(body.data, contentType || this.#formType)
      : "replaced";
    if (fields === undefined) return false;
    if (fields === "replaced") { // its fields are unknown
      verdict.markUnjudged();
      this.#countHiddenFields();
      return true;
    }
    if (fields === "malformed") {
      verdict.addOtherFault();
      this.#countHiddenFields();
      return true;
    }
    this.#hasForm = true;
    for (const { value, decode } of this.#forms) {
      const decoded = decode(fields);
      if (decoded === undefined) continue;
      value.lastRequest = requestNumber;
      this.#countHit(value);
      this.#recordValue(value, decoded.value, decoded.raw);
    }
    return true;
  }

  #evaluate(target: Target, value: Json, text: RawText | undefined): void {
    const { program, store } = this.#state;
    try {
      if (target.evaluate === undefined) {
        const { unit } = target;
        if (unit === undefined) {
          if (target.rejectsAll) this.#state.verdict.markUnjudged();
          return;
        }
        target.counters = this.#targetHits(target).counters;
        target.base = target.counters.base(unit);
        target.evaluate = unit.entrance;
      }
      if (!program.enter(target.evaluate, value, target.counters, store, target.base, text)) {
        this.#state.verdict.addFailure(target, value, text);
      }
      if (program.isIncomplete) {
        program.addIncompleteReasons(this.#targetHits(target));
        this.#state.verdict.markUnjudged();
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#targetHits(target).nestedTooDeep = true; // stack overflow before our own limit
      this.#state.verdict.markUnjudged();
    }
  }
}

const NONE: readonly never[] = [];

/** The media type of forms if the description names none. */
const URLENCODED = "application/x-www-form-urlencoded";

/** Replaces empty lists by a shared one, which stays in the CPU's caches. */
function sharedIfEmpty<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? NONE : list;
}

/** Finds a parameter in a list that alternates between names and parameters. */
function findTarget(named: readonly (string | Target)[], name: string): Target | undefined {
  for (let index = 0; index < named.length; index += 2) {
    if (named[index] === name) return named[index + 1] as Target; // follows its name
  }
  return undefined;
}

function isSent(request: number, targets: readonly Target[]): boolean {
  for (const { lastRequest } of targets) if (lastRequest === request) return true;
  return false;
}

function indexTargets(named: readonly (string | Target)[]): Map<string, Target> {
  const map = new Map<string, Target>();
  for (let index = 0; index < named.length; index += 2) {
    map.set(named[index] as string, named[index + 1] as Target); // names alternate with targets
  }
  return map;
}

function chooseDecoder(plan: ParameterPlan): BodyDecoder {
  const form = { shape: plan.shape, properties: propertyEncodings(plan.model) };
  return compileBody(form, () => plan.comparesText);
}
