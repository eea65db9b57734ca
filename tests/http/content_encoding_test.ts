import assert from "node:assert/strict";
import zlib from "node:zlib";
import {
  ContentEncodingError,
  decodeContent,
  DEFAULT_MAX_BYTES,
} from "../../src/http/content_encoding.ts";
import { randomBytes } from "./random_bytes.ts";

const { constants } = zlib;
const text = new TextEncoder().encode(
  "the quick brown fox jumps over the lazy dog, Größe, 日本語 ".repeat(40),
);

function brotli(bytes: Uint8Array, quality: number): Uint8Array {
  return zlib.brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

/** Some versions of the types of Node.js don't have zstd yet. */
const { zstdCompressSync } = zlib as unknown as {
  zstdCompressSync(bytes: Uint8Array, options: { params: Record<number, number> }): Uint8Array;
};
/** Parameter numbers of the zstd library. */
const COMPRESSION_LEVEL = 100;
const CHECKSUM_FLAG = 201;

function zstd(bytes: Uint8Array, level: number, checksum = 0): Uint8Array {
  return zstdCompressSync(bytes, {
    params: { [COMPRESSION_LEVEL]: level, [CHECKSUM_FLAG]: checksum },
  });
}

function assertSame(found: Uint8Array, expected: Uint8Array, message: string): void {
  assert.equal(found.length, expected.length, message);
  assert.ok(found.every((byte, index) => byte === expected[index]), message);
}

/** Returns the error of a failing decoder. */
function failure(run: () => unknown): ContentEncodingError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ContentEncodingError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: "nothing was thrown" });
}

for (
  const [name, sample] of [
    ["one byte", Uint8Array.of(65)],
    ["text", text],
    ["one byte many times", new Uint8Array(300_000).fill(7)],
    ["noise", randomBytes(70_000, 256)],
    ["three values", randomBytes(50_000, 3)],
  ] as const
) {
  Deno.test(`every encoding is decoded: ${name}`, () => {
    for (const level of [1, 9]) {
      for (
        const [encoding, packed] of [
          ["gzip", zlib.gzipSync(sample, { level })],
          ["deflate", zlib.deflateSync(sample, { level })],
          ["deflate", zlib.deflateRawSync(sample, { level })],
          ["br", brotli(sample, level)],
          ["zstd", zstd(sample, level)],
          ["zstd", zstd(sample, level, 1)],
        ] as const
      ) {
        assertSame(decodeContent(packed, encoding), sample, `${encoding} ${level}`);
      }
    }
  });
}

const PACKED: readonly (readonly [string, Uint8Array])[] = [
  ["gzip", zlib.gzipSync(text)],
  ["deflate", zlib.deflateSync(text)],
  ["br", brotli(text, 9)],
  ["zstd", zstd(text, 3, 1)],
];

Deno.test("several encodings are decoded from the last to the first", () => {
  const packed = zstd(brotli(zlib.gzipSync(text), 5), 3);
  assertSame(decodeContent(packed, "gzip, BR,identity ,\tzstd"), text, "four encodings");
  assert.equal(failure(() => decodeContent(packed, "zstd, br, gzip")).code, "corrupt");
});

Deno.test("x-gzip is gzip, and identity leaves a body as it is", () => {
  assertSame(decodeContent(zlib.gzipSync(text), "X-GZIP"), text, "x-gzip");
  assert.equal(decodeContent(text, "identity"), text);
  assert.equal(decodeContent(text, ""), text);
});

Deno.test("all members of a gzip body are decoded", () => {
  const packed = Uint8Array.from([
    ...zlib.gzipSync("one"),
    ...zlib.gzipSync(""),
    ...zlib.gzipSync("two"),
  ]);
  assert.equal(new TextDecoder().decode(decodeContent(packed, "gzip")), "onetwo");
});

