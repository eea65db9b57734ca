import { compileBody, type DecodedBody } from "../http/body.ts";
import { bodyText } from "../http/body_text.ts";
import { compileFormField } from "../http/form_body.ts";
import { readForm } from "../http/form_plan.ts";
import type { HttpRequest, HttpResponse } from "../http/interaction.ts";
import { readContentType, selectMediaType } from "../http/media_type.ts";
import { compileParameter } from "../http/parameter_style.ts";
import { RequestText } from "../http/request_text.ts";
import type { CoveragePlan, OperationPlan } from "../map/coverage_plan.ts";
import {
  collectionFormats,
  parameterEncoding,
  propertyEncodings,
} from "../map/parameter_encoding.ts";
import type { ParameterPlan } from "../map/parameter_plan.ts";
import { captureNames, parsePathTemplate } from "../map/path_template.ts";
import type { RouteCaptures } from "../map/routes.ts";
import { recordedBody, RequestMessage } from "../record/sent_request.ts";
import { maskEscaped } from "../redact/redact_form.ts";
import { redactInteraction } from "../redact/redact_request.ts";
import { Redactor } from "../redact/redactor.ts";
import { nameKind } from "../redact/secret_names.ts";
import { compareText } from "../values/collections.ts";
import type { Json } from "../values/json.ts";
import { compareSizes, LearnedPaths, type Preference } from "./learned_paths.ts";

/** A request that succeeded, with its secrets masked. */
export interface RecordedRequest {
  readonly request: HttpRequest;
  /** The text of each path template, percent-encoded. */
  readonly captures: RouteCaptures;
  readonly query: string;
}

/** Larger requests aren't used as a base for suggestions. */
const MAX_SIZE = 20_000;
const MAX_SERVERS = 100;

/**
 * The base for suggestions: the smallest successful request of each operation, ids from responses, and the URL
 * that most requests were sent to. Of requests of equal size, the first by text is kept, whatever their order.
 * With the preference `newest`, learned ids replace those in the requests' paths.
 */
export class RecordedRequests {
  readonly #plan: CoveragePlan;
  readonly #redactor: Redactor;
  readonly #learnedPaths: LearnedPaths;
  readonly #preference: Preference;
  readonly #requests = new Map<number, RecordedRequest & Record<"key" | "fields", string>>();
  readonly #servers = new Map<string, number>();

  constructor(plan: CoveragePlan, preference: Preference = "smallest") {
    this.#plan = plan;
    this.#preference = preference;
    this.#learnedPaths = new LearnedPaths(plan, preference);
    this.#redactor = new Redactor(plan.model.secretNames);
  }

