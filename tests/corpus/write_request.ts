// Writes requests like a client that only knows the description.
import type { HttpRequest } from "../../mod.ts";
import type { Random } from "./random.ts";
import { deref, isRaw } from "./raw_description.ts";
import type { Raw, RawBody, RawOperation, RawParameter } from "./raw_description.ts";
import { oddValue, sampleValue } from "./sample_value.ts";

/** Options for a request. */
export interface WriteOptions {
  readonly random: Random;
  /** One in this many values is odd; 0 for none. */
  readonly oddness: number;
  /** The body to send. */
  readonly body: RawBody | undefined;
}

const BOUNDARY = "covtool-boundary";

export function writeRequest(
  root: Raw,
  operation: RawOperation,
  options: WriteOptions,
): HttpRequest {
  const { random, oddness } = options;
  const body = options.body && { ...options.body, alone: operation.bodies.length === 1 };
  const captures = new Map<string, string>();
  const query: string[] = [];
  const cookies: string[] = [];
  const headers: Record<string, string> = {};
  for (const parameter of operation.parameters) {
    const { location, name } = parameter;
    const value = sampleValue(root, parameter.schema, { random, oddness });
    if (location === "path") captures.set(name, pathText(parameter, value));
    else if (location === "query") query.push(...queryPieces(parameter, value, options));
    else if (location === "cookie") {
      cookies.push(...pairs(parameter, value).map(([key, text]) => `${key}=${text}`));
    } else headers[name] = flat(value, parameter.explode, ",", (text) => text);
  }
  if (cookies.length > 0) headers["Cookie"] = cookies.join("; ");
  const [, template = "", tail = ""] = /^((?:\{[^{}]*\}|[^?#])*)(.*)$/s.exec(operation.path) ?? [];
  const fill = (text: string) =>
    text.replaceAll(/\{([^{}]*)\}/g, (_, name) => captures.get(name) ?? "x1");
  const path = fill(template);
  addConditions(tail, operation, query, headers, fill);
  const slash = path.startsWith("/") ? "" : "/";
  const search = query.length === 0 ? "" : `?${query.join("&")}`;
  const url = `http://localhost${operation.prefix}${slash}${path}${search}`;
  const request = { method: operation.method, url, headers };
  if (body === undefined) return request;
  const sent = writeBody(root, body, options);
  return { ...request, headers: { ...headers, "Content-Type": sent.type }, body: sent.body };
}

/** Adds conditions after `?` or `#` in a path that the request doesn't meet yet. */
function addConditions(
  tail: string,
  { parameters }: RawOperation,
  query: string[],
  headers: Record<string, string>,
  fill: (text: string) => string,
): void {
  let sign = "?";
  for (const [, before, token = ""] of tail.matchAll(/([?#&])((?:\{[^{}]*\}|[^?#&])*)/g)) {
    if (before === "?" || before === "#") sign = before;
    const [name = "", ...rest] = token.split("=");
    if (name === "" || name.includes("{")) continue;
    const documented = parameters.find((one) =>
      one.location === "query"
        ? one.name === name
        : one.location === "header" && one.name.toLowerCase() === name.toLowerCase()
    );
    const value = fill(rest.join("="));
    if (sign === "?" || documented?.location === "query") {
      const at = query.findIndex((piece) => piece.split("=")[0] === encode(name));
      if (at < 0) query.push(`${name}=${value}`);
      else if (rest.length > 0 && !token.includes("{")) query[at] = `${name}=${value}`;
    } else if (documented !== undefined && rest.length > 0) headers[documented.name] = value;
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "text";
}

function encode(value: unknown): string {
  return encodeURIComponent(text(value).toWellFormed());
}

/** A value as one text: items, or names and values. */
function flat(
  value: unknown,
  keyed: boolean,
  separator: string,
  write: (text: string) => string,
): string {
  if (Array.isArray(value)) return value.map((item) => write(text(item))).join(separator);
  if (!isRaw(value)) return write(text(value));
  return Object.entries(value)
    .map(([key, item]) => `${write(key)}${keyed ? "=" : separator}${write(text(item))}`)
    .join(separator);
}

function pathText(parameter: RawParameter, value: unknown): string {
  const { style, explode, name, content } = parameter;
  if (content !== undefined) return encode(JSON.stringify(value));
  if (style === "label") return "." + flat(value, explode, explode ? "." : ",", encode);
  if (style === "matrix") {
    if (!explode) return `;${name}=${flat(value, false, ",", encode)}`;
    return pairs(parameter, value).map(([key, text]) => `;${key}=${text}`).join("");
  }
  const written = flat(value, explode, ",", encode);
  // A segment can't be empty, and dots have another meaning.
  return /^\.{0,2}$/.test(written) ? "text" : written;
}

/** The pairs of an exploded value, or one pair. */
function pairs(parameter: RawParameter, value: unknown): (readonly [string, string])[] {
  const { name, explode, style, content } = parameter;
  const key = encode(name);
  if (content !== undefined) return [[key, encode(JSON.stringify(value))]];
  if (style === "deepObject" && isRaw(value)) return deepPairs(key, value);
  if (explode && Array.isArray(value) && value.length > 0) {
    return value.map((item) => [key, encode(item)] as const);
  }
  if (explode && isRaw(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([inner, item]) =>
      Array.isArray(item)
        ? item.map((one) => [encode(inner), encode(one)] as const)
        : [[encode(inner), encode(item)] as const]
    );
  }
  const separator = style === "pipeDelimited" ? "|" : style === "spaceDelimited" ? "%20" : ",";
  return [[key, flat(value, false, separator, encode)]];
}

function deepPairs(prefix: string, value: unknown): (readonly [string, string])[] {
  if (Array.isArray(value)) return value.flatMap((item) => deepPairs(`${prefix}[]`, item));
  if (!isRaw(value)) return [[prefix, encode(value)]];
  return Object.entries(value).flatMap(([key, item]) =>
    deepPairs(`${prefix}[${encode(key)}]`, item)
  );
}

function queryPieces(parameter: RawParameter, value: unknown, options: WriteOptions): string[] {
  const pieces = pairs(parameter, value).map(([key, text]) => `${key}=${text}`);
  const { random, oddness } = options;
  if (oddness === 0 || !random.oneIn(4)) return pieces;
  const key = encode(parameter.name);
  const odd = () => encode(oddValue(random));
  const more = [
    [`${key}=${odd()}`],
    [`${key}=${odd()},${odd()}`],
    [`${key}[]=${odd()}`, `${key}[1]=${odd()}`],
    [`${key}[a]=${odd()}`, `${key}[a][b]=${odd()}`],
    [key],
    [`${key}=%zz%`],
  ];
  return [...pieces, ...random.pick(more)];
}

interface SentBody {
  readonly type: string;
  readonly body: Uint8Array | string;
}

/** A media type that matches the documented one, which may be a range. */
function concrete(mediaType: string): string {
  const [type = ""] = mediaType.split(";");
  if (type.trim() === "*/*") return "application/x-covtool-any";
  return mediaType.includes("*") ? mediaType.replace("*", "x-covtool-any") : mediaType;
}

/** A body, and whether it is the only documented one. */
interface Body extends RawBody {
  readonly alone: boolean;
}

function writeBody(root: Raw, body: Body, options: WriteOptions): SentBody {
  const value = sampleValue(root, body.schema, options);
  const essence = (body.mediaType.split(";")[0] ?? "").trim().toLowerCase();
  if (essence === "application/x-www-form-urlencoded") {
    return { type: body.mediaType, body: urlencoded(value, body, options) || "covtoolKey=1" };
  }
  if (essence.startsWith("multipart/")) {
    const type = essence.includes("*") ? "multipart/form-data" : essence;
    return { type: `${type}; boundary=${BOUNDARY}`, body: multipart(root, value, body, options) };
  }
  const type = concrete(body.mediaType);
  if (essence === "*/*" && body.alone) {
    return { type: "application/json", body: json(value, options) };
  }
  if (essence === "text/json" || essence === "application/json" || essence.endsWith("+json")) {
    return { type, body: json(value, options) };
  }
  const sent = text(value);
  return { type, body: sent === "" ? "text" : sent };
}

function json(value: unknown, { random, oddness }: WriteOptions): string {
  if (oddness > 0 && random.oneIn(40)) return '{"broken":';
  return JSON.stringify(value) ?? "null";
}

function urlencoded(value: unknown, body: RawBody, options: WriteOptions): string {
  if (!isRaw(value)) return `covtoolKey=${encode(value)}`;
  return Object.entries(value).flatMap(([name, item]): (readonly [string, string])[] => {
    const encoding = body.encoding[name];
    const key = encode(name);
    const asJson = options.oddness > 0 && options.random.oneIn(4);
    if (typeof item !== "object" || item === null || asJson) return [[key, encode(item)]];
    const style = isRaw(encoding) ? encoding["style"] : undefined;
    if (style === "deepObject" || style === undefined) return deepPairs(key, item);
    return [[key, flat(item, false, ",", encode)]];
  }).map(([key, text]) => `${key}=${text}`).join("&");
}

function multipart(root: Raw, value: unknown, body: RawBody, options: WriteOptions): string {
  const entries = isRaw(value) ? Object.entries(value) : [["covtoolKey", value] as const];
  const schema = deref(root, body.schema);
  const properties = isRaw(schema) && isRaw(schema["properties"]) ? schema["properties"] : {};
  let sent = "";
  for (const [name, item] of entries) {
    const property = Object.hasOwn(properties, name) ? deref(root, properties[name]) : undefined;
    const isFile = isRaw(property) && property["format"] === "binary";
    // Lists are sent with one part per item.
    for (const one of Array.isArray(item) && item.length > 0 ? item : [item]) {
      const odd = options.oddness > 0 && options.random.oneIn(6);
      const quoted = name.replaceAll(/["\r\n]/g, encodeURIComponent);
      sent += `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted}"`;
      if (isFile !== odd) sent += '; filename="a.bin"\r\nContent-Type: application/octet-stream';
      else if (isRaw(one)) sent += "\r\nContent-Type: application/json";
      sent += `\r\n\r\n${text(one)}\r\n`;
    }
  }
  return `${sent}--${BOUNDARY}--\r\n`;
}
