import assert from "node:assert/strict";
import { createBitReader, createPrefixCode } from "../../src/http/content_encoding/prefix_code.ts";

/** The bits of codes, written one after the other, as bytes: the lowest bit of each byte is first. */
function bytesOf(...codes: readonly string[]): Uint8Array {
  const bits = codes.join("");
  return Uint8Array.from(
    { length: Math.ceil(bits.length / 8) },
    (_, index) => parseInt([...bits.slice(index * 8, index * 8 + 8)].reverse().join(""), 2),
  );
}

Deno.test("a prefix code has codes of all lengths up to 15 bits", () => {
  const lengths = Uint8Array.from({ length: 16 }, (_, symbol) => Math.min(symbol + 1, 15));
  const codes = Array.from(lengths, (length, symbol) => "1".repeat(symbol).padEnd(length, "0"));
  const reader = createBitReader(bytesOf(...codes));
  const decode = createPrefixCode(lengths);
  assert.deepEqual(codes.map(() => decode(reader)), codes.map((_, symbol) => symbol));
});

Deno.test("symbols with codes of one length are in their order", () => {
  const reader = createBitReader(bytesOf("0", "100", "101", "110", "111", "110"));
  const decode = createPrefixCode(Uint8Array.of(3, 3, 0, 1, 3, 3));
  assert.deepEqual(Array.from({ length: 6 }, () => decode(reader)), [3, 0, 1, 4, 5, 4]);
});

Deno.test("a symbol that is alone takes no bits", () => {
  const reader = createBitReader(new Uint8Array(0));
  const decode = createPrefixCode(Uint8Array.of(0, 0, 4));
  assert.deepEqual([decode(reader), decode(reader)], [2, 2]);
});

Deno.test("a bit reader says what is cut off", () => {
  const reader = createBitReader(bytesOf("10000000"));
  assert.equal(reader.read(1), 1);
  assert.equal(reader.peek(), 0);
  assert.equal(reader.read(7), 0);
  assert.throws(() => reader.read(1), { code: "truncated" });
});