Deno.test("all frames of a zstd body are decoded, and skippable frames are skipped", () => {
  const skippable = [0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
  const one = zstd(new TextEncoder().encode("one"), 3, 1);
  const two = zstd(new TextEncoder().encode("two"), 3);
  const packed = Uint8Array.from([...skippable, ...one, ...skippable, ...two]);
  assert.equal(new TextDecoder().decode(decodeContent(packed, "zstd")), "onetwo");
});

Deno.test("an empty body stays empty", () => {
  for (const encoding of ["gzip", "deflate", "br", "zstd", "gzip, br"]) {
    assert.equal(decodeContent(new Uint8Array(), encoding).length, 0, encoding);
  }
  assert.equal(decodeContent(zlib.gzipSync(""), "gzip").length, 0);
  assert.equal(decodeContent(brotli(new Uint8Array(), 5), "br").length, 0);
  assert.equal(decodeContent(zstd(new Uint8Array(), 3), "zstd").length, 0);
});

Deno.test("a body that is part of a larger buffer is decoded", () => {
  for (const [encoding, packed] of PACKED) {
    const larger = new Uint8Array(packed.length + 20).fill(255);
    larger.set(packed, 10);
    const part = larger.subarray(10, 10 + packed.length);
    assertSame(decodeContent(part, encoding), text, encoding);
  }
});

/** Decoders to compare with. For br, covtool uses the platform's itself; for zstd, not all platforms have one. */
const BY_ZLIB = { gzip: zlib.gunzipSync, deflate: zlib.inflateSync };

/** The body as zlib decodes it; undefined if zlib refuses it. */
function decodedByZlib(bytes: Uint8Array, encoding: string): Uint8Array | undefined {
  try {
    return BY_ZLIB[encoding as "gzip"]?.(bytes, { maxOutputLength: 100_000 });
  } catch {
    return undefined;
  }
}

for (const [encoding, packed] of PACKED) {
  Deno.test(`a ${encoding} body that is cut off anywhere is truncated`, () => {
    for (let length = 1; length < packed.length; length++) {
      const error = failure(() => decodeContent(packed.subarray(0, length), encoding));
      assert.equal(error.code, "truncated", `after ${length} bytes`);
      assert.equal(error.encoding, encoding);
      assert.equal(
        error.message,
        `Cannot undo the Content-Encoding ${encoding}: the body ends too early.`,
      );
    }
  });

  Deno.test(`a damaged ${encoding} body is refused, or decoded as zlib decodes it`, () => {
    let decoded = 0;
    const bytes = randomBytes(3000, 256);
    for (let index = 0; index < 1000; index++) {
      const broken = Uint8Array.from(packed);
      broken[Math.floor((bytes[index] ?? 0) / 256 * broken.length)] = bytes[index + 1000] ?? 0;
      broken[index % broken.length] = bytes[index + 2000] ?? 0;
      const theirs = decodedByZlib(broken, encoding);
      if (theirs !== undefined) decoded++;
      try {
        const ours = decodeContent(broken, encoding, 100_000);
        assert.ok(ours.length <= 100_000);
        if (theirs !== undefined) assertSame(ours, theirs, encoding);
      } catch (error) {
        assert.ok(error instanceof ContentEncodingError && theirs === undefined, String(error));
      }
    }
    assert.equal(decoded > 0, Object.hasOwn(BY_ZLIB, encoding));
  });

  Deno.test(`a ${encoding} body may be as large as the limit after decoding`, () => {
    assert.equal(decodeContent(packed, encoding, text.length).length, text.length);
    const error = failure(() => decodeContent(packed, encoding, text.length - 1));
    assert.equal(error.code, "too_large");
    assert.match(
      error.message,
      new RegExp(`larger than the limit of ${text.length - 1} bytes\\.$`),
    );
  });
}

Deno.test("checksums are verified", () => {
  for (
    const [encoding, packed, at] of [
      ["gzip", zlib.gzipSync(text), -8],
      ["deflate", zlib.deflateSync(text), -1],
      ["zstd", zstd(text, 3, 1), -1],
      ["zstd", zstd(randomBytes(100, 256), 3, 1), 20],
    ] as const
  ) {
    const broken = Uint8Array.from(packed);
    const index = at < 0 ? broken.length + at : at;
    broken[index] = (broken[index] ?? 0) ^ 1;
    assert.equal(failure(() => decodeContent(broken, encoding)).code, "corrupt", encoding);
  }
});

Deno.test("small bodies that would become huge are stopped at the limit", () => {
  const huge = new Uint8Array(DEFAULT_MAX_BYTES + 1);
  for (
    const [encoding, packed] of [
      ["gzip", zlib.gzipSync(huge, { level: 1 })],
      ["br", brotli(huge, 1)],
      ["zstd", zstd(huge, 1)],
    ] as const
  ) {
    assert.equal(failure(() => decodeContent(packed, encoding)).code, "too_large", encoding);
    assert.equal(failure(() => decodeContent(packed, encoding, 1000)).code, "too_large", encoding);
  }
  const twice = zlib.gzipSync(zlib.gzipSync(new Uint8Array(5_000_000)));
  assert.equal(failure(() => decodeContent(twice, "gzip, gzip", 1_000_000)).code, "too_large");
});

Deno.test("data in another encoding is corrupt", () => {
  const plain = new TextEncoder().encode('{"plain": "text"}');
  for (const encoding of ["gzip", "deflate", "br", "zstd"]) {
    assert.equal(failure(() => decodeContent(plain, encoding)).code, "corrupt", encoding);
  }
});

Deno.test("bytes after the end of a br body are refused, because decoders also stop there at damage", () => {
  const packed = brotli(text, 9);
  for (const more of [Uint8Array.of(0), packed]) {
    const longer = Uint8Array.of(...packed, ...more);
    assert.equal(failure(() => decodeContent(longer, "br")).code, "corrupt");
  }
});

Deno.test("a zstd frame that needs a dictionary is corrupt, not truncated", () => {
  const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x01, 0x58, 1, 1, 0, 0);
  assert.equal(failure(() => decodeContent(frame, "zstd")).code, "corrupt");
});

