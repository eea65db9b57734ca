import { platformZlib } from "../values/builtin.ts";

/** Compresses with the platform's own compressor; undefined where there is no synchronous one, as in browsers. */
export function gzipBytes(bytes: Uint8Array): Uint8Array | undefined {
  return platformZlib().gzipSync?.(bytes);
}
