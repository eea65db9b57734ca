import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import zlib from "node:zlib";
import { ContentEncodingError, decodeContent } from "../../../src/http/content_encoding.ts";
import type { Random } from "../../corpus/random.ts";
import type { FuzzTarget } from "../fuzz_target.ts";
import { mutateBytes } from "../mutate_bytes.ts";

/** Encodings by the number that an input begins with. */
const ENCODINGS = [
  { name: "gzip", encode: zlib.gzipSync, decode: zlib.gunzipSync },
  { name: "deflate", encode: zlib.deflateSync, decode: zlib.inflateSync },
  // covtool decodes it by the platform's decoder: there is nothing to compare. Deno's complains of its own leaks.
  { name: "br", encode: zlib.brotliCompressSync, decode: undefined },
] as const;
const LIMIT = 1 << 20;

function content(random: Random): Uint8Array {
  const words = ["book", '{"a":1}', "\u0000", "é", " ", "aaaaaaaaaaaa", "0123456789"];
  const text = Array.from({ length: random.below(200) }, () => random.pick(words)).join("");
  const noise = Uint8Array.from({ length: random.below(300) }, () => random.below(256));
  return random.oneIn(3) ? noise : new TextEncoder().encode(text);
}

/** Contents of bodies, whole and damaged, against the platform's decoders. */
export const encodings: FuzzTarget = {
  name: "encodings",
  make(random) {
    const index = random.below(ENCODINGS.length);
    const encoded = Uint8Array.from(
      random.pick([ENCODINGS[index] ?? ENCODINGS[0]]).encode(content(random)),
    );
    const bytes = random.oneIn(3) ? encoded : mutateBytes(encoded, random);
    return Uint8Array.of(index, ...bytes);
  },
  check(input) {
    const encoding = ENCODINGS[(input[0] ?? 0) % ENCODINGS.length] ?? ENCODINGS[0];
    const bytes = input.subarray(1);
    if (bytes.length === 0) return; // an empty body stays empty, whatever its encoding
    let ours: Uint8Array | undefined;
    try {
      ours = decodeContent(bytes, encoding.name, LIMIT);
    } catch (error) {
      if (!(error instanceof ContentEncodingError)) throw error;
    }
    assert.ok((ours?.length ?? 0) <= LIMIT, encoding.name);
    if (encoding.decode === undefined) return;
    const theirs = platformDecode(encoding.decode, bytes);
    if (theirs === undefined) return; // the platform refuses more: bytes behind the end, for example
    assert.ok(ours !== undefined, `${encoding.name}: the platform reads ${theirs.length} bytes`);
    assert.deepEqual(Buffer.from(ours), theirs);
  },
};

function platformDecode(
  decode: (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer,
  bytes: Uint8Array,
): Buffer | undefined {
  try {
    return decode(bytes, { maxOutputLength: LIMIT });
  } catch {
    return undefined;
  }
}
