import {
  type HeadersLike,
  type HttpRequest,
  type HttpResponse,
  type Interaction,
  knownSecrets,
} from "../http/interaction.ts";
import { type KnownValues, knownValues } from "./known_values.ts";
import { type MaskedTexts, watchMasking } from "./mask_text.ts";
import { Redactor } from "./redactor.ts";
import { byteString, latin1Bytes, utf8Text } from "../http/body_text.ts";
import { headerRecord } from "../http/headers.ts";
import { tryDecodeContent } from "../http/content_encoding.ts";

interface BodyText {
  readonly text: string;
  /** True if the Content-Encoding was undone, so that its header must be removed. */
  readonly isDecoded: boolean;
  write(text: string): Uint8Array | string;
}

const encoder = new TextEncoder();
const encode = (text: string): Uint8Array => encoder.encode(text);
const TEXTUAL =
  /json|xml|x-www-form-urlencoded|^\s*(?:text|multipart)\/|graphql|javascript|yaml|^\s*$/i;
/** The encodings that are tried for a compressed body whose header is missing or wrong. */
const ENCODINGS = ["gzip", "zstd", "deflate", "br"];

/** Reads a body as text; `unreadable` if its encoding can't be undone, undefined if there is no text. */
function readBody(
  body: HttpRequest["body"],
  type: string,
  encoding: string | undefined,
): BodyText | "unreadable" | undefined {
  if (body === undefined || body === null || body.length === 0) return undefined;
  if (typeof body === "string") return { text: body, isDecoded: false, write: (text) => text };
  const declared = encoding === undefined ? body : tryDecodeContent(body, encoding);
  if (declared !== undefined) {
    const text = utf8Text(declared);
    if (text !== undefined) return { text, isDecoded: declared !== body, write: encode };
  }
  if (declared === undefined && utf8Text(body) !== undefined) {
    return { text: utf8Text(body) ?? "", isDecoded: false, write: encode };
  }
  // Binary bodies stay as they are.
  if (!TEXTUAL.test(type)) return undefined;
  for (const other of isCompressed(body) || declared === undefined ? ENCODINGS : []) {
    const text = utf8Text(tryDecodeContent(body, other) ?? body);
    if (text !== undefined) return { text, isDecoded: true, write: encode };
  }
  if (declared === undefined || isCompressed(body)) return "unreadable";
  // In other charsets, and in forms with files, names and most secrets have the same bytes as in UTF-8.
  return { text: byteString(declared), isDecoded: declared !== body, write: latin1Bytes };
}

function isCompressed([first, second, third, fourth]: Uint8Array): boolean {
  return (first === 0x1f && second === 0x8b) ||
    (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd);
}

type HeaderPairs = [string, string | readonly string[]][];

const DEFAULT_REDACTOR = new Redactor();
/** The most rounds of masking: a value that is masked as a known one can reveal others to the rules. */
const MAX_ROUNDS = 4;
/** Header fields that are needed to read the message, in which known values stay. */
const STRUCTURAL =
  /^(?:accept|accept-.*|connection|content-(?:encoding|language|length|type)|date|host|transfer-encoding|vary)$/i;

interface MaskableText {
  readonly original: string;
  masked: string;
  applyRules(text: string): string;
  maskKnown(text: string, values: KnownValues): string;
}

interface MessageTexts {
  readonly headers: readonly {
    readonly name: string;
    readonly isList: boolean;
    readonly texts: readonly MaskableText[];
  }[];
  readonly body: BodyText | "unreadable" | undefined;
  readonly bodyText: MaskableText | undefined;
}

/**
 * Masks the secrets of a request and its response: credentials in headers, cookies and URLs, values that are named like
 * a password, token or key in queries, forms, JSON, XML and text, and values that look like one. Letters become `a` or
 * `A` and digits `1`, so that lengths and most patterns, and thus the coverage, stay the same. Without secrets, returns
 * the same object.
 */
export function redactInteraction(
  interaction: Interaction,
  redactor: Redactor = DEFAULT_REDACTOR,
): Interaction {
  const { request, response, test } = interaction;
  const url = urlText(request.url, redactor);
  const sent = messageTexts(request, redactor);
  const received = response && messageTexts(response, redactor);
  const name = test === undefined ? undefined : maskableText(test, keepText);
  const texts = [url, ...listTexts(sent), ...received ? listTexts(received) : [], name ?? []]
    .flat();
  maskTexts(texts, knownSecrets(request));
  const newRequest = writeMessage(request, sent);
  const newResponse = response && received && writeMessage(response, received);
  const isSame = newRequest === request && newResponse === response;
  if (isSame && !isMasked(url) && name?.masked === test) return interaction;
  return {
    ...interaction,
    request: { ...newRequest, url: url.masked },
    ...(newResponse !== undefined && { response: newResponse }),
    ...(name !== undefined && { test: name.masked }),
  };
}

