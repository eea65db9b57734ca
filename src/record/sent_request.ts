import {
  type HeadersLike,
  type HttpRequest,
  type HttpResponse,
  knownSecrets,
  setKnownSecrets,
} from "../http/interaction.ts";
import { contentTypeKind, mediaEssence, readContentType } from "../http/media_type.ts";
import { type RequestText, splitQuery } from "../http/request_text.ts";
import type { Shape } from "../http/shape.ts";
import { bodyText } from "../http/body_text.ts";
import { readText } from "../http/decoded.ts";
import type { ExampleRequest, ExampleText, RequestSource } from "../map/evidence.ts";
import type { ParameterPlan } from "../map/parameter_plan.ts";
import { redactInteraction } from "../redact/redact_request.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { Json } from "../values/json.ts";
import { getOrAdd } from "../values/collections.ts";
import { tryParseIds } from "../values/parse_json.ts";
import { jsonType, STRING } from "../values/json_type.ts";
import { type FormFields, readForm } from "../http/form_plan.ts";
import { hasHeaders, type HeaderLookup, headerLookup } from "../http/headers.ts";
import { FULL_VISIBILITY, listsHeaders, type Visibility } from "../http/visibility.ts";
import { decodeFormText } from "../http/percent.ts";
import type { RouteMessage } from "../map/route_conditions.ts";
import { ContentEncodingError, decodeContent } from "../http/content_encoding.ts";
import { maskShapes } from "../redact/secret_shapes.ts";

/** The body of a message: its data after decoding content encodings, or the reason why there is none. */
export type RecordedBody =
  | { readonly kind: "data"; readonly data: Uint8Array | string }
  | { readonly kind: "not_recorded" }
  | { readonly kind: "malformed" };

const NOT_RECORDED: RecordedBody = { kind: "not_recorded" };
const MALFORMED: RecordedBody = { kind: "malformed" };

/** Returns the body of a message; undefined if it has none. */
export function recordedBody(
  message: Pick<HttpRequest | HttpResponse, "body" | "body_truncated">,
  headers: HeaderLookup,
): RecordedBody | undefined {
  if (message.body_truncated === true) return NOT_RECORDED;
  const { body } = message;
  if (body === undefined || body === null) return undefined;
  const isReadable = typeof body === "string" || body instanceof Uint8Array;
  if (!isReadable) return NOT_RECORDED; // an object parsed by the client
  if (body.length === 0) return undefined;
  const encoding = typeof body === "string" ? undefined : headers.get("content-encoding");
  if (typeof body === "string" || encoding === undefined) return { kind: "data", data: body };
  try {
    const data = decodeContent(body, encoding);
    return data.length === 0 ? undefined : { kind: "data", data };
  } catch (error) {
    if (!(error instanceof ContentEncodingError)) throw error;
    // A missing decoder is not the sender's fault.
    return ["unknown_encoding", "no_decoder"].includes(error.code) ? NOT_RECORDED : MALFORMED;
  }
}

/** Returns the body of a message for ids in it, if it is JSON, regardless of its Content-Type. */
export function recordedIds(
  message: HttpRequest | HttpResponse,
  headers: HeaderLookup = headerLookup(message.headers),
): Json | undefined {
  const body = recordedBody(message, headers);
  return body?.kind === "data" ? tryParseIds(bodyText(body.data)) : undefined;
}

/** Returns the known parts of a request; undefined for all. Without header fields, they count as not recorded. */
export function shownParts(
  visibility: Visibility | undefined,
  { headers }: HttpRequest,
): Visibility | undefined {
  const { request_headers } = visibility ?? FULL_VISIBILITY;
  if (listsHeaders(request_headers) || hasHeaders(headers)) return visibility;
  return withoutHeaders(visibility ?? FULL_VISIBILITY);
}

const WITHOUT_HEADERS = new WeakMap<Visibility, Visibility>();

/** Caches the result, as callers compare it by identity. */
function withoutHeaders(visibility: Visibility): Visibility {
  return getOrAdd(WITHOUT_HEADERS, visibility, () => ({ ...visibility, request_headers: "none" }));
}

/** The header fields and the form of a request, read when a condition needs them. */
export class RequestMessage implements RouteMessage {
  readonly #request: HttpRequest;
  #headers: HeaderLookup | undefined;
  #form: FormFields | "none" | undefined;

