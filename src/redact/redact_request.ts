import { ContentEncodingError, decodeContent } from "../http/content_encoding.ts";
import type { HeadersLike, HttpRequest, HttpResponse, Interaction } from "../http/interaction.ts";
import { type MaskEchoes, maskEchoes, type MaskedText } from "./echoed_secrets.ts";
import { bytesOf, oneByteEach, redactMultipart } from "./redact_multipart.ts";
import { maskKnown } from "./mask_known.ts";
import { Redactor } from "./redactor.ts";

type HeaderPairs = [string, string | readonly string[]][];

const encoder = new TextEncoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Knows only common names. */
const COMMON = new Redactor();

/**
 * Masks the secrets of a request and of its response: credentials in headers, cookies and URLs, what is named like a
 * password, a token or a key in queries, forms, JSON, XML and text, and what looks like one. Letters become `a` or `A` and digits `1`, so
 * that lengths and patterns mostly stay what they were, and with them the coverage. What holds no secret is the same
 * object.
 *
 * @param redactor Knows the names of the description too; by default only common ones.
 *
 * @example
 * ```ts
 * import { redactInteraction } from "./redact_request.ts";
 * import assert from "node:assert/strict";
 *
 * const { request, response } = redactInteraction({
 *   request: {
 *     method: "POST",
 *     url: "http://localhost/login?api_key=abc123",
 *     headers: { Authorization: "Bearer s3cr3t" },
 *     body: '{"user": "ada", "password": "Lovelace1815!"}',
 *   },
 *   response: { status_code: 302, headers: { "Set-Cookie": "id=Ab12; Path=/" } },
 * });
 * assert.equal(request.url, "http://localhost/login?api_key=aaa111");
 * assert.deepEqual(request.headers, { Authorization: "Bearer a1aa1a" });
 * assert.equal(request.body, '{"user": "ada", "password": "Aaaaaaaa1111!"}');
 * assert.deepEqual(response?.headers, { "Set-Cookie": "id=Aa11; Path=/" });
 * ```
 */
export function redactInteraction(
  interaction: Interaction,
  redactor: Redactor = COMMON,
): Interaction {
  const { request, response } = interaction;
  const known = maskKnown(request);
  const url = redactor.url(known?.(request.url) ?? request.url);
  const sentPairs = pairsOf(request.headers);
  const sentHeaders = redactHeaders(sentPairs, {
    header: (name, value) => redactor.header(name, known?.(value) ?? value),
  });
  const sent = redactContent(request, sentPairs, sentHeaders, redactor, known);
  const echoes = response === undefined ? undefined : maskEchoes([
    [pathOf(request.url), pathOf(url)],
    ...maskedHeaders(sentPairs, sentHeaders),
    [textOf(request.body), textOf(sent?.body ?? request.body)],
  ]);
  const received = response === undefined || echoes === undefined ? undefined : redactResponse(
    response,
    redactor,
    known === undefined ? echoes : (text) => echoes(known(text)),
  );
  if (url === request.url && sent === undefined && received === undefined) return interaction;
  return {
    ...interaction,
    request: { ...request, url, ...sent },
    ...(received !== undefined && { response: { ...response, ...received } }),
  };
}

/** A URL without its scheme and host: what servers are asked for. */
function pathOf(url: string): string {
  return url.replace(/^\w+:\/\/[^/?#]*/, "");
}

function maskedHeaders(before: HeaderPairs, after: HeaderPairs = before): readonly MaskedText[] {
  return before.flatMap(([, value], index): MaskedText[] => {
    const masked = [after[index]?.[1] ?? value].flat();
    return [value].flat().map((text, at) => [text, masked[at] ?? text]);
  });
}

/** A body as text; nothing of bytes that aren't. */
function textOf(body: HttpRequest["body"]): string {
  if (body === undefined || body === null || typeof body === "string") return body ?? "";
  try {
    return strictUtf8.decode(body);
  } catch {
    return "";
  }
}

function redactResponse(
  response: HttpResponse,
  redactor: Redactor,
  mask: MaskEchoes,
): Pick<HttpRequest, "headers" | "body"> | undefined {
  const pairs = pairsOf(response.headers);
  const headers = redactHeaders(
    pairs,
    { header: (name, value) => mask(redactor.header(name, value)) },
  );
  return redactContent(response, pairs, headers, redactor, mask);
}

/** Header fields and body without secrets, as far as there are any; undefined if there is nothing to hide. */
function redactContent(
  message: HttpRequest | HttpResponse,
  pairs: HeaderPairs,
  headers: HeaderPairs | undefined,
  redactor: Redactor,
  mask?: MaskEchoes,
): Pick<HttpRequest, "headers" | "body"> | undefined {
  const body = redactBody(message, pairs, redactor, mask);
  if (headers === undefined && body === undefined) return undefined;
  const kept = body?.isDecoded === true
    ? (headers ?? pairs).filter(([name]) => !/^content-(?:encoding|length)$/i.test(name))
    : headers;
  return {
    ...(kept !== undefined && { headers: recordOf(kept) }),
    ...(body !== undefined && { body: body.data }),
  };
}

function pairsOf(headers: HeadersLike | undefined): HeaderPairs {
  if (headers === undefined) return [];
  if (Symbol.iterator in headers) return [...headers as Iterable<[string, string]>];
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]]
  );
}

