import assert from "node:assert/strict";
import { findCuts } from "../../../src/traffic/stream/find_cuts.ts";

const MEGABYTE = 1 << 20;
const LINES = { bytes: Uint8Array.of(10), length: 1 };

function cutsOf(bytes: Uint8Array, length: number) {
  let read = 0;
  const readAt = (offset: number, wanted: number) => {
    const found = bytes.subarray(offset, offset + wanted);
    read += found.length;
    return Promise.resolve(found);
  };
  return findCuts(readAt, 5, bytes.length, length, LINES).then((cuts) => ({ cuts, read }));
}

Deno.test("a list is cut after separators, at about equal distances and near its end", async () => {
  const bytes = new Uint8Array(10 * MEGABYTE);
  for (let index = 0; index < bytes.length; index += 1_000) bytes[index] = 10;
  const { cuts, read } = await cutsOf(bytes, MEGABYTE);
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
  const { cuts } = await cutsOf(bytes, MEGABYTE);
  assert.deepEqual(cuts, [5, (3.5 * MEGABYTE) + 1, (8.2 * MEGABYTE | 0) + 1]);
});
