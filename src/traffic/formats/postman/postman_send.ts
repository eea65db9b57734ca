import type { HttpRequest } from "../../../http/interaction.ts";
import type {
  PostmanAuth,
  PostmanBody,
  PostmanPair,
  PostmanPart,
  PostmanRequest,
} from "./postman_request.ts";
import { resolvePostmanUrl, withQueryParameter } from "./postman_url.ts";
import { parseMediaType } from "../../../http/media_type.ts";
import { encodePercent } from "../../../http/percent.ts";
import { appendTo, getOrAdd } from "../../../values/collections.ts";
import { headerRecord } from "../../../http/headers.ts";
import { type BytesPart, freeBoundary, multipartBytes } from "../../../http/write_multipart.ts";

export interface SentBody {
  /** Undefined if it is not known: a file of which there is only the name. */
  readonly content: Uint8Array | undefined;
  readonly contentType: string | undefined;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ["html", "text/html"],
  ["javascript", "application/javascript"],
  ["json", "application/json"],
  ["text", "text/plain"],
  ["xml", "application/xml"],
]);

const encoder = new TextEncoder();

export function postmanBody(
  body: PostmanBody,
  contentType: string | undefined,
  resolve: (text: string) => string,
): SentBody | undefined {
  switch (body.mode) {
    case "raw":
      if (body.text === "") return undefined;
      return {
        content: encoder.encode(resolve(body.text)),
        contentType: contentType ?? TYPES.get(body.language ?? "text") ?? "text/plain",
      };
    case "urlencoded": {
      const type = "application/x-www-form-urlencoded";
      if (body.fields.length === 0) return undefined;
      return {
        content: encoder.encode(formText(body.fields, resolve)),
        contentType: contentType?.trim().toLowerCase().startsWith(type) ? contentType : type,
      };
    }
    case "formdata":
      return body.parts.length === 0 ? undefined : multipart(body.parts, contentType, resolve);
    case "file":
      return { content: body.content, contentType };
    case "graphql": {
      const parts = [
        ["query", body.query && JSON.stringify(resolve(body.query))],
        ["operationName", body.operationName && JSON.stringify(resolve(body.operationName))],
        ["variables", body.variables && resolve(body.variables)],
      ].flatMap(([name, json]) => json ? [`"${name}":${json}`] : []);
      return {
        content: encoder.encode(`{${parts.join(",")}}`),
        contentType: contentType ?? "application/json",
      };
    }
  }
}

/** Fields of the same name stand together, where the first of them stood. */
function formText(fields: readonly PostmanPair[], resolve: (text: string) => string): string {
  const byName = new Map<string, string[]>();
  for (const { key, value } of fields) {
    const name = formEscape(resolve(key));
    appendTo(byName, name, `${name}=${formEscape(resolve(value ?? ""))}`);
  }
  return [...byName.values()].flat().join("&");
}

function formEscape(text: string): string {
  return encodePercent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function multipart(
  parts: readonly PostmanPart[],
  contentType: string | undefined,
  resolve: (text: string) => string,
): SentBody {
  const own = contentType === undefined ? undefined : parseMediaType(contentType);
  const isOwn = contentType !== undefined && own?.essence.startsWith("multipart/") === true;
  const given = isOwn ? own.parameters.get("boundary") : undefined;
  const type = isOwn ? contentType : "multipart/form-data";
  const fields: BytesPart[] = [];
  for (const { key, value, fileName, contentType } of parts) {
    if (value === undefined) return { content: undefined, contentType: type };
    fields.push({
      name: resolve(key),
      value: typeof value === "string" ? encoder.encode(resolve(value)) : value,
      fileName: fileName === undefined ? undefined : resolve(fileName),
      mediaType: contentType ?? (fileName === undefined ? undefined : "application/octet-stream"),
    });
  }
  // As long as the boundaries that Postman makes, so that the Content-Length is the same; random ones are not.
  const boundary = given ??
    freeBoundary(fields, (attempt) => "-".repeat(26) + String(attempt).padStart(24, "0"));
  return {
    content: multipartBytes(fields, boundary),
    contentType: given === undefined ? `${type}; boundary=${boundary}` : type,
  };
}

interface SentAuth {
  readonly in: "header" | "query";
  readonly key: string;
  readonly value: string;
}

/** The header field of an authorization; undefined for none, `unknown` where it depends on a server or signs. */
export function authHeader(
  auth: PostmanAuth,
  resolve: (text: string) => string,
): SentAuth | undefined | "unknown" {
  const attribute = (name: string): string => resolve(auth.attributes.get(name) ?? "");
  switch (auth.type) {
    case "noauth":
      return undefined;
    case "basic":
      return authorization(`Basic ${base64(`${attribute("username")}:${attribute("password")}`)}`);
    case "bearer": {
      const token = attribute("token");
      return token === "" ? undefined : authorization(`Bearer ${token}`);
    }
    case "apikey": {
      const key = attribute("key");
      if (key === "") return undefined;
      return {
        in: attribute("in") === "query" ? "query" : "header",
        key,
        value: attribute("value"),
      };
    }
    case "oauth2": {
      const token = attribute("accessToken");
      if (token === "") return "unknown";
      if (attribute("addTokenTo") === "queryParams") {
        return { in: "query", key: "access_token", value: token };
      }
      const prefix = auth.attributes.has("headerPrefix")
        ? attribute("headerPrefix").trim()
        : "Bearer";
      return authorization(prefix === "" ? token : `${prefix} ${token}`);
    }
    default:
      return "unknown";
  }
}

function authorization(value: string): SentAuth {
  return { in: "header", key: "Authorization", value };
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...encoder.encode(text)));
}

