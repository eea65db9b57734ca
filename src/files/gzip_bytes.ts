import { builtin } from "../values/builtin.ts";

interface Zlib {
  gzipSync(bytes: Uint8Array): Uint8Array;
}

/** Compresses with the platform's own compressor; undefined where there is no synchronous one, as in browsers. */
export function gzipBytes(bytes: Uint8Array): Uint8Array | undefined {
  let zlib: Zlib;
  try {
    zlib = builtin<Zlib>("node:zlib");
  } catch {
    return undefined;
  }
  return zlib.gzipSync(bytes);
}