  add(request: HttpRequest, response: HttpResponse | undefined): void {
    const match = this.#plan.routes.match(request.method, request.url, new RequestMessage(request));
    if (match.kind !== "operation") return;
    const { index, captures } = match;
    this.#learnedPaths.learn(index, captures, request, response);
    this.#countServer(request.url, this.#plan.operations[index]?.model.path ?? "");
    const status = response?.status_code ?? 0;
    if (status < 200 || status > 299 || request.body_truncated === true) return;
    const key = `${request.url} ${bodyText(request.body ?? "")}`;
    const kept = this.#requests.get(index);
    const order = kept === undefined ? -1 : compareSizes(key, kept.key);
    if (key.length > MAX_SIZE || order > 0) return;
    const { headers = {} } = request;
    const fields = JSON.stringify(Symbol.iterator in headers ? [...headers] : headers);
    if (key.length + fields.length > MAX_SIZE) return;
    if (order === 0 && compareSizes(fields, kept?.fields ?? "") >= 0) return;
    const { request: redacted } = redactInteraction({ request }, this.#redactor);
    // A masked request may match another operation.
    const message = new RequestMessage(redacted);
    const maskedMatch = this.#plan.routes.match(redacted.method, redacted.url, message);
    if (maskedMatch.kind !== "operation" || maskedMatch.index !== index) return;
    this.#requests.set(index, {
      request: redacted,
      captures: this.#maskCaptures(index, maskedMatch.captures),
      query: maskedMatch.hasQueryInForm ? message.withFields(maskedMatch.query) : maskedMatch.query,
      key,
      fields,
    });
  }

  /** Returns the request of an operation, by index; if none was recorded, one with the learned ids of its path. */
  of(operation: number): RecordedRequest | undefined {
    const kept = this.#requests.get(operation);
    if (kept !== undefined && this.#preference === "smallest") return kept;
    const plan = this.#plan.operations[operation];
    const captures = plan && this.#learnedPaths.of(plan);
    if (plan === undefined || captures === undefined) return kept;
    const { method, path } = plan.model;
    const others = kept?.captures.slice(captures.length) ?? [];
    return {
      request: { method, url: path },
      query: "",
      ...kept,
      captures: [...captures, ...others],
    };
  }

  /** The URL that most requests were sent to, without the operations' paths; undefined if no request URL had a host. */
  get server(): string | undefined {
    const [best] = [...this.#servers].sort(([one, count], [other, otherCount]) =>
      otherCount - count || compareText(one, other)
    );
    return best?.[0];
  }

  /** Masks the values of templates named like a secret: `/sessions/{token}`. */
  #maskCaptures(index: number, captures: RouteCaptures): RouteCaptures {
    const path = this.#plan.operations[index]?.model.path ?? "";
    const names = captureNames(path);
    return captures.map((text, at) =>
      text !== undefined && nameKind(names[at] ?? "") === "secret" ? maskEscaped(text) : text
    );
  }

  #countServer(url: string, path: string): void {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return;
    const { protocol, host, pathname } = new URL(url);
    const segments = pathname.split("/");
    const templateDepth = parsePathTemplate(path).text.replace(/\/$/, "").split("/").length - 1;
    const end = pathname.endsWith("/") ? segments.length - 1 : segments.length;
    const base = segments.slice(0, Math.max(1, end - templateDepth)).join("/");
    const server = `${protocol}//${host}${base.replace(/\/+$/, "")}`;
    const count = this.#servers.get(server);
    if (count !== undefined || this.#servers.size < MAX_SERVERS) {
      this.#servers.set(server, (count ?? 0) + 1);
    }
  }
}

/** Decodes a recorded request's parameters, by their index in the operation; absent ones have no entry. */
export function recordedValues(
  operation: OperationPlan,
  { request, captures, query }: RecordedRequest,
): ReadonlyMap<number, Json> {
  const values = new Map<number, Json>();
  const text = new RequestText(captures, query, request.headers);
  const templates = captureNames(operation.model.path);
  const contentType = readContentType(text.headers.get("content-type")) ?? "application/json";
  const recorded = recordedBody(request, text.headers);
  const body = recorded?.kind === "data" ? recorded.data : undefined;
  const bodies = operation.parameters.flatMap(({ model }, index) =>
    model.location === "body" ? [{ index, mediaType: model.mediaType ?? "*/*" }] : []
  );
  const chosen = bodies[selectMediaType(contentType, bodies.map(({ mediaType }) => mediaType))];
  const decode = ({ model, shape }: ParameterPlan, index: number): DecodedBody | undefined => {
    if (model.location === "body") {
      if (body === undefined || chosen?.index !== index) return undefined;
      return compileBody({ shape, properties: propertyEncodings(model) })(body, contentType);
    }
    if (model.location === "form_data") {
      const fields = body === undefined ? undefined : readForm(body, contentType);
      if (typeof fields !== "object") return undefined;
      return compileFormField({ name: model.name, shape, formats: collectionFormats(model) })(
        fields,
      );
    }
    const encoding = parameterEncoding(model, shape);
    return compileParameter(encoding, templates.lastIndexOf(model.name))(text);
  };
  operation.parameters.forEach((plan, index) => {
    const decoded = decode(plan, index);
    if (typeof decoded !== "object") return;
    const [first = decoded.value] = decoded.described ?? [];
    values.set(index, first);
  });
  return values;
}