const METHODS_WITHOUT_BODY: ReadonlySet<string> = new Set("COPY GET HEAD PURGE UNLOCK".split(" "));

export interface SendOptions {
  resolve(text: string): string;
  /** The same for a URL; its path alone where scheme and host are a variable without a value. */
  resolveUrl(text: string): string;
  onUnresolved(written: string): void;
  onUnknownAuth(type: string): void;
  onSecret(value: string): void;
  readonly auth: PostmanAuth | undefined;
  readonly keepsBody: boolean;
}

export function sendPostmanRequest(request: PostmanRequest, options: SendOptions): HttpRequest {
  const { resolve, resolveUrl, onUnresolved } = options;
  const method = resolve(request.method).trim().toUpperCase();
  const { pathVariables } = request;
  const variables = { resolve, resolveUrl, onUnresolved, pathVariables };
  const url = resolvePostmanUrl(request.url, variables);
  const headers: [string, string][] = request.headers.map(({ key, value }) => [
    resolve(key),
    resolve(value ?? ""),
  ]);
  const sent = addAuth(url, headers, sentAuth(options));
  const takesBody = options.keepsBody || !METHODS_WITHOUT_BODY.has(method);
  const own = sent.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const body = request.body !== undefined && takesBody
    ? postmanBody(request.body, own, resolve)
    : undefined;
  return {
    method,
    url: sent.url,
    headers: recordOfHeaders(
      body?.contentType === undefined
        ? sent.headers
        : replaced(sent.headers, "Content-Type", body.contentType),
    ),
    ...(body?.content !== undefined && { body: body.content }),
    ...(body !== undefined && body.content === undefined && { body_truncated: true }),
  };
}

function sentAuth({ auth, resolve, onUnknownAuth, onSecret }: SendOptions): SentAuth | undefined {
  if (auth === undefined || auth.type === "noauth") return undefined;
  const sent = authHeader(auth, resolve);
  if (sent === "unknown") {
    onUnknownAuth(auth.type);
    return undefined;
  }
  if (sent !== undefined && auth.type === "apikey") onSecret(sent.value);
  return sent;
}

function addAuth(
  url: string,
  headers: readonly [string, string][],
  auth: SentAuth | undefined,
): { readonly url: string; readonly headers: readonly [string, string][] } {
  if (auth === undefined) return { url, headers };
  const { key, value } = auth;
  return auth.in === "query"
    ? { url: withQueryParameter(url, key, value), headers }
    : { url, headers: replaced(headers, key, value) };
}

/** The header under its name as written, where it stood, or at the end. */
function replaced(
  headers: readonly [string, string][],
  name: string,
  value: string,
): readonly [string, string][] {
  const isSame = ([other]: readonly [string, string]): boolean =>
    other.toLowerCase() === name.toLowerCase();
  const first = headers.findIndex(isSame);
  if (first < 0) return [...headers, [name, value]];
  return headers.flatMap<[string, string]>((header, index) =>
    index === first ? [[header[0], value]] : isSame(header) ? [] : [header]
  );
}

/** The first field of a name says how that is written. */
function recordOfHeaders(
  headers: readonly (readonly [string, string])[],
): Record<string, string | readonly string[]> {
  const names = new Map<string, string>();
  return headerRecord(
    headers.map(([name, value]) => [getOrAdd(names, name.toLowerCase(), () => name), value]),
  );
}
