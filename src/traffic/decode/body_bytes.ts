import { decodeBase64, latin1Bytes, utf8Text } from "../../http/body_text.ts";
import type { HttpResponse } from "../../http/interaction.ts";
import { isJson } from "../../values/parse_json.ts";
import { tryDecodeContent } from "../../http/content_encoding.ts";
import { mediaEssence, mediaKind, parseMediaType } from "../../http/media_type.ts";
import { concatBytes } from "../../values/collections.ts";
import type { Writable } from "./fields.ts";

type Table = ReadonlyMap<string, readonly number[]>;

const tables = new Map<string, Table | undefined>();

/** Decodes all sequences of one or two bytes, since platforms can decode legacy charsets but not encode them. */
function makeTable(charset: string): Table | undefined {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
  const table = new Map<string, readonly number[]>();
  const add = (sequence: readonly number[]): boolean => {
    let text: string;
    try {
      text = decoder.decode(Uint8Array.from(sequence));
    } catch {
      return false;
    }
    if ([...text].length === 1 && !table.has(text)) table.set(text, sequence);
    return text !== "";
  };
  const leads: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    if (!add([byte])) leads.push(byte);
  }
  for (const lead of leads) {
    for (let trail = 0x30; trail < 256; trail++) add([lead, trail]);
  }
  return table;
}

/** Encodes text in a charset of the Encoding Standard; undefined if it is stateful or lacks a character. */
export function encodeText(text: string, charset: string): Uint8Array | undefined {
  const name = charset.toLowerCase();
  if (!tables.has(name)) tables.set(name, makeTable(name));
  const table = tables.get(name);
  if (table === undefined) return undefined;
  const bytes: number[] = [];
  for (const character of text) {
    const sequence = table.get(character);
    if (sequence === undefined) return undefined;
    bytes.push(...sequence);
  }
  return Uint8Array.from(bytes);
}

export interface BodyEvidence {
  readonly contentType: string;
  readonly contentEncoding?: string | undefined;
  readonly length?: number | undefined;
}

/** The bytes of a body. If `isDecoded`, they are decompressed, and the header Content-Encoding must be removed. */
export interface BodyBytes {
  readonly bytes: Uint8Array;
  readonly isDecoded: boolean;
}

const encoder = new TextEncoder();
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

// deno-lint-ignore no-control-regex -- control characters are meant to match
const ASCII = /^[\x00-\x7f]*$/;
// deno-lint-ignore no-control-regex -- control characters are meant to match
const ONE_BYTE = /^[\x00-\xff]*$/;
// deno-lint-ignore no-control-regex -- control characters are meant to match
export const BINARY: RegExp = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;
const BASE64 = /^[A-Za-z0-9+/_\s-]+={0,2}\s*$/;
/** Maximum size of an empty body in Brotli, in bytes. */
const MAX_EMPTY_LENGTH = 2;
/** Python replaces a byte that it can't decode with U+DC80 to U+DCFF (PEP 383). */
const ESCAPED_BYTES = /([\udc80-\udcff]+)/u;

/**
 * Returns the bytes of a body that a recorder wrote as text. Recorders convert bytes to text in different ways and
 * don't say how, so the length that was sent decides: in the charset of the Content-Type, as UTF-8, as one character
 * per byte, with line breaks of two bytes, or as base64. Without a length, one character per byte is assumed if the
 * bytes are then well-formed UTF-8 or the text has control characters.
 *
 * The body is decompressed if the text is what was sent; often the recorder has decompressed it already.
 *
 * @returns Undefined if the text is certainly not what was sent: it was cut, or bytes were lost.
 */
export function restoreBytes(text: string, evidence: BodyEvidence): BodyBytes | undefined {
  const { contentEncoding } = evidence;
  if (isEncoded(contentEncoding)) {
    const bytes = decodeText(text, contentEncoding, evidence.length);
    if (bytes !== undefined) return { bytes, isDecoded: true };
    if (text.includes("\ufffd")) return undefined;
    return asDecodedUnlessSent(likelyBytes(text, evidence.contentType), evidence.length);
  }
  const { length, contentType } = evidence;
  if (length === undefined) {
    const kind = mediaKind(mediaEssence(contentType));
    const isBinary = kind === "multipart" || kind === "other";
    if (isBinary && text.includes("\ufffd")) return undefined;
    return { bytes: likelyBytes(text, contentType), isDecoded: false };
  }
  for (const bytes of candidates(text, contentType)) {
    if (bytes.length === length) return { bytes, isDecoded: false };
  }
  if (text.includes("\ufffd")) return undefined;
  const bytes = likelyBytes(text, contentType);
  // A proxy or a filter for secrets may have changed the body but not its length.
  const isWhole = bytes.length > length ||
    (mediaKind(mediaEssence(contentType)) === "json" && isJson(text));
  return isWhole ? { bytes, isDecoded: false } : undefined;
}

/** Returns the decompressed body that a recording keeps as bytes (in base64, or in a separate file). */
export function decompressBody(bytes: Uint8Array, evidence: BodyEvidence): BodyBytes {
  const { contentEncoding, length } = evidence;
  if (!isEncoded(contentEncoding)) {
    const isSent = length === undefined || bytes.length === length;
    return {
      bytes: (isSent ? undefined : undoDoubleEncoding(bytes, length)) ?? bytes,
      isDecoded: false,
    };
  }
  const decoded = decodeOrUndefined(bytes, contentEncoding);
  if (decoded !== undefined) return { bytes: decoded, isDecoded: true };
  return asDecodedUnlessSent(bytes, length);
}

