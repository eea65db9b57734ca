import type { Interaction } from "../../../http/interaction.ts";
import { type Fields, isFields } from "../../decode/fields.ts";
import { numberOf, originOf, textOf } from "../../logs/log_fields.ts";
import { LINE_VISIBILITY, logInteraction } from "../../logs/log_interaction.ts";
import { publicHeader, type PublicHeaders } from "../../logs/public_headers.ts";
import { readRequestLine } from "../../logs/request_line.ts";
import { NOT_HTTP } from "../../logs/text_log.ts";
import type { Problems } from "../problems.ts";

const METHOD = ["http.request.method_original", "http.request.method", "http.method"];
const STATUS = ["http.response.status_code", "http.status_code"];

/** Attributes of header fields, old and new: `http.request.header.x_tenant`, `http.request.header.x-tenant`. */
const HEADER = /^http\.(request|response)\.header\.(.+)$/;

/** Parameters in routes of frameworks: `{id}`, `:id`, `<int:id>`. */
const NAMED = /\{[^{}]+\}|<[^<>]+>|(?<=\/):[\w]+(?:\([^()]*\))?[?*+]?/g;

/**
 * Reads a span by the semantic conventions for HTTP, the stable ones and those before them.
 *
 * @returns Undefined for a span that isn't of HTTP.
 */
export function readSpan(
  span: Fields,
  place: string,
  problems: Problems,
): Interaction | undefined {
  const attributes = attributesOf(span["attributes"]);
  const method = textOf(attributes, METHOD);
  if (method === undefined) return undefined;
  const target = targetOf(attributes);
  const isRoute = target === undefined;
  const line = readRequestLine(`${method} ${target ?? routeOf(attributes)} HTTP/1.1`);
  if (line === undefined) {
    problems.add(NOT_HTTP, place);
    return undefined;
  }
  const start = numberOf(span, ["startTimeUnixNano"]);
  const end = numberOf(span, ["endTimeUnixNano"]);
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
    origin: hostOf(attributes),
    status: numberOf(attributes, STATUS),
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

/** The path with its query or the full URL. */
function targetOf(attributes: Fields): string | undefined {
  const path = textOf(attributes, ["url.path"]);
  if (path !== undefined) {
    const query = textOf(attributes, ["url.query"]);
    return query === undefined ? path : `${path}?${query.replace(/^\?/, "")}`;
  }
  return textOf(attributes, ["http.target", "url.full", "http.url"]);
}

/** The route, whose parameters have no values; empty if there is none. */
function routeOf(attributes: Fields): string {
  return textOf(attributes, ["http.route"])?.replace(NAMED, "[Filtered]") ?? "";
}

function hostOf(attributes: Fields): string | undefined {
  const scheme = textOf(attributes, ["url.scheme", "http.scheme"]);
  const host = textOf(attributes, ["http.host"]);
  if (host !== undefined) return originOf(scheme, host);
  const name = textOf(attributes, ["server.address", "net.host.name"]);
  const port = textOf(attributes, ["server.port", "net.host.port"]);
  // Some put the port into the name as well.
  const isWhole = port === undefined || name === undefined || name.endsWith(`:${port}`);
  return originOf(scheme, isWhole ? name : `${name}:${port}`);
}

/** The attributes of a span as an object; lists keep their items. */
function attributesOf(list: unknown): Fields {
  const attributes: Record<string, unknown> = {};
  if (!Array.isArray(list)) return attributes;
  for (const attribute of list) {
    if (!isFields(attribute) || typeof attribute["key"] !== "string") continue;
    attributes[attribute["key"]] = valueOf(attribute["value"]);
  }
  return attributes;
}

function valueOf(value: unknown): unknown {
  if (!isFields(value)) return undefined;
  const { stringValue, intValue, doubleValue, boolValue, arrayValue } = value;
  if (isFields(arrayValue) && Array.isArray(arrayValue["values"])) {
    return arrayValue["values"].map(valueOf);
  }
  return stringValue ?? intValue ?? doubleValue ?? boolValue;
}
