import { maskText } from "./mask_text.ts";
import type { Redactor } from "./redactor.ts";
import { isSecretPair, nameKind } from "./secret_names.ts";

/** Heads of parts are shorter; what is longer is looked at so far. */
const LONGEST_HEAD = 1 << 13;

/**
 * Masks the secret parts of a multipart body, and secrets within its other texts. The same array where there are none.
 */
export function redactMultipart(
  body: Uint8Array,
  contentType: string,
  redactor: Redactor,
): Uint8Array {
  const [, quoted, bare] = /boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  // One character a byte, so that files come through unharmed.
  const text = oneByteEach(body);
  // Recorders may lose the parameter; the body begins with the same.
  const boundary = quoted ?? bare ?? /^\s{0,4}--([^\r\n]{1,70})\r?\n/.exec(text)?.[1];
  if (boundary === undefined) return body;
  const redacted = text.split(`--${boundary}`).map((part) => redactPart(part, redactor))
    .join(`--${boundary}`);
  return redacted === text ? body : bytesOf(redacted);
}

function redactPart(part: string, redactor: Redactor): string {
  const end = /\r?\n\r?\n/.exec(part);
  if (end === null) return part;
  const start = end.index + end[0].length;
  const head = part.slice(0, start);
  const looked = head.slice(0, LONGEST_HEAD);
  // The line break belongs to the boundary that follows.
  const content = part.slice(start);
  const name = /;\s{0,9}name\s{0,9}=\s{0,9}(?:"([^"\r\n]*)"|([^\s;]+))/i.exec(looked);
  const kind = nameKind(name?.[1] ?? name?.[2] ?? "");
  if (kind === "secret" || (kind === "perhaps" && isSecretPair(content.trim()))) {
    return head + maskText(content);
  }
  // A zero byte is in no text.
  if (content.includes("\0")) return part;
  const isJson = /content-type:[^\r\n]*json/i.test(looked);
  return head + (isJson ? redactor.json(content) : redactor.value(content));
}

/** Bytes as a text with one character for each. */
export function oneByteEach(bytes: Uint8Array): string {
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += 0x2000) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + 0x2000));
  }
  return text;
}

/** The bytes that {@linkcode oneByteEach} made a text of. */
export function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}