/** Undefined if there is nothing to hide. */
function redactHeaders(
  pairs: HeaderPairs,
  redactor: Pick<Redactor, "header">,
): HeaderPairs | undefined {
  let isChanged = false;
  const redacted = pairs.map(([name, value]): HeaderPairs[number] => {
    const masked = typeof value === "string"
      ? redactor.header(name, value)
      : value.map((text) => redactor.header(name, text));
    if (
      typeof value === "string" ? masked === value : value.every((text, i) => text === masked[i])
    ) {
      return [name, value];
    }
    isChanged = true;
    return [name, masked];
  });
  return isChanged ? redacted : undefined;
}

interface RedactedBody {
  readonly data: Uint8Array | string;
  /** True if its Content-Encoding was undone, so that the header has to go. */
  readonly isDecoded: boolean;
}

/** Undefined if there is nothing to hide. */
function redactBody(
  message: HttpRequest | HttpResponse,
  headers: HeaderPairs,
  redactor: Redactor,
  mask: MaskEchoes = (text) => text,
): RedactedBody | undefined {
  const { body } = message;
  if (body === undefined || body === null || body.length === 0) return undefined;
  const valueOf = (name: string): string | undefined => {
    const value = headers.find(([field]) => field.toLowerCase() === name)?.[1];
    return typeof value === "string" ? value : value?.join(", ");
  };
  const type = valueOf("content-type") ?? "";
  if (typeof body === "string") {
    const redacted = redactText(mask(body), type, redactor);
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
      return message.body_truncated === true ? { data: "", isDecoded: false } : undefined;
    }
  }
  if (/^\s*multipart\//i.test(type)) {
    const masked = withoutEchoes(bytes, mask);
    const redacted = redactMultipart(masked, type, redactor);
    return redacted === bytes ? undefined : { data: redacted, isDecoded: bytes !== body };
  }
  let text: string;
  let encode = (redacted: string): Uint8Array => encoder.encode(redacted);
  try {
    text = strictUtf8.decode(bytes);
  } catch {
    // In other charsets names and most secrets are the same bytes; what isn't text at all stays.
    if (!TEXTUAL.test(type)) return undefined;
    text = oneByteEach(bytes);
    encode = bytesOf;
  }
  const redacted = redactText(mask(text), type, redactor);
  if (redacted === text) return undefined;
  return { data: encode(redacted), isDecoded: bytes !== body };
}

/** The same bytes if there is nothing to mask; files among the parts may be no text. */
function withoutEchoes(bytes: Uint8Array, mask: MaskEchoes): Uint8Array {
  const text = oneByteEach(bytes);
  const masked = mask(text);
  return masked === text ? bytes : bytesOf(masked);
}

/** Media types of text, in whatever charset. */
const TEXTUAL = /json|xml|x-www-form-urlencoded|^\s*text\/|graphql|javascript|yaml/i;

function redactText(text: string, type: string, redactor: Redactor): string {
  if (/^\s*multipart\//i.test(type)) {
    const bytes = encoder.encode(text);
    const redacted = redactMultipart(bytes, type, redactor);
    return redacted === bytes ? text : new TextDecoder().decode(redacted);
  }
  if (/x-www-form-urlencoded/i.test(type)) return redactor.form(text);
  if (/json/i.test(type)) return redactor.json(text);
  if (/xml|html/i.test(type)) return redactor.xml(text);
  if (/\/(?:csv|tab-separated-values)/i.test(type)) return redactor.csv(text);
  const isForm = type === "" && /^[^\s=&]+=/.test(text) && !/\s/.test(text);
  return isForm ? redactor.form(text) : redactor.value(text);
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
