import { findCuts } from "../../../src/traffic/stream/item_boundary.ts";
import { ValueScanner } from "../../../src/traffic/stream/item_scanner.ts";
import { encode } from "../read_all.ts";
import assert from "node:assert/strict";
import fc from "fast-check";

/** Scans bytes in pieces. Returns the index after the value, or -1. */
function scanInPieces(bytes: Uint8Array, size: number): number {
  const scanner = new ValueScanner();
  for (let start = 0; start < bytes.length; start += size) {
    const piece = bytes.slice(start, start + size);
    const end = scanner.scan(piece, 0);
    if (end !== -1) return start + end;
  }
  return -1;
}

Deno.test("the end of a value is found for any content, split anywhere", () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 9 }), (json, size) => {
      const bytes = encode(`${json},{"next":1}`);
      assert.equal(scanInPieces(bytes, size), encode(json).length);
    }),
    { numRuns: 2000, seed: 7 },
  );
});

Deno.test("long strings end at their closing quote, not at an escaped one", () => {
  for (const length of [1, 62, 63, 64, 65, 130, 5000]) {
    for (const tail of ["", "\\", '"', '\\"', '\\\\"', "é"]) {
      const json = JSON.stringify({ a: "x".repeat(length) + tail, b: '"'.repeat(length) });
      const bytes = encode(`${json}]`);
      for (const size of [1, 7, 64, 100_000]) {
        assert.equal(scanInPieces(bytes, size), bytes.length - 1);
      }
    }
  }
});

Deno.test("a truncated value has no end", () => {
  for (const json of ['{"a": [1, 2', '"text', '"text\\"', "12", "["]) {
    assert.equal(scanInPieces(encode(json), 2), -1);
  }
});

Deno.test("one scanner reads value after value", () => {
  const bytes = encode('12 "a" [true] null,');
  const scanner = new ValueScanner();
  assert.equal(scanner.scan(bytes, 0), 2);
  assert.equal(scanner.scan(bytes, 3), 6);
  assert.equal(scanner.scan(bytes, 7), 13);
  assert.equal(scanner.scan(bytes, 14), 18);
});

const MEGABYTE = 1 << 20;
const LINES = { bytes: Uint8Array.of(10), length: 1 };

function findAll(bytes: Uint8Array, length: number) {
  let read = 0;
  const readAt = (offset: number, wanted: number) => {
    const found = bytes.subarray(offset, offset + wanted);
    read += found.length;
    return Promise.resolve(found);
  };
  return findCuts(readAt, 5, bytes.length, length, LINES).then((cuts) => ({ cuts, read }));
}

Deno.test("a list is split after separators, at about equal distances and near its end", async () => {
  const bytes = new Uint8Array(10 * MEGABYTE);
  for (let index = 0; index < bytes.length; index += 1_000) bytes[index] = 10;
  const { cuts, read } = await findAll(bytes, MEGABYTE);
  assert.equal(cuts[0], 5);
  assert.equal(cuts.length, 11);
  for (const [index, cut] of cuts.entries()) {
    if (index === 0) continue;
    assert.equal(bytes[cut - 1], 10);
    const wanted = index === 10 ? bytes.length - 65_536 : 5 + index * MEGABYTE;
    assert.ok(cut > wanted && cut <= wanted + 1_000, `${cut} is not near ${wanted}`);
  }
  assert.ok(read < MEGABYTE);
});

Deno.test("very long items make very long parts", async () => {
  const bytes = new Uint8Array(10 * MEGABYTE);
  for (const index of [3.5, 3.7, 8.2]) bytes[index * MEGABYTE | 0] = 10;
  const { cuts } = await findAll(bytes, MEGABYTE);
  assert.deepEqual(cuts, [5, (3.5 * MEGABYTE) + 1, (8.2 * MEGABYTE | 0) + 1]);
});
