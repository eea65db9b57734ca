import { concatBytes } from "../values/concat_bytes.ts";
import { createHash } from "node:crypto";

const MAGIC = 0xfeedfeed;
const VERSION = 2;
const TRUSTED_CERTIFICATE = 2;
/** Whoever reads a trust store without a password does not check this; the usual one does. */
const PASSWORD = "changeit";

/**
 * A trust store of Java with these certificates, in the format that every version of Java reads (JKS).
 *
 * @param certificates In DER.
 *
 * @example
 * ```ts
 * import { javaTrustStore } from "./java_trust_store.ts";
 * import assert from "node:assert/strict";
 *
 * const store = javaTrustStore([Uint8Array.of(0x30, 0)]);
 * assert.deepEqual([...store.slice(0, 12)], [0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2, 0, 0, 0, 1]);
 * ```
 */
export function javaTrustStore(certificates: readonly Uint8Array[]): Uint8Array {
  const parts = [uint32(MAGIC), uint32(VERSION), uint32(certificates.length)];
  for (const [index, certificate] of certificates.entries()) {
    // A time of 0 as the date of entry: the same certificates make the same file.
    parts.push(uint32(TRUSTED_CERTIFICATE), text(`covtool-${index}`), uint32(0), uint32(0));
    parts.push(text("X.509"), uint32(certificate.length), certificate);
  }
  const body = concatBytes(parts);
  const digest = createHash("sha1");
  for (const unit of PASSWORD) digest.update(Uint8Array.of(0, unit.charCodeAt(0)));
  digest.update("Mighty Aphrodite");
  digest.update(body);
  return concatBytes([body, digest.digest()]);
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function text(value: string): Uint8Array {
  const bytes = new TextEncoder().encode(value);
  return concatBytes([Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes]);
}