Deno.test("the size in a zstd frame has one, two, four or eight bytes", () => {
  const magic = [0x28, 0xb5, 0x2f, 0xfd];
  for (
    const [descriptor, said, size] of [
      [0x20, [200], 200],
      [0x60, [200, 1], 256 + 456],
      [0xa0, [200, 1, 2, 0], 200 + 256 + 2 * 65_536],
      [0xe0, [200, 1, 1, 0, 0, 0, 0, 0], 200 + 256 + 65_536],
    ] as const
  ) {
    const frame = (length: number) => {
      const blocks: number[] = [];
      for (let left = length; left > 0;) {
        const taken = Math.min(left, 100_000);
        left -= taken;
        const head = (left === 0 ? 1 : 0) + (1 << 1) + taken * 8;
        blocks.push(head & 255, (head >> 8) & 255, head >> 16, 65);
      }
      return Uint8Array.of(...magic, descriptor, ...said, ...blocks);
    };
    assert.equal(decodeContent(frame(size), "zstd").length, size, `${descriptor}`);
    assert.equal(failure(() => decodeContent(frame(size - 1), "zstd")).code, "corrupt");
  }
});

Deno.test("a raw deflate body that looks like the zlib format is decoded", () => {
  // In a stored block, the length can make the first two bytes a zlib header.
  for (let length = 1; length < 256; length++) {
    const bare = Uint8Array.of(
      0x78,
      length,
      0,
      ~length & 0xff,
      0xff,
      ...new Uint8Array(length),
      3,
      0,
    );
    if ((0x78 * 256 + length) % 31 !== 0) continue;
    assert.equal(decodeContent(bare, "deflate").length, length);
    return;
  }
  assert.fail("no length makes a header");
});

Deno.test("the error about an unknown encoding names it and the known ones", () => {
  const error = failure(() => decodeContent(text, "gzip, compress"));
  assert.equal(error.code, "unknown_encoding");
  assert.equal(error.encoding, "compress");
  assert.equal(error.name, "ContentEncodingError");
  assert.equal(
    error.message,
    'Cannot undo the Content-Encoding "compress": the encodings that covtool knows are ' +
      "identity, gzip, x-gzip, deflate, br, zstd.",
  );
});

Deno.test("a platform without br and zstd reports this, and decodes the rest", () => {
  const { process } = globalThis as unknown as { process: { getBuiltinModule?: unknown } };
  const { getBuiltinModule } = process;
  try {
    process.getBuiltinModule = undefined;
    for (const [encoding, packed] of PACKED.slice(2)) {
      const error = failure(() => decodeContent(packed, encoding));
      assert.equal(error.code, "no_decoder");
      assert.match(
        error.message,
        new RegExp(`${encoding}: this platform has no decoder for it\\.$`),
      );
    }
    assertSame(decodeContent(zlib.gzipSync(text), "gzip"), text, "gzip");
  } finally {
    process.getBuiltinModule = getBuiltinModule;
  }
});
