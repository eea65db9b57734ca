import assert from "node:assert/strict";
import { ValueScanner } from "../../../src/traffic/stream/value_scanner.ts";
import fc from "fast-check";
import { bytesOf } from "../read_all.ts";

/** Scans bytes in pieces; the index behind the value in all of them, or -1. */
function scanInPieces(bytes: Uint8Array, size: number): number {
  const scanner = new ValueScanner();
  for (let start = 0; start < bytes.length; start += size) {
    const piece = bytes.slice(start, start + size);
    const end = scanner.scan(piece, 0);
    if (end !== -1) return start + end;
  }
  return -1;
}

Deno.test("the end of a value is found for any content, however it is cut into pieces", () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 9 }), (json, size) => {
      const bytes = bytesOf(`${json},{"next":1}`);
      assert.equal(scanInPieces(bytes, size), bytesOf(json).length);
    }),
    { numRuns: 2000, seed: 7 },
  );
});

Deno.test("long strings end at their quote, not at an escaped one", () => {
  for (const length of [1, 62, 63, 64, 65, 130, 5000]) {
    for (const tail of ["", "\\", '"', '\\"', '\\\\"', "é"]) {
      const json = JSON.stringify({ a: "x".repeat(length) + tail, b: '"'.repeat(length) });
      const bytes = bytesOf(`${json}]`);
      for (const size of [1, 7, 64, 100_000]) {
        assert.equal(scanInPieces(bytes, size), bytes.length - 1);
      }
    }
  }
});

Deno.test("a value that is cut off does not end", () => {
  for (const json of ['{"a": [1, 2', '"text', '"text\\"', "12", "["]) {
    assert.equal(scanInPieces(bytesOf(json), 2), -1);
  }
});

Deno.test("one scanner goes from value to value", () => {
  const bytes = bytesOf('12 "a" [true] null,');
  const scanner = new ValueScanner();
  assert.equal(scanner.scan(bytes, 0), 2);
  assert.equal(scanner.scan(bytes, 3), 6);
  assert.equal(scanner.scan(bytes, 7), 13);
  assert.equal(scanner.scan(bytes, 14), 18);
});
