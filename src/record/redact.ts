import { ContentEncodingError, decodeContent } from "../http/content_encoding.ts";
import type { HeadersLike, HttpRequest, Interaction } from "../http/interaction.ts";
import { maskText } from "./redact/mask_text.ts";
import { redactForm } from "./redact/redact_form.ts";
import { redactJson } from "./redact/redact_json.ts";
import { redactMultipart } from "./redact/redact_multipart.ts";
import { isSecretField, isSecretHeader } from "./redact/secret_names.ts";

type HeaderPairs = [string, string | readonly string[]][];

const encoder = new TextEncoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Makes secrets in a request unreadable: credentials in headers, cookies and the URL, and the fields of queries,
 * forms and JSON bodies that are named like passwords, tokens or keys. Letters become `a` or `A` and digits `1`, so
 * that lengths and patterns mostly stay what they were, and with them the coverage. What holds no secret is the same
 * object.
 *
 * @example
 * ```ts
 * import { redactInteraction } from "./redact.ts";
 * import assert from "node:assert/strict";
 *
 * const { request } = redactInteraction({
 *   request: {
 *     method: "POST",
 *     url: "http://localhost/login?api_key=abc123",
 *     headers: { Authorization: "Bearer s3cr3t" },
 *     body: '{"user": "ada", "password": "Lovelace1815!"}',
 *   },
 * });
 * assert.equal(request.url, "http://localhost/login?api_key=aaa111");
 * assert.deepEqual(request.headers, { Authorization: "Bearer a1aa1a" });
 * assert.equal(request.body, '{"user": "ada", "password": "Aaaaaaaa1111!"}');
 * ```
 */
export function redactInteraction(interaction: Interaction): Interaction {
  const { request } = interaction;
  if (isPlain(request)) return interaction;
  const url = redactUrl(request.url);
  const pairs = pairsOf(request.headers);
  const headers = redactHeaders(pairs);
  const body = redactBody(request, pairs);
  if (url === request.url && headers === undefined && body === undefined) return interaction;
  const kept = body?.isDecoded === true
    ? (headers ?? pairs).filter(([name]) => !/^content-(?:encoding|length)$/i.test(name))
    : headers;
  return {
    ...interaction,
    request: {
      ...request,
      url,
      ...(kept !== undefined && { headers: recordOf(kept) }),
      ...(body !== undefined && { body: body.data }),
    },
  };
}

/** Most requests have nothing to hide, which is seen sooner than what it would be. */
function isPlain({ url, headers, body }: HttpRequest): boolean {
  if (body !== undefined && body !== null && body.length > 0) return false;
  if (url.includes("?") || url.includes("@")) return false;
  if (headers === undefined) return true;
  if (Symbol.iterator in headers) return false;
  for (const name in headers) if (isSecretHeader(name)) return false;
  return true;
}

function redactUrl(url: string): string {
  const [, start = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  const credentials = /^([a-z][a-z0-9+.-]*:\/\/)([^/@]+)@/i.exec(start);
  const redactedStart = credentials === null
    ? start
    : `${credentials[1]}${maskText(credentials[2] ?? "")}@${start.slice(credentials[0].length)}`;
  const redactedQuery = query === undefined ? "" : `?${redactForm(query)}`;
  return redactedStart + redactedQuery + fragment;
}

function pairsOf(headers: HeadersLike | undefined): HeaderPairs {
  if (headers === undefined) return [];
  if (Symbol.iterator in headers) return [...headers as Iterable<[string, string]>];
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]]
  );
}

/** Undefined where there is nothing to hide. */
function redactHeaders(pairs: HeaderPairs): HeaderPairs | undefined {
  if (!pairs.some(([name]) => isSecretHeader(name))) return undefined;
  return pairs.map(([name, value]) => {
    if (!isSecretHeader(name)) return [name, value];
    const redact = (text: string): string => redactHeader(name, text);
    return [name, typeof value === "string" ? redact(value) : value.map(redact)];
  });
}

function redactHeader(name: string, value: string): string {
  const lower = name.toLowerCase();
  if (lower === "cookie") {
    return value.replace(/(=)([^;]*)/g, (_, sign, text) => sign + maskText(text));
  }
  if (lower === "set-cookie") {
    return value.replace(/(=)([^;]*)/, (_, sign, text) => sign + maskText(text));
  }
  // The scheme (Basic, Bearer, Digest) is no secret.
  const [, scheme = "", secret = ""] = /^([A-Za-z][\w-]* +)?(.*)$/s.exec(value) ?? [];
  return scheme + maskText(secret);
}

interface RedactedBody {
  readonly data: Uint8Array | string;
  /** Whether its Content-Encoding was undone, so that the header has to go. */
  readonly isDecoded: boolean;
}

/** Undefined where there is nothing to hide. */
function redactBody(request: HttpRequest, headers: HeaderPairs): RedactedBody | undefined {
  const { body } = request;
  if (body === undefined || body === null || body.length === 0) return undefined;
  const valueOf = (name: string): string | undefined => {
    const value = headers.find(([field]) => field.toLowerCase() === name)?.[1];
    return typeof value === "string" ? value : value?.join(", ");
  };
  const type = valueOf("content-type") ?? "";
  if (typeof body === "string") {
    const redacted = redactText(body, type);
    return redacted === body ? undefined : { data: redacted, isDecoded: false };
  }
  const encoding = valueOf("content-encoding");
  let bytes = body;
  if (encoding !== undefined) {
    try {
      bytes = decodeContent(body, encoding);
    } catch (error) {
      if (!(error instanceof ContentEncodingError)) throw error;
      // What cannot be read is no use to a reader either, but a part of a compressed body is.
      return request.body_truncated === true ? { data: "", isDecoded: false } : undefined;
    }
  }
  if (/^\s*multipart\//i.test(type)) {
    const redacted = redactMultipart(bytes, type);
    return redacted === bytes ? undefined : { data: redacted, isDecoded: bytes !== body };
  }
  let text: string;
  try {
    text = strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
  const redacted = redactText(text, type);
  if (redacted === text) return undefined;
  return { data: encoder.encode(redacted), isDecoded: bytes !== body };
}

function redactText(text: string, type: string): string {
  if (/^\s*multipart\//i.test(type)) {
    const bytes = encoder.encode(text);
    const redacted = redactMultipart(bytes, type);
    return redacted === bytes ? text : new TextDecoder().decode(redacted);
  }
  if (/x-www-form-urlencoded/i.test(type)) return redactForm(text);
  if (/json/i.test(type) || /^\s*[[{]/.test(text)) return redactJson(text, isSecretField);
  return type === "" && /^[^\s=&]+=[^\s&]*(?:&[^\s=&]+=[^\s&]*)*$/.test(text)
    ? redactForm(text)
    : text;
}

function recordOf(pairs: HeaderPairs): Record<string, string | string[]> {
  const record = new Map<string, string | string[]>();
  for (const [name, value] of pairs) {
    const before = record.get(name);
    if (before === undefined) record.set(name, typeof value === "string" ? value : [...value]);
    else record.set(name, [before, value].flat());
  }
  return Object.fromEntries(record);
}
