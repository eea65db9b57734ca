/**
 * The bytes of base64 text, standard or URL-safe, with or without line breaks and padding; undefined for what is none.
 *
 * @example
 * ```ts
 * import { decodeBase64 } from "./decode_base64.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(decodeBase64("aGk="), new Uint8Array([104, 105]));
 * assert.equal(decodeBase64("{}"), undefined);
 * ```
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const standard = text.replaceAll(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
  let binary: string;
  try {
    binary = atob(standard);
  } catch {
    return undefined;
  }
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
