import type { HttpRequest } from "../../../http/interaction.ts";
import {
  isDisabled,
  type PostmanAuth,
  type PostmanPair,
  postmanPairs,
  type PostmanRequest,
  postmanText,
} from "./postman_request.ts";
import { resolvePostmanUrl, withQueryParameter } from "./postman_url.ts";
import { appendTo, getOrAdd } from "../../../values/collections.ts";
import { headerRecord } from "../../../http/headers.ts";
import { decodeBase64 } from "../../../http/body_text.ts";
import { parseMediaType } from "../../../http/media_type.ts";
import { encodePercent } from "../../../http/percent.ts";
import { type BytesPart, freeBoundary, multipartBytes } from "../../../http/write_multipart.ts";
import { asFields, asList, isFields } from "../../decode/fields.ts";

const encoder = new TextEncoder();

interface SentAuth {
  readonly in: "header" | "query";
  readonly key: string;
  readonly value: string;
}

/** Returns the header or query parameter of an authorization; `unknown` if a server or a signature is needed. */
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

interface SendOptions {
  resolve(text: string): string;
  /** Resolves a URL. If scheme and host are a variable without a value, only the path is returned. */
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
  const body = takesBody ? postmanBody(request.body, own, resolve) : undefined;
  return {
    method,
    url: sent.url,
    headers: joinHeaders(
      body?.contentType === undefined
        ? sent.headers
        : replaceHeader(sent.headers, "Content-Type", body.contentType),
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
    : { url, headers: replaceHeader(headers, key, value) };
}

/** Replaces a header in its place, keeping its spelling, or appends it. */
function replaceHeader(
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

/** Joins headers by name, in the spelling of the first one. */
function joinHeaders(
  headers: readonly (readonly [string, string])[],
): Record<string, string | readonly string[]> {
  const names = new Map<string, string>();
  return headerRecord(
    headers.map(([name, value]) => [getOrAdd(names, name.toLowerCase(), () => name), value]),
  );
}

export interface SentBody {
  /** Undefined if unknown: for a file, only its name is recorded. */
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

/** Serializes a body of version 2 like Postman, with variables resolved; undefined if there is none. */
export function postmanBody(
  body: unknown,
  contentType: string | undefined,
  resolve: (text: string) => string,
): SentBody | undefined {
  if (!isFields(body) || isDisabled(body)) return undefined;
  switch (body["mode"]) {
    case "raw": {
      const text = postmanText(body["raw"]) ?? "";
      if (text === "") return undefined;
      const language = postmanText(asFields(asFields(body["options"])["raw"])["language"]);
      return {
        content: encoder.encode(resolve(text)),
        contentType: contentType ?? TYPES.get(language ?? "text") ?? "text/plain",
      };
    }
    case "urlencoded": {
      const type = "application/x-www-form-urlencoded";
      const fields = postmanPairs(body["urlencoded"]);
      if (fields.length === 0) return undefined;
      return {
        content: encoder.encode(formText(fields, resolve)),
        contentType: contentType?.trim().toLowerCase().startsWith(type) ? contentType : type,
      };
    }
    case "formdata":
      return multipart(body["formdata"], contentType, resolve);
    case "file": {
      const { src, content } = asFields(body["file"]);
      const isKnown = !postmanText(src) && typeof content === "string";
      return { content: isKnown ? decodeBase64(content) : undefined, contentType };
    }
    case "graphql": {
      const { query, operationName, variables } = asFields(body["graphql"]);
      const write = (text: string): string => JSON.stringify(resolve(text));
      const parts = [
        ["query", query, write] as const,
        ["operationName", operationName, write] as const,
        // Variables are already JSON.
        ["variables", variables, resolve] as const,
      ].flatMap(([name, value, write]) => {
        const text = postmanText(value);
        return text ? [`"${name}":${write(text)}`] : [];
      });
      return {
        content: encoder.encode(`{${parts.join(",")}}`),
        contentType: contentType ?? "application/json",
      };
    }
    default:
      return undefined;
  }
}

/** Serializes a form. Fields with the same name are grouped at the first of them. */
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
  list: unknown,
  contentType: string | undefined,
  resolve: (text: string) => string,
): SentBody | undefined {
  const own = contentType === undefined ? undefined : parseMediaType(contentType);
  const isOwn = contentType !== undefined && own?.essence.startsWith("multipart/") === true;
  const given = isOwn ? own.parameters.get("boundary") : undefined;
  const type = isOwn ? contentType : "multipart/form-data";
  const fields: BytesPart[] = [];
  for (const part of asList(list)) {
    if (!isFields(part) || isDisabled(part)) continue;
    const { value, src = null } = part;
    const isFile = part["type"] === "file";
    // Without a file name, the value is the content.
    const file = isFile && src === null && typeof value === "string"
      ? decodeBase64(value)
      : undefined;
    if (isFile && file === undefined) return { content: undefined, contentType: type };
    const fileName = postmanText(part["fileName"]) ?? (isFile ? "" : undefined);
    fields.push({
      name: resolve(postmanText(part["key"]) ?? ""),
      value: file ?? encoder.encode(resolve(postmanText(value) ?? "")),
      fileName: fileName === undefined ? undefined : resolve(fileName),
      mediaType: postmanText(part["contentType"]) ||
        (fileName === undefined ? undefined : "application/octet-stream"),
    });
  }
  if (fields.length === 0) return undefined;
  // As long as Postman's boundaries, so that the Content-Length is the same; but not random.
  const boundary = given ??
    freeBoundary(fields, (attempt) => "-".repeat(26) + String(attempt).padStart(24, "0"));
  return {
    content: multipartBytes(fields, boundary),
    contentType: given === undefined ? `${type}; boundary=${boundary}` : type,
  };
}
