import { builtin } from "../values/builtin.ts";

/** Compresses with the platform's own compressor; undefined where there is no synchronous one, as in browsers. */
export function gzipBytes(bytes: Uint8Array): Uint8Array | undefined {
  let zlib;
  try {
    zlib = builtin("node:zlib");
  } catch {
    return undefined;
  }
  return zlib.gzipSync(bytes);
}
