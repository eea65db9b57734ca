import { decodeBase64 } from "../../http/body_text.ts";
import type { HttpResponse } from "../../http/interaction.ts";
import type { Writable } from "./fields.ts";

/** Base64 without line breaks, which can always be decoded if its length is right. */
const PLAIN = /^[A-Za-z0-9+/_-]*(={0,2})$/;

/** Sets a body that is decoded on first access: most messages match no operation, so nothing reads the body. */
export function setLazyBytes(
  message: Pick<Writable<HttpResponse>, "body">,
  base64: string,
): boolean {
  const padding = PLAIN.exec(base64)?.[1]?.length;
  const isDecodable = padding !== undefined && (base64.length - padding) % 4 !== 1 &&
    (padding === 0 || base64.length % 4 === 0);
  if (!isDecodable) {
    const bytes = decodeBase64(base64);
    if (bytes === undefined) return false;
    message.body = bytes;
    return true;
  }
  let bytes: Uint8Array | undefined;
  Object.defineProperty(message, "body", {
    configurable: true,
    enumerable: true,
    get: () => bytes ??= decodeBase64(base64),
  });
  return true;
}
