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
import { ContentEncodingError, decodeContent } from "../http/content_encoding.ts";

interface BodyText {
  readonly text: string;
  /** True if the Content-Encoding was undone, so that its header must be removed. */
  readonly isDecoded: boolean;
  write(text: string): Uint8Array | string;
}

const encoder = new TextEncoder();
/** Media types of text, in any charset. */
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
  const declared = encoding === undefined ? body : decodeBody(body, encoding);
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
    const text = utf8Text(decodeBody(body, other) ?? body);
    if (text !== undefined) return { text, isDecoded: true, write: encode };
  }
  if (declared === undefined || isCompressed(body)) return "unreadable";
  // In other charsets, and in forms with files, names and most secrets have the same bytes as in UTF-8.
  return { text: byteString(declared), isDecoded: declared !== body, write: latin1Bytes };
}

function decodeBody(body: Uint8Array, encoding: string): Uint8Array | undefined {
  try {
    return decodeContent(body, encoding);
  } catch (error) {
    if (error instanceof ContentEncodingError) return undefined;
    throw error;
  }
}

function isCompressed([first, second, third, fourth]: Uint8Array): boolean {
  return (first === 0x1f && second === 0x8b) ||
    (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd);
}

function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

type HeaderPairs = [string, string | readonly string[]][];

const DEFAULT_REDACTOR = new Redactor();
/** The most rounds of masking: a value that is masked as a known one can reveal others to the rules. */
const MAX_ROUNDS = 4;
/** Header fields that are needed to read the message, in which known values stay. */
const STRUCTURAL =
  /^(?:accept|accept-.*|connection|content-(?:encoding|language|length|type)|date|host|transfer-encoding|vary)$/i;

/** One text of an interaction, with functions that mask it by rules, and by values known to be secret. */
interface Part {
  readonly text: string;
  rules(text: string): string;
  known(text: string, values: KnownValues): string;
}

interface Message {
  readonly pairs: HeaderPairs;
  readonly body: BodyText | "unreadable" | undefined;
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
  const sent = openMessage(request);
  const received = response && openMessage(response);
  const parts = [
    urlPart(request.url, redactor),
    ...messageParts(sent, redactor),
    ...received === undefined ? [] : messageParts(received, redactor),
    ...test === undefined ? [] : [{ text: test, rules: same, known: maskAll }],
  ];
  const texts = maskParts(parts, knownSecrets(request)).values();
  const next = (): string => texts.next().value ?? ""; // Each part has a text, in the same order.
  const url = next();
  const newRequest = closeMessage(request, sent, next);
  const newResponse = response && received && closeMessage(response, received, next);
  const newTest = test === undefined ? undefined : next();
  if (
    url === request.url && newRequest === request && newResponse === response && newTest === test
  ) return interaction;
  return {
    ...interaction,
    request: { ...newRequest, url },
    ...(newResponse !== undefined && { response: newResponse }),
    ...(newTest !== undefined && { test: newTest }),
  };
}

/** Replaces the parts of a path that are secret elsewhere in the interaction with `***`. */
export function hideKnown(
  { request, response }: Interaction,
  path: string,
  redactor: Redactor = DEFAULT_REDACTOR,
): string {
  const declared = knownSecrets(request);
  // A quick test: most paths have no segment that is long enough to be secret.
  if (declared === undefined && !/[^/]{16}|(?=[^/]*\d)[^/]{8}/.test(path)) return path;
  const messages = response === undefined ? [request] : [request, response];
  const parts = [
    urlPart(request.url, redactor),
    ...messages.flatMap((message) => messageParts(openMessage(message), redactor)),
  ];
  return knownValues(applyRules(parts, parts.map(({ text }) => text)).masked, declared)
    ?.hide(path) ?? path;
}

function urlPart(url: string, redactor: Redactor): Part {
  return {
    text: url,
    rules: (text) => redactor.url(text),
    known: (text, values) => {
      const host = /^[^/?#]{0,60}\/\/[^/?#]*/.exec(text)?.[0] ?? "";
      return host + values.mask(text.slice(host.length));
    },
  };
}

function messageParts({ pairs, body }: Message, redactor: Redactor): Part[] {
  const parts = pairs.flatMap(([name, value]): Part[] =>
    [value].flat().map((text) => ({
      text,
      rules: (text) => redactor.header(name, text),
      known: STRUCTURAL.test(name) ? same : maskAll,
    }))
  );
  if (body === undefined || body === "unreadable") return parts;
  const type = headerValue(pairs, "content-type") ?? "";
  const rules = (text: string) => redactor.content(text, type);
  return [...parts, { text: body.text, rules, known: maskAll }];
}

function same(text: string): string {
  return text;
}

function maskAll(text: string, values: KnownValues): string {
  return values.mask(text);
}

function applyRules(
  parts: readonly Part[],
  texts: readonly string[],
): { readonly result: readonly string[]; readonly masked: MaskedTexts } {
  return watchMasking(() => parts.map(({ rules }, index) => rules(texts[index] ?? "")));
}

function maskParts(parts: readonly Part[], declared: readonly string[] = []): readonly string[] {
  let texts: readonly string[] = parts.map(({ text }) => text);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { result, masked } = applyRules(parts, texts);
    const values = knownValues(masked, declared);
    if (values === undefined) return result;
    texts = parts.map(({ known }, index) => known(result[index] ?? "", values));
    if (texts.every((text, index) => text === result[index])) break;
  }
  return texts;
}

function openMessage(message: HttpRequest | HttpResponse): Message {
  const pairs = headerPairs(message.headers);
  const type = headerValue(pairs, "content-type") ?? "";
  return { pairs, body: readBody(message.body, type, headerValue(pairs, "content-encoding")) };
}

function closeMessage<Kind extends HttpRequest | HttpResponse>(
  message: Kind,
  { pairs, body }: Message,
  next: () => string,
): Kind {
  let isChanged = false as boolean;
  const take = (text: string): string => {
    const taken = next();
    isChanged ||= taken !== text;
    return taken;
  };
  const headers = pairs.map(([name, value]): HeaderPairs[number] => [
    name,
    typeof value === "string" ? take(value) : value.map(take),
  ]);
  const areHeadersChanged = isChanged;
  // A body that can't be decoded is useless to readers, and can still expose secrets.
  if (body === "unreadable") {
    return {
      ...message,
      ...(areHeadersChanged && { headers: headerRecord(headers) }),
      body: "",
      body_truncated: true,
    };
  }
  isChanged = false;
  const text = body === undefined ? undefined : take(body.text);
  const isBodyChanged = isChanged;
  if (!areHeadersChanged && !isBodyChanged) return message;
  const kept = isBodyChanged && body?.isDecoded === true
    ? headers.filter(([name]) => !/^content-(?:encoding|length)$/i.test(name))
    : headers;
  return {
    ...message,
    ...((areHeadersChanged || kept !== headers) && { headers: headerRecord(kept) }),
    ...(isBodyChanged ? { body: body?.write(text ?? "") } : {}),
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
