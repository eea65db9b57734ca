const utf8 = new TextDecoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** Characters per call of `String.fromCharCode`, far below every engine's limit on arguments. */
const CHUNK = 8192;

function decoderOf(charset: string | undefined): TextDecoder {
  if (charset === undefined || /^utf-?8$/i.test(charset)) return utf8;
  try {
    return new TextDecoder(charset);
  } catch {
    return utf8;
  }
}

/**
 * The text of a body: UTF-8 without its byte order mark, or what `charset` names. Bytes that are no such
 * text become U+FFFD; an unknown charset is read as UTF-8.
 */
export function bodyText(body: Uint8Array | string, charset?: string): string {
  if (typeof body !== "string") return decoderOf(charset).decode(body);
  return body.charCodeAt(0) === 0xfeff ? body.slice(1) : body;
}

/** One character (U+0000 to U+00FF) per byte, so that `maxLength` counts bytes. */
export function byteString(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return text;
}

/** The text of a body of an arbitrary type: UTF-8 where it is, else {@linkcode byteString}. */
export function textOrByteString(body: Uint8Array | string): string {
  if (typeof body === "string") return body;
  try {
    return strictUtf8.decode(body);
  } catch {
    return byteString(body);
  }
}
