const utf8 = new TextDecoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Characters per call of `String.fromCharCode`, far below every engine's limit on arguments. */
const CHUNK = 8192;

function chooseDecoder(charset: string | undefined): TextDecoder {
  if (charset === undefined || /^utf-?8$/i.test(charset)) return utf8;
  try {
    return new TextDecoder(charset);
  } catch {
    return utf8;
  }
}

/** Decodes a body by its charset (default: UTF-8), without byte order mark; invalid bytes become U+FFFD. */
export function bodyText(body: Uint8Array | string, charset?: string): string {
  if (typeof body !== "string") return chooseDecoder(charset).decode(body);
  return body.charCodeAt(0) === 0xfeff ? body.slice(1) : body;
}

/** Converts each byte into one character (U+0000 to U+00FF), so that `maxLength` counts bytes. */
export function byteString(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return text;
}

/** The inverse of {@linkcode byteString}: the lower eight bits of each character. */
export function latin1Bytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** Decodes Base64, standard or URL-safe, with or without line breaks and padding; undefined if it isn't Base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const standard = text.replaceAll(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    return latin1Bytes(atob(standard));
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8 and keeps a byte order mark; returns undefined if the bytes aren't UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes a body of any type: as UTF-8 without byte order mark if it is valid, else as a {@linkcode byteString}. */
export function textOrByteString(body: Uint8Array | string): string {
  if (typeof body === "string") return body;
  return utf8Text(body)?.replace(/^\ufeff/, "") ?? byteString(body);
}

const encoder = new TextEncoder();
const MAX_CHECKED = 65_536;
const BACKSLASH = 0x5c;
let buffer: Uint8Array | undefined;

/** True if all texts of a JSON body are known to be ASCII; `encodeInto` is by far the fastest way to find out. */
export function isAsciiJson(body: Uint8Array | string): boolean {
  if (body.length > MAX_CHECKED) return false;
  if (typeof body !== "string") {
    for (const byte of body) if (byte > 0x7f || byte === BACKSLASH) return false;
    return true;
  }
  if (body.includes("\\u")) return false;
  const { read, written } = encoder.encodeInto(body, buffer ??= new Uint8Array(MAX_CHECKED));
  return read === body.length && written === body.length;
}
