import type { HttpRequest } from "../../../http/interaction.ts";
import { postmanBody } from "./postman_body.ts";
import type { PostmanAuth, PostmanRequest } from "./postman_request.ts";
import { resolvePostmanUrl, withQueryParameter } from "./postman_url.ts";
import { getOrAdd } from "../../../values/collections.ts";
import { headerRecord } from "../../../http/headers.ts";

const encoder = new TextEncoder();

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
  const body = takesBody ? postmanBody(request.body, own, resolve) : undefined;
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
