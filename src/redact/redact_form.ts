import { decodeUri } from "../values/escapes.ts";
import { encodePercent } from "../http/percent.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { maskLetters, maskText, noteMasked, type Rules } from "./mask_text.ts";
import { isSecretPair, isTokenLike, type NameKind, nameKind } from "./secret_names.ts";

/** The content of a quoted cell, up to the closing quote, and of a plain cell, up to a separator. */
const QUOTED_REST = /(?:[^"]|"")*/y;
const PLAIN_REST = /[^,;\t\r\n]*/y;

/** Masks the columns of CSV (commas, semicolons or tabs) whose heading is a secret name. */
export function redactCsv(text: string, judgeName: (name: string) => NameKind): string {
  const kinds: NameKind[] = [];
  let separator: string | undefined;
  let isHeading = true;
  let column = 0;
  let redacted = "";
  let copied = 0;
  for (let at = 0; at < text.length;) {
    const isQuoted = text[at] === '"';
    const from = isQuoted ? at + 1 : at;
    const rest = isQuoted ? QUOTED_REST : PLAIN_REST;
    rest.lastIndex = from;
    let to = from + (rest.exec(text)?.[0].length ?? 0);
    // Separators other than that of the first row are text.
    while (!isQuoted && separator !== undefined && isOtherSeparator(text[to], separator)) {
      PLAIN_REST.lastIndex = to + 1;
      to += 1 + (PLAIN_REST.exec(text)?.[0].length ?? 0);
    }
    const cell = text.slice(from, to);
    if (isHeading) kinds.push(judgeName(cell.trim()));
    else if (kinds[column] === "secret" || (kinds[column] === "perhaps" && isTokenLike(cell))) {
      redacted += text.slice(copied, from) + maskText(cell);
      copied = to;
    }
    at = to + (isQuoted ? 1 : 0);
    // Text after a closing quote belongs to no cell.
    while (at < text.length && !/[,;\t\r\n]/.test(text.charAt(at))) at++;
    if (/[\r\n]/.test(text.charAt(at))) {
      if (isHeading && !kinds.some((kind) => kind !== "harmless")) return text;
      isHeading = false;
      column = 0;
      at += text.startsWith("\r\n", at) ? 2 : 1;
    } else {
      if (isHeading) separator ??= text[at];
      column++;
      at++;
    }
  }
  return redacted + text.slice(copied);
}

function isOtherSeparator(sign: string | undefined, separator: string): boolean {
  return sign !== undefined && sign !== separator && /[,;\t]/.test(sign);
}

/** The length up to which the head of a part is searched; real heads are shorter. */
const MAX_HEAD_LENGTH = 1 << 13;

/** Masks the secret parts of a multipart body; passes its other parts, which may be multipart too, to `redact`. */
export function redactMultipart(
  text: string,
  contentType: string,
  redact: (text: string, contentType?: string) => string,
): string {
  const [, quoted, bare] = /boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  // A recorder may have lost the parameter; the boundary is also in the first line of the body.
  const boundary = quoted ?? bare ?? /^\s{0,4}--([^\r\n]{1,70})\r?\n/.exec(text)?.[1];
  if (boundary === undefined) return redact(text);
  return text.split(`--${boundary}`).map((part) => redactPart(part, redact))
    .join(`--${boundary}`);
}

function redactPart(part: string, redact: (text: string, contentType?: string) => string): string {
  const end = /\r?\n\r?\n/.exec(part);
  if (end === null) return part;
  const start = end.index + end[0].length;
  const head = part.slice(0, start);
  const searched = head.slice(0, MAX_HEAD_LENGTH);
  // Includes the line break that belongs to the next boundary.
  const content = part.slice(start);
  const name = /;\s{0,9}name\s{0,9}=\s{0,9}(?:"([^"\r\n]*)"|([^\s;]+))/i.exec(searched);
  const kind = nameKind(name?.[1] ?? name?.[2] ?? "");
  if (kind === "secret" || (kind === "perhaps" && isSecretPair(content.trim()))) {
    return head + maskText(content);
  }
  // A zero byte means binary content.
  if (content.includes("\0")) return part;
  const type = /^content-type:([^\r\n]*)/im.exec(searched)?.[1] ?? "";
  return head + redact(content, type);
}

export function redactForm(text: string, rules: Rules): string {
  return text.split("&").map((pair) => redactPair(pair, rules)).join("&");
}

function redactPair(pair: string, rules: Rules): string {
  const equals = pair.indexOf("=");
  const name = pair.slice(0, Math.max(0, equals));
  const value = pair.slice(equals + 1);
  if (value === "") return pair;
  let mayBeSecret = false;
  if (name !== "") {
    for (const word of decodeForm(name).split(/[[\].]+/)) {
      const kind = rules.kind(word);
      if (kind === "secret" || word === "key") return `${name}=${maskEscaped(value)}`;
      mayBeSecret ||= kind === "perhaps";
    }
  }
  if (!mayBeSecret && isPlain(value)) return pair;
  const content = decodeForm(value);
  if (mayBeSecret && isSecretPair(content)) return `${name}=${maskEscaped(value)}`;
  const redacted = rules.value(content);
  return redacted === content ? pair : pair.slice(0, equals + 1) + encodePercent(redacted);
}

/** True for short values that can't hold a secret, as a quick test. */
function isPlain(value: string): boolean {
  return value.length < 8 || (value.length < 14 && /^[\w.~-]*$/.test(value));
}

/** Masks percent-encoded text; escapes of letters and digits are replaced, others stay. */
export function maskEscaped(value: string): string {
  const plain = decodeForm(value);
  if (isReplacedText(plain)) return value;
  noteMasked(plain);
  return value.replace(/(?:%[0-9a-f]{2})+|[^%]+|%/gi, (part) => {
    // A lone `%` would form an escape with the masked text after it.
    if (part === "%") return "%25";
    if (!part.startsWith("%")) return maskLetters(part);
    const text = decodeForm(part);
    const masked = maskLetters(text);
    return masked === text ? part : encodePercent(masked);
  });
}

export function decodeForm(text: string): string {
  return decodeUri(text.replaceAll("+", " "));
}