/** Decodes bytes that were encoded in UTF-8 as if each were a character, if that explains the length. */
function undoDoubleEncoding(bytes: Uint8Array, length: number): Uint8Array | undefined {
  if (utf8Text(bytes) === undefined) return undefined;
  const once = oneBytePerCharacter(utf8.decode(bytes));
  return once?.length === length ? once : undefined;
}

/** A body that can't be decompressed: broken if it has the length that was sent, else decompressed by the recorder. */
function asDecodedUnlessSent(bytes: Uint8Array, length: number | undefined): BodyBytes {
  return { bytes, isDecoded: bytes.length !== length };
}

function isEncoded(contentEncoding: string | undefined): contentEncoding is string {
  return contentEncoding !== undefined && !/^\s*(?:identity\s*)?$/i.test(contentEncoding);
}

function decodeOrUndefined(bytes: Uint8Array, contentEncoding: string): Uint8Array | undefined {
  const content = tryDecodeContent(bytes, contentEncoding);
  // Deno's Brotli ignores errors, so some short texts, such as `true`, would be decompressed to nothing.
  const isNothing = content?.length === 0 && bytes.length > MAX_EMPTY_LENGTH;
  return isNothing && !/gzip|deflate|zstd/i.test(contentEncoding) ? undefined : content;
}

function decodeText(
  text: string,
  contentEncoding: string,
  length: number | undefined,
): Uint8Array | undefined {
  for (const bytes of [oneBytePerCharacter(text), bytesOfBase64(text)]) {
    if (bytes === undefined || (length !== undefined && bytes.length !== length)) continue;
    const decoded = decodeOrUndefined(bytes, contentEncoding);
    if (decoded !== undefined) return decoded;
  }
  return undefined;
}

function* candidates(text: string, contentType: string): Generator<Uint8Array> {
  if (!ASCII.test(text)) {
    const inCharset = charsetBytes(text, contentType);
    if (inCharset !== undefined) yield inCharset;
  }
  yield utf8Bytes(text);
  const bytes = oneBytePerCharacter(text);
  if (bytes !== undefined) yield bytes;
  else if (!ASCII.test(text)) {
    // On the web, "Latin-1" is windows-1252, in which bytes 80 to 9F are other characters.
    const asLatin1 = encodeText(text, "windows-1252");
    if (asLatin1 !== undefined) yield asLatin1;
  }
  if (text.includes("\n")) yield utf8Bytes(text.replaceAll(/\r?\n/g, "\r\n"));
  const decoded = bytesOfBase64(text);
  if (decoded !== undefined) yield decoded;
}

function likelyBytes(text: string, contentType: string): Uint8Array {
  if (ASCII.test(text)) return encoder.encode(text);
  const inCharset = charsetBytes(text, contentType);
  if (inCharset !== undefined) return inCharset;
  const bytes = oneBytePerCharacter(text);
  return bytes !== undefined && (BINARY.test(text) || utf8Text(bytes) !== undefined)
    ? bytes
    : utf8Bytes(text);
}

function charsetBytes(text: string, contentType: string): Uint8Array | undefined {
  if (!/charset/i.test(contentType)) return undefined;
  const charset = parseMediaType(contentType).parameters.get("charset");
  return charset === undefined || /^utf-?8$/i.test(charset) ? undefined : encodeText(text, charset);
}

function utf8Bytes(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text);
  // split() with a group returns the matches at odd indexes.
  return concatBytes(
    text.split(ESCAPED_BYTES).map((part, index) =>
      index % 2 === 0
        ? encoder.encode(part)
        : Uint8Array.from(part, (unit) => unit.charCodeAt(0) & 0xff)
    ),
  );
}

function oneBytePerCharacter(text: string): Uint8Array | undefined {
  return ONE_BYTE.test(text) ? latin1Bytes(text) : undefined;
}

function bytesOfBase64(text: string): Uint8Array | undefined {
  return BASE64.test(text) ? decodeBase64(text) : undefined;
}

/** Decodes hexadecimal digits in lower case; undefined for any other text and for an empty one. */
export function decodeHex(hex: string): Uint8Array | undefined {
  if (!/^(?:[0-9a-f]{2})+$/.test(hex)) return undefined;
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

/** Base64 without line breaks, which can always be decoded if its length is right. */
const PLAIN_BASE64 = /^[A-Za-z0-9+/_-]*(={0,2})$/;

/** Sets a body that is decoded on first access: most messages match no operation, so nothing reads the body. */
export function setLazyBytes(
  message: Pick<Writable<HttpResponse>, "body">,
  base64: string,
): boolean {
  const padding = PLAIN_BASE64.exec(base64)?.[1]?.length;
  const isDecodable = padding !== undefined && (base64.length - padding) % 4 !== 1 &&
    (padding === 0 || base64.length % 4 === 0);
  if (!isDecodable) {
    const bytes = decodeBase64(base64);
    if (bytes === undefined) return false;
    message.body = bytes;
    return true;
  }
  let bytes: Uint8Array | undefined;
  Object.defineProperty(message, "body", {
    configurable: true,
    enumerable: true,
    get: () => bytes ??= decodeBase64(base64),
  });
  return true;
}
