import type { HttpResponse } from "../../http/interaction.ts";
import { decodeBase64 } from "./decode_base64.ts";

/** A response while it is put together. */
export type WritableResponse = { -readonly [Name in keyof HttpResponse]: HttpResponse[Name] };

/** Base64 without line breaks, whose decoding can't fail but for its length. */
const PLAIN = /^[A-Za-z0-9+/_-]*(={0,2})$/;

/**
 * Gives a response the body that base64 text stands for. It is decoded when it is first asked for: most responses of a
 * recording are images, scripts and answers to requests that match no operation, and nobody asks for those.
 *
 * @returns False, and nothing is set, if the text isn't base64.
 *
 * @example
 * ```ts
 * import { setLazyBytes, type WritableResponse } from "./lazy_bytes.ts";
 * import assert from "node:assert/strict";
 *
 * const response: WritableResponse = { status_code: 200 };
 * assert.equal(setLazyBytes(response, "{}"), false);
 * assert.equal(setLazyBytes(response, "aGk="), true);
 * assert.deepEqual(response.body, new Uint8Array([104, 105]));
 * ```
 */
export function setLazyBytes(response: WritableResponse, base64: string): boolean {
  const padding = PLAIN.exec(base64)?.[1]?.length;
  const isDecodable = padding !== undefined && (base64.length - padding) % 4 !== 1 &&
    (padding === 0 || base64.length % 4 === 0);
  if (!isDecodable) {
    const bytes = decodeBase64(base64);
    if (bytes === undefined) return false;
    response.body = bytes;
    return true;
  }
  let bytes: Uint8Array | undefined;
  Object.defineProperty(response, "body", {
    configurable: true,
    enumerable: true,
    get: () => bytes ??= decodeBase64(base64),
  });
  return true;
}
