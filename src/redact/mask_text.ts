import { isReplacedText } from "../values/replaced_text.ts";
import type { NameKind } from "./secret_names.ts";
import { decodePercent, encodePercent } from "../http/percent.ts";

/** Secrets with their masks, in the order in which they were found. */
export type MaskedTexts = ReadonlyMap<string, string>;

let count = 0;

/** Returns the number of texts that were found to be secret so far, including those that were masked already. */
export function maskedCount(): number {
  return count;
}

/** The list of the current `watchMasking()`; one at a time is enough, because masking is synchronous. */
let collected: Map<string, string> | undefined;

/** Makes a text unreadable, but keeps its length and kinds of characters: letters become `a` or `A`, digits `1`. */
export function maskText(text: string): string {
  if (isReplacedText(text)) return text;
  const mask = maskLetters(text);
  noteMasked(text, mask);
  return mask;
}

/** Masks the end of each match of a pattern; `findSecret` returns that end, or undefined if it isn't secret. */
export function maskEnds(
  text: string,
  pattern: RegExp,
  findSecret: (groups: readonly string[]) => string | undefined,
): string {
  return text.replace(pattern, (all: string, ...groups: string[]) => {
    const secret = findSecret(groups);
    return secret === undefined ? all : all.slice(0, all.length - secret.length) + maskText(secret);
  });
}

/** Masks a text, without recording it as a secret: it may be only part of one. */
export function maskLetters(text: string): string {
  // A loop over ASCII takes a quarter of the time of regular expressions for all scripts.
  let masked = "";
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) return maskAnyLetters(text);
    if (code >= 0x61 && code <= 0x7a) masked += "a";
    else if (code >= 0x41 && code <= 0x5a) masked += "A";
    else masked += code >= 0x30 && code <= 0x39 ? "1" : text.charAt(index);
  }
  return masked;
}

function maskAnyLetters(text: string): string {
  return text.replace(/\p{Lu}/gu, "A").replace(/\p{L}/gu, (letter) => letter === "A" ? "A" : "a")
    .replace(/\p{N}/gu, "1");
}

/** Records a secret that is masked in parts, or within another text. */
export function noteMasked(secret: string, mask: string = maskLetters(secret)): void {
  count++;
  collected?.set(secret, mask);
}

/** Calls a function that masks; returns the secrets that it finds, including those that were masked already. */
export function watchMasking(mask: () => void): MaskedTexts {
  const outer = collected;
  const masked = collected = new Map<string, string>();
  try {
    mask();
    return masked;
  } finally {
    collected = outer;
  }
}

export interface Rules {
  kind(name: string): NameKind;
  /** Returns the redacted text of a value; the same text if it has no secrets. */
  value(text: string): string;
}

const ESCAPE =
  /(?:%[0-9a-f]{2})+|\\{1,8}u([0-9a-f]{4})|\\{1,8}(["'/])|&#(?:x([0-9a-f]{1,6})|(\d{1,7}));|&(amp|lt|gt|quot|apos);/gi;
const WRITTEN = /(?:%[0-9a-f]{2})+|\\+u[0-9a-f]{4}|\\+.|&#?\w{1,9};|[^%\\&]+|[^]/gi;
const REFERENCE = /&#?\w{1,20};|[^&]+|&/g;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Decodes the escapes of URLs, JSON and XML. */
export function readEscapes(text: string): string {
  return text.replace(ESCAPE, (written, unit, quote, hex, decimal, name) => {
    if (written.startsWith("%")) return decodePercent(written);
    if (unit !== undefined) return String.fromCharCode(parseInt(unit, 16));
    if (quote !== undefined) return quote;
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? written;
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : written;
  });
}

export function readReferences(text: string): string {
  return text.replace(REFERENCE, (part) => part.startsWith("&") ? readEscapes(part) : part);
}

/** Masks text with escapes of URLs, JSON and XML; escapes of letters and digits are replaced, others stay. */
export function maskWritten(text: string): string {
  return text.replace(WRITTEN, (part) => {
    if (/^(?:%.|\\+u|&#)/i.test(part)) return maskEscape(part);
    return /^(?:\\|&.)/.test(part) ? part : maskLetters(part);
  });
}

/** Masks XML text; references to characters that aren't letters or digits, such as `&amp;`, stay. */
export function maskReferences(text: string): string {
  return text.replace(REFERENCE, (part) => {
    if (part.startsWith("&#")) return maskEscape(part);
    return /^&.+;$/.test(part) ? part : maskLetters(part);
  });
}

function maskEscape(written: string): string {
  const plain = readEscapes(written);
  const masked = maskLetters(plain);
  if (masked === plain) return written;
  return written.startsWith("%") ? encodePercent(masked) : masked;
}
