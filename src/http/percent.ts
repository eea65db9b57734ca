const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The value of a hexadecimal digit's character code; -1 for any other character. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** Decodes what can be decoded, byte for byte, and leaves bad sequences as they are. */
function decodeLeniently(text: string): string {
  const bytes = encoder.encode(text);
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    // Inside the array by the loop's condition; past its end the digits are NaN, which is none.
    const byte = bytes[index] ?? 0;
    const high = byte === 37 ? hexDigit(bytes[index + 1] ?? 0) : -1;
    const low = high === -1 ? -1 : hexDigit(bytes[index + 2] ?? 0);
    if (low === -1) {
      bytes[length++] = byte;
    } else {
      bytes[length++] = high * 16 + low;
      index += 2;
    }
  }
  return decoder.decode(bytes.subarray(0, length));
}

/**
 * Undoes percent-encoding (RFC 3986, section 2.1) and never fails: bad sequences (`%`, `%zz`) stay text,
 * bytes that are no UTF-8 become U+FFFD.
 *
 * @example
 * ```ts
 * import { decodePercent } from "./percent.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(decodePercent("caf%C3%A9+100%"), "café+100%");
 * ```
 */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return decodeLeniently(text);
  }
}

/**
 * Undoes the encoding of queries and forms: {@linkcode decodePercent}, with `+` for a space.
 *
 * @example
 * ```ts
 * import { decodeFormText } from "./percent.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(decodeFormText("a+b%2Bc"), "a b+c");
 * ```
 */
export function decodeFormText(text: string): string {
  return decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
}

/**
 * Percent-encodes a part of a URL and never fails: half of a surrogate pair, which JSON can hold and no URL, becomes
 * U+FFFD.
 *
 * @example
 * ```ts
 * import { encodePercent } from "./percent.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(encodePercent("café/1"), "caf%C3%A9%2F1");
 * assert.equal(encodePercent("\ud800"), "%EF%BF%BD");
 * ```
 */
export function encodePercent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