  constructor(request: HttpRequest) {
    this.#request = request;
  }

  header(name: string): string | undefined {
    return (this.#headers ??= headerLookup(this.#request.headers)).get(name);
  }

  field(name: string, isUrlencoded: boolean): string | undefined {
    const form = this.#form ??= this.#readForm();
    if (form === "none") return undefined;
    if (form.kind === "urlencoded") {
      const pair = form.pairs.find((one) => one.name === name);
      return pair && decodeFormText(pair.value);
    }
    return isUrlencoded ? undefined : form.pairs.find((part) => part.name === name)?.text();
  }

  /** Returns a query with the fields of the urlencoded form that it lacks. */
  withFields(query: string): string {
    const form = this.#form;
    if (typeof form !== "object" || form.kind !== "urlencoded") return query;
    const known = new Set(splitQuery(query).map(({ name }) => name));
    const pieces = form.text.split("&").filter((piece) =>
      splitQuery(piece).some(({ name }) => !known.has(name))
    );
    return [...(query === "" ? [] : [query]), ...pieces].join("&");
  }

  #readForm(): FormFields | "none" {
    const body = recordedBody(this.#request, {
      get: (name) => this.header(name),
      values: () => [],
    });
    if (body?.kind !== "data") return "none";
    const form = readForm(body.data, this.header("content-type") ?? "");
    return typeof form === "object" ? form : "none";
  }
}

/** In characters; longer media types are truncated, as they are arbitrary text. */
const MAX_MEDIA_TYPE_LENGTH = 200;

/** Returns a Content-Type's media type for reports and hits: truncated, secrets masked; empty if there is none. */
export function mediaTypeText(contentType: string | undefined): string {
  return mediaEssence(maskShapes(contentType ?? "")).slice(0, MAX_MEDIA_TYPE_LENGTH).toWellFormed();
}

const MAX_URL = 500;
const MAX_SHAPE = 500;
/** Limits of the shape in depth, in properties per object, and in bytes of the body. */
const MAX_DEPTH = 4;
const MAX_PROPERTIES = 20;
const MAX_BODY = 100_000;
/** Larger requests aren't copied, to save memory: their texts are made at once. */
const MAX_KEPT = 20_000;

