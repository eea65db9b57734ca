import { decodePercent, encodePercent } from "../http/percent.ts";
import { maskLetters } from "./mask_text.ts";

/** How URLs, JSON and XML write a character other than by itself. */
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

/** Text without the escapes of URLs, of JSON and of XML. */
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

/** Masks text with escapes of URLs, JSON and XML: those of letters and digits are gone, others stay. */
export function maskWritten(text: string): string {
  return text.replace(WRITTEN, (part) => {
    if (/^(?:%.|\\+u|&#)/i.test(part)) return maskOne(part);
    return /^(?:\\|&.)/.test(part) ? part : maskLetters(part);
  });
}

/** Masks text of XML, in which references to other characters stay: `&amp;`. */
export function maskReferences(text: string): string {
  return text.replace(REFERENCE, (part) => {
    if (part.startsWith("&#")) return maskOne(part);
    return /^&.+;$/.test(part) ? part : maskLetters(part);
  });
}

function maskOne(written: string): string {
  const plain = readEscapes(written);
  const masked = maskLetters(plain);
  if (masked === plain) return written;
  return written.startsWith("%") ? encodePercent(masked) : masked;
}
