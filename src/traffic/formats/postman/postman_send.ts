import type { HttpRequest } from "../../../http/interaction.ts";
import { authHeader, type SentAuth } from "./postman_auth.ts";
import { postmanBody } from "./postman_body.ts";
import type { PostmanAuth, PostmanRequest } from "./postman_request.ts";
import { resolvePostmanUrl, withQueryParameter } from "./postman_url.ts";

/** Methods that Postman sends without a body by default. */
const METHODS_WITHOUT_BODY: ReadonlySet<string> = new Set([
  "COPY",
  "GET",
  "HEAD",
  "PURGE",
  "UNLOCK",
]);

/** Options of sending a request. */
export interface SendOptions {
  /** Puts the values of `{{variables}}` into a text. */
  resolve(text: string): string;
  /** The same for a URL; its path alone where scheme and host are a variable without a value. */
  resolveUrl(text: string): string;
  /** Called for `:variables` of the path without a value. */
  onUnresolved(written: string): void;
  /** Called for an authorization that can't be worked out. */
  onUnknownAuth(type: string): void;
  /** Called with a key that an authorization adds, under whatever name. */
  onSecret(value: string): void;
  /** The authorization that is in force. */
  readonly auth: PostmanAuth | undefined;
  /** True if methods that usually have no body have one. */
  readonly keepsBody: boolean;
}

/** The request that Postman makes of what a collection describes, as far as it can be known. */
export function sendPostmanRequest(request: PostmanRequest, options: SendOptions): HttpRequest {
  const { resolve, resolveUrl, onUnresolved } = options;
  const method = resolve(request.method).trim().toUpperCase();
  const url = resolvePostmanUrl(request.url, {
    resolve,
    resolveUrl,
    onUnresolved,
    pathVariables: request.pathVariables,
  });
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
    headers: headerRecord(
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

function headerRecord(
  headers: readonly (readonly [string, string])[],
): Record<string, string | readonly string[]> {
  const fields = new Map<string, [name: string, values: string[]]>();
  for (const [name, value] of headers) {
    const known = fields.get(name.toLowerCase());
    if (known === undefined) fields.set(name.toLowerCase(), [name, [value]]);
    else known[1].push(value);
  }
  return Object.fromEntries(
    [...fields.values()].map((
      [name, values],
    ) => [name, values.length === 1 ? values[0] ?? "" : values]),
  );
}
