import { maskText } from "./mask_text.ts";
import { redactJson } from "./redact_json.ts";
import { isSecretField } from "./secret_names.ts";

/**
 * Makes the secret parts of a multipart body unreadable, and the secret fields of its JSON parts. The same array where
 * there are none.
 */
export function redactMultipart(body: Uint8Array, contentType: string): Uint8Array {
  const [, quoted, bare] = /boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return body;
  // One character a byte, so that files come through unharmed.
  const text = oneByteEach(body);
  const redacted = text.split(`--${boundary}`).map((part) => {
    const end = /\r?\n\r?\n/.exec(part);
    if (end === null) return part;
    const start = end.index + end[0].length;
    const head = part.slice(0, start);
    const content = part.slice(start);
    const name = /;\s*name\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(head);
    if (isSecretField(name?.[1] ?? name?.[2] ?? "")) return head + maskText(content);
    const isJson = /content-type:[^\r\n]*json/i.test(head) || /^\s*[[{]/.test(content);
    return isJson ? head + redactJson(content, isSecretField) : part;
  }).join(`--${boundary}`);
  if (redacted === text) return body;
  return Uint8Array.from(redacted, (character) => character.charCodeAt(0));
}

function oneByteEach(bytes: Uint8Array): string {
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += 0x2000) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + 0x2000));
  }
  return text;
}