/** Replaces the segments of a path that are secret elsewhere in the interaction with `***`. */
export function hideSecretSegments(
  { request, response }: Interaction,
  path: string,
  redactor: Redactor = DEFAULT_REDACTOR,
): string {
  const declared = knownSecrets(request);
  // A quick test: most paths have no segment that is long enough to be secret.
  if (declared === undefined && !/[^/]{16}|(?=[^/]*\d)[^/]{8}/.test(path)) return path;
  const messages = response === undefined ? [request] : [request, response];
  const texts = [
    urlText(request.url, redactor),
    ...messages.flatMap((message) => listTexts(messageTexts(message, redactor))),
  ];
  return knownValues(applyRules(texts), declared)?.hide(path) ?? path;
}

function maskableText(
  text: string,
  applyRules: MaskableText["applyRules"],
  maskKnown: MaskableText["maskKnown"] = (text, values) => values.mask(text),
): MaskableText {
  return { original: text, masked: text, applyRules, maskKnown };
}

function keepText(text: string): string {
  return text;
}

function isMasked({ original, masked }: MaskableText): boolean {
  return original !== masked;
}

function urlText(url: string, redactor: Redactor): MaskableText {
  return maskableText(url, (text) => redactor.url(text), (text, values) => {
    const host = /^[^/?#]{0,60}\/\/[^/?#]*/.exec(text)?.[0] ?? "";
    return host + values.mask(text.slice(host.length));
  });
}

function messageTexts(message: HttpRequest | HttpResponse, redactor: Redactor): MessageTexts {
  const pairs = headerPairs(message.headers);
  const type = headerValue(pairs, "content-type") ?? "";
  const body = readBody(message.body, type, headerValue(pairs, "content-encoding"));
  const headers = pairs.map(([name, value]) => {
    const maskKnown = STRUCTURAL.test(name) ? keepText : undefined;
    const texts = [value].flat().map((text) =>
      maskableText(text, (text) => redactor.header(name, text), maskKnown)
    );
    return { name, isList: typeof value !== "string", texts };
  });
  const bodyText = body === undefined || body === "unreadable"
    ? undefined
    : maskableText(body.text, (text) => redactor.content(text, type));
  return { headers, body, bodyText };
}

function listTexts({ headers, bodyText }: MessageTexts): readonly MaskableText[] {
  return [...headers.flatMap(({ texts }) => texts), bodyText ?? []].flat();
}

function applyRules(texts: readonly MaskableText[]): MaskedTexts {
  return watchMasking(() => {
    for (const text of texts) text.masked = text.applyRules(text.masked);
  });
}

function maskTexts(texts: readonly MaskableText[], declared: readonly string[] = []): void {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const values = knownValues(applyRules(texts), declared);
    if (values === undefined) return;
    let isChanged = false;
    for (const text of texts) {
      const masked = text.maskKnown(text.masked, values);
      isChanged ||= masked !== text.masked;
      text.masked = masked;
    }
    if (!isChanged) return;
  }
}

/** Returns a message with its masked texts; the same object if nothing was masked. */
function writeMessage<Message extends HttpRequest | HttpResponse>(
  message: Message,
  { headers, body, bodyText }: MessageTexts,
): Message {
  const isUnreadable = body === "unreadable";
  const isBodyMasked = bodyText !== undefined && isMasked(bodyText);
  const dropsEncoding = isBodyMasked && !isUnreadable && body?.isDecoded === true;
  const changesHeaders = dropsEncoding || headers.some(({ texts }) => texts.some(isMasked));
  if (!isUnreadable && !isBodyMasked && !changesHeaders) return message;
  const fields = headers.filter(({ name }) =>
    !dropsEncoding || !/^content-(?:encoding|length)$/i.test(name)
  ).map(({ name, isList, texts }) => {
    const values = texts.map(({ masked }) => masked);
    return [name, isList ? values : values[0] ?? ""] as const;
  });
  return {
    ...message,
    ...(changesHeaders && { headers: headerRecord(fields) }),
    // A body that can't be decoded is useless to readers, and can still expose secrets.
    ...(isUnreadable && { body: "", body_truncated: true }),
    ...(isBodyMasked && !isUnreadable && { body: body?.write(bodyText.masked) }),
  };
}

function headerValue(pairs: HeaderPairs, name: string): string | undefined {
  const value = pairs.find(([field]) => field.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : value?.join(", ");
}

function headerPairs(headers: HeadersLike | undefined): HeaderPairs {
  if (headers === undefined) return [];
  if (Symbol.iterator in headers) return [...headers as Iterable<[string, string]>];
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]]
  );
}
