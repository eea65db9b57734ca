import { asList, type Fields, isFields } from "../../decode/fields.ts";
import { jsonLog, readRequestIn } from "../../logs/text_log.ts";
import { type EntryContent, Place, type RecordingFormat } from "../recording.ts";
import type { Interaction } from "../../../http/interaction.ts";
import { readNumber, readText, writeOrigin } from "../../logs/log_fields.ts";
import {
  LINE_VISIBILITY,
  logInteraction,
  publicHeader,
  type PublicHeaders,
} from "../../logs/log_interaction.ts";

const METHOD = ["http.request.method_original", "http.request.method", "http.method"];
const STATUS = ["http.response.status_code", "http.status_code"];

/** Attributes for header fields, in old and new notation: `http.request.header.x_tenant`, `….x-tenant`. */
const HEADER = /^http\.(request|response)\.header\.(.+)$/;

/** Parameters in routes, in the notation of frameworks: `{id}`, `:id`, `<int:id>`. */
const ROUTE_PARAMETER = /\{[^{}]+\}|<[^<>]+>|(?<=\/):[\w]+(?:\([^()]*\))?[?*+]?/g;

/** Reads a span by the semantic conventions for HTTP, stable or older. */
function readSpan(span: Fields, place: Place): Interaction | undefined {
  const attributes = readAttributes(span["attributes"]);
  const method = readText(attributes, METHOD);
  if (method === undefined) return undefined;
  const target = requestTarget(attributes);
  const isRoute = target === undefined;
  // A route has no values of parameters.
  const route = readText(attributes, ["http.route"])?.replace(ROUTE_PARAMETER, "[Filtered]") ?? "";
  const line = readRequestIn(`${method} ${target ?? route} HTTP/1.1`, place);
  if (line === undefined) return undefined;
  const start = readNumber(span, ["startTimeUnixNano"]);
  const end = readNumber(span, ["endTimeUnixNano"]);
  const headers: PublicHeaders = {};
  const responseHeaders: PublicHeaders = {};
  for (const [key, value] of Object.entries(attributes)) {
    const [, side, name = ""] = HEADER.exec(key) ?? [];
    if (side === undefined) continue;
    const field = name.replaceAll("_", "-");
    const kept = publicHeader(field, value);
    if (kept !== undefined) (side === "request" ? headers : responseHeaders)[field] = kept;
  }
  const [requestNames, responseNames] = [Object.keys(headers), Object.keys(responseHeaders)];
  return logInteraction({
    ...line,
    origin: serverOrigin(attributes),
    status: readNumber(attributes, STATUS),
    timestamp: start === undefined ? undefined : start / 1e9,
    elapsed: start === undefined || end === undefined ? undefined : (end - start) / 1e9,
    ...(requestNames.length > 0 && { headers }),
    ...(responseNames.length > 0 && { responseHeaders }),
    visibility: requestNames.length + responseNames.length === 0 && !isRoute ? LINE_VISIBILITY : {
      ...LINE_VISIBILITY,
      ...(isRoute && { path_parameters: false, query: false }),
      request_headers: requestNames.length === 0 ? "none" : requestNames,
      response_headers: responseNames.length === 0 ? "none" : responseNames,
    },
  });
}

function requestTarget(attributes: Fields): string | undefined {
  const path = readText(attributes, ["url.path"]);
  if (path !== undefined) {
    const query = readText(attributes, ["url.query"]);
    return query === undefined ? path : `${path}?${query.replace(/^\?/, "")}`;
  }
  return readText(attributes, ["http.target", "url.full", "http.url"]);
}

function serverOrigin(attributes: Fields): string | undefined {
  const scheme = readText(attributes, ["url.scheme", "http.scheme"]);
  const host = readText(attributes, ["http.host"]);
  if (host !== undefined) return writeOrigin(scheme, host);
  const name = readText(attributes, ["server.address", "net.host.name"]);
  const port = readText(attributes, ["server.port", "net.host.port"]);
  // Some programs include the port in the name.
  const isWhole = port === undefined || name === undefined || name.endsWith(`:${port}`);
  return writeOrigin(scheme, isWhole ? name : `${name}:${port}`);
}

function readAttributes(list: unknown): Fields {
  const attributes: Record<string, unknown> = {};
  for (const attribute of asList(list)) {
    if (!isFields(attribute) || typeof attribute["key"] !== "string") continue;
    attributes[attribute["key"]] = readValue(attribute["value"]);
  }
  return attributes;
}

function readValue(value: unknown): unknown {
  if (!isFields(value)) return undefined;
  const { stringValue, intValue, doubleValue, boolValue, arrayValue } = value;
  if (isFields(arrayValue) && Array.isArray(arrayValue["values"])) {
    return arrayValue["values"].map(readValue);
  }
  return stringValue ?? intValue ?? doubleValue ?? boolValue;
}

const SERVER: readonly unknown[] = [2, "SPAN_KIND_SERVER"];
const CLIENT: readonly unknown[] = [3, "SPAN_KIND_CLIENT"];

/** Maximum number of spans that wait for their counterpart; then all are forgotten. */
const MAX_SPANS = 1 << 16;

/** Counts a request with spans of client and server once. Requests that a server sends to others don't count. */
class CountedSpans {
  readonly #servers = new Set<string>();
  /** Spans that wait, by the identifier of the client's span: true for a server's, of which there can be several. */
  readonly #waiting = new Map<string, boolean>();

  addServer(service: string): void {
    this.#servers.add(service);
  }

  isCounted({ kind, spanId, parentSpanId }: Fields, service: string): boolean {
    if (this.#waiting.size >= MAX_SPANS) this.#waiting.clear();
    if (SERVER.includes(kind)) return !this.#isSecond(parentSpanId, true);
    return CLIENT.includes(kind) && !this.#servers.has(service) && !this.#isSecond(spanId, false);
  }

  /** True for the second span of a request, which is found by the identifier of the client's span. */
  #isSecond(client: unknown, isServer: boolean): boolean {
    if (typeof client !== "string" || client === "") return false;
    if (this.#waiting.get(client) === !isServer) return this.#waiting.delete(client);
    this.#waiting.set(client, isServer);
    return false;
  }
}

/** OTLP in JSON, from SDKs or from the Collector's file exporter (one export per line). Only HTTP spans count. */
export const OTLP_SPANS: RecordingFormat = jsonLog({
  name: "an export of OpenTelemetry",
  title: "OpenTelemetry",
  isEntry: ({ resourceSpans }) => Array.isArray(resourceSpans),
  begin: () => {
    const counted = new CountedSpans();
    return (entry, place) => readExport(entry, place, counted);
  },
});

function readExport(entry: Fields, place: Place, counted: CountedSpans): EntryContent {
  return readList(entry, "resourceSpans").flatMap((resource, index) => {
    const spans = ["scopeSpans", "instrumentationLibrarySpans"]
      .flatMap((name) => readList(resource, name)).flatMap((scope) => readList(scope, "spans"));
    const service = JSON.stringify(resource["resource"] ?? null);
    if (spans.some(({ kind }) => SERVER.includes(kind))) counted.addServer(service);
    return spans.filter((span) => counted.isCounted(span, service)).flatMap((span) =>
      readSpan(span, new Place(`${place.name}, resourceSpans[${index}]`, place.problems)) ?? []
    );
  });
}

function readList(fields: Fields, name: string): readonly Fields[] {
  return asList(fields[name]).filter(isFields);
}
