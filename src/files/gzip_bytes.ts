import { builtin } from "./builtin.ts";

interface Zlib {
  gzipSync(bytes: Uint8Array): Uint8Array;
}

/**
 * Compresses bytes as gzip with the platform's own compressor, which takes a fifth of the time of one in JavaScript. The
 * same bytes give the same result on the same version of the platform.
 *
 * @returns undefined on platforms without a synchronous one, such as browsers.
 *
 * @example
 * ```ts
 * import { gzipBytes } from "./gzip_bytes.ts";
 * import assert from "node:assert/strict";
 *
 * const packed = gzipBytes(new TextEncoder().encode("covtool"));
 * assert.deepEqual([...packed?.subarray(0, 2) ?? []], [0x1f, 0x8b]);
 * ```
 */
export function gzipBytes(bytes: Uint8Array): Uint8Array | undefined {
  let zlib: Zlib;
  try {
    zlib = builtin<Zlib>("node:zlib");
  } catch {
    return undefined;
  }
  return zlib.gzipSync(bytes);
}
