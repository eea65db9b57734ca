export type Separator = "comma" | "space" | "tab" | "pipe" | "dot" | "semicolon";

/** The escaping in a part of a request; delimiters that a URL cannot hold may be percent-encoded. */
export interface Escaping {
  unescape(text: string): string;
  /** The delimiters at which lists are split, before unescaping. */
  readonly separators: Readonly<Record<Separator, string | RegExp>>;
}

/** Delimiters where nothing is escaped. */
export const SEPARATORS = {
  comma: ",",
  space: " ",
  tab: "\t",
  pipe: "|",
  dot: ".",
  semicolon: ";",
} as const;

const PERCENT = { ...SEPARATORS, space: / |%20/, tab: /\t|%09/, pipe: /\||%7C/i } as const;

/** For queries and urlencoded forms: percent-encoding, with `+` for a space. */
export const FORM_ESCAPING: Escaping = {
  unescape: decodeFormText,
  separators: { ...PERCENT, space: / |\+|%20/ },
};

/** For paths, and for cookies of `style: form`: percent-encoding. */
export const PERCENT_ESCAPING: Escaping = { unescape: decodePercent, separators: PERCENT };

/** For headers, whose items are trimmed. */
export const HEADER_ESCAPING: Escaping = {
  unescape: (text: string): string => text.trim(),
  separators: SEPARATORS,
};

/** For parts of a multipart body, and for cookies of `style: cookie`: no escaping. */
export const NO_ESCAPING: Escaping = {
  unescape: (text: string): string => text,
  separators: SEPARATORS,
};

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns the value of a hexadecimal digit's character code; -1 for any other character. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** Decodes valid escapes byte by byte, and leaves invalid ones as they are. */
function decodeLeniently(text: string): string {
  const bytes = encoder.encode(text);
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    // Within the array by the loop's condition. After its end, 0 isn't a digit.
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

/** Decodes percent-encoding and never throws: invalid escapes (`%zz`) stay, bytes that aren't UTF-8 become U+FFFD. */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return decodeLeniently(text);
  }
}

/** Decodes text of queries and forms: as {@linkcode decodePercent}, with `+` for a space. */
export function decodeFormText(text: string): string {
  return decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
}

/** Percent-encodes and never throws: a lone surrogate, which JSON can hold, becomes U+FFFD. */
export function encodePercent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