/** The current request as a source of examples for findings. */
export class SentRequest implements RequestSource {
  readonly #redactor: Redactor;
  #request: HttpRequest = { method: "", url: "" };
  #text: RequestText | undefined;
  #body: RecordedBody | undefined;
  #example: KeptRequest | undefined;
  at = Infinity;
  /** The plan of its documented body; undefined if the body isn't documented. */
  documentedBody: ParameterPlan | undefined;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Starts the next request. `at` is in seconds since 1970. */
  begin(request: HttpRequest, text: RequestText, body: RecordedBody | undefined, at: number): void {
    this.#request = request;
    this.#text = text;
    this.#body = body;
    this.at = at;
    if (this.documentedBody !== undefined) this.documentedBody = undefined;
    if (this.#example !== undefined) this.#example = undefined;
  }

  get size(): number {
    const { url, body } = this.#request;
    return url.length + (body?.length ?? 0);
  }

  keep(): ExampleRequest {
    return this.#example ??= new KeptRequest(
      this,
      this.#request,
      this.#body,
      readContentType(this.#text?.headers.get("content-type")),
      this.#redactor,
    );
  }

  repeats(kept: ExampleRequest): boolean {
    return kept instanceof KeptRequest && kept.isSame(this.#request);
  }
}

/** A request that is an example of a finding. Its text is made on demand, as most examples are soon replaced. */
class KeptRequest implements ExampleRequest {
  readonly at: number;
  readonly size: number;
  readonly #request: HttpRequest | undefined;
  #makeText: (() => ExampleText) | undefined;
  #text: ExampleText | undefined;

  constructor(
    { at, size, documentedBody }: SentRequest,
    request: HttpRequest,
    body: RecordedBody | undefined,
    contentType: string | undefined,
    redactor: Redactor,
  ) {
    this.at = at;
    this.size = size;
    if (Math.max(size, body?.kind === "data" ? body.data.length : 0) > MAX_KEPT) {
      this.#text = exampleText(request, body, contentType, documentedBody, redactor);
    } else {
      const copy = this.#request = copyRequest(request);
      const data = body?.kind === "data" && body.data instanceof Uint8Array
        ? { ...body, data: body.data.slice() }
        : body;
      this.#makeText = () => exampleText(copy, data, contentType, documentedBody, redactor);
    }
  }

  /** True if it was made from an equal request; false if unknown. */
  isSame(request: HttpRequest): boolean {
    const own = this.#request;
    return own !== undefined && own.url === request.url && own.body === request.body &&
      knownSecrets(own) === knownSecrets(request) && sameHeaders(own.headers, request.headers);
  }

  get text(): ExampleText {
    if (this.#makeText !== undefined) {
      this.#text = this.#makeText();
      this.#makeText = undefined;
    }
    return this.#text as ExampleText; // made here or in the constructor
  }
}

/** Copies a request, whose headers and bytes the sender may change later. */
function copyRequest(request: HttpRequest): HttpRequest {
  const { url, method, headers, body } = request;
  const copy = {
    method,
    url,
    headers: headers && (Symbol.iterator in headers ? [...headers] : { ...headers }),
    body: body instanceof Uint8Array ? body.slice() : body,
  };
  setKnownSecrets(copy, knownSecrets(request) ?? []);
  return copy;
}

/** True for two objects with equal fields. Other kinds of headers are rarely reused, so they count as different. */
function sameHeaders(one: HeadersLike | undefined, other: HeadersLike | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (Symbol.iterator in one || Symbol.iterator in other) return false;
  const names = Object.keys(other);
  return names.length === Object.keys(one).length &&
    names.every((name) => one[name] === other[name]);
}

function exampleText(
  request: HttpRequest,
  body: RecordedBody | undefined,
  contentType: string | undefined,
  documented: ParameterPlan | undefined,
  redactor: Redactor,
): ExampleText {
  // Headers and body reveal more secrets that may occur in the URL.
  const { url } = redactInteraction({ request }, redactor).request;
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "").replace(/#.*/s, "");
  const masked = path.startsWith("/") ? path : `/${path}`;
  const shortPath = masked.length > MAX_URL ? `${masked.slice(0, MAX_URL)}…` : masked;
  if (body === undefined) return { url: shortPath };
  const shape = shapeText(body, contentType, documented);
  return {
    url: shortPath,
    media_type: mediaTypeText(contentType),
    ...(shape !== undefined && { shape }),
  };
}

function shapeText(
  body: RecordedBody,
  contentType: string | undefined,
  documented: ParameterPlan | undefined,
): string | undefined {
  if (body.kind !== "data" || body.data.length > MAX_BODY) return undefined;
  if (contentType && contentTypeKind(contentType) !== "json") return undefined;
  try {
    const text = typeof body.data === "string" ? body.data : new TextDecoder().decode(body.data);
    const shape = JSON.stringify(outlineValue(JSON.parse(text), documented?.shape, 0));
    return shape.length > MAX_SHAPE ? undefined : shape;
  } catch {
    return undefined; // malformed or nested too deeply
  }
}

/** Returns the type of a value; both types for a string that converts to the type that the schema requires. */
function typeName(value: Json, shape: Shape | undefined): string {
  if (typeof value !== "string") return Number.isInteger(value) ? "integer" : typeof value;
  const types = shape?.types ?? 0;
  const read = (types & STRING) === 0 ? readText(value, types) : value;
  const isConverted = typeof read !== "string" && (jsonType(read) & types) !== 0;
  return isConverted ? `string (${typeName(read, undefined)})` : "string";
}

/** Returns a value with each part replaced by its type; of arrays, only the first item. */
function outlineValue(value: Json, shape: Shape | undefined, depth: number): Json {
  if (typeof value !== "object") return typeName(value, shape);
  if (value === null) return "null";
  if (depth >= MAX_DEPTH) return Array.isArray(value) ? "array" : "object";
  if (Array.isArray(value)) {
    return value.slice(0, 1).map((item) => outlineValue(item, shape?.item(0), depth + 1));
  }
  const parts = new Map<string, Json>();
  for (const [name, member] of Object.entries(value).slice(0, MAX_PROPERTIES)) {
    // Undeclared names may be personal data.
    const isDeclared = shape?.propertyNames.has(name) === true;
    parts.set(isDeclared ? name : "*", outlineValue(member, shape?.property(name), depth + 1));
  }
  return Object.fromEntries(parts);
}
