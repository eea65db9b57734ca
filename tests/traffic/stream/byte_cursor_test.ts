import assert from "node:assert/strict";
import { ByteCursor } from "../../../src/traffic/stream/byte_cursor.ts";
import { encode, inPieces } from "../read_all.ts";

Deno.test("kept bytes stay available, and others are dropped", async () => {
  const cursor = new ByteCursor(inPieces(encode("0123456789"), 3));
  await cursor.more();
  cursor.position = 2;
  cursor.keep();
  cursor.position = 3;
  await cursor.more();
  await cursor.more();
  assert.equal(new TextDecoder().decode(cursor.bytes), "2345678");
  assert.equal(cursor.offset, 3);
  assert.equal(cursor.indexAt(2), 0);
  cursor.release();
  cursor.position = cursor.bytes.length;
  await cursor.more();
  assert.equal(new TextDecoder().decode(cursor.bytes), "9");
  assert.equal(cursor.offset, 9);
  assert.equal(await cursor.more(), false);
});

Deno.test("memory for many bytes is allocated a few times, not for every piece", async () => {
  const bytes = new Uint8Array(1_000_000).map((_, index) => index % 251);
  const cursor = new ByteCursor(inPieces(bytes, 1_000));
  const buffers = new Set<ArrayBufferLike>();
  cursor.keep();
  while (await cursor.more()) buffers.add(cursor.bytes.buffer);
  assert.deepEqual(cursor.bytes, bytes);
  assert.ok(buffers.size < 20, `${buffers.size} buffers`);
});

Deno.test("close() ends the source", async () => {
  let isClosed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      while (true) yield encode("x");
    } finally {
      isClosed = true;
    }
  }
  const cursor = new ByteCursor(source());
  await cursor.more();
  await cursor.close();
  assert.equal(isClosed, true);
});

Deno.test("a source that has ended is not read again", async () => {
  let asked = 0;
  const source: AsyncIterableIterator<Uint8Array> = {
    next: () => Promise.resolve({ done: ++asked === 1, value: encode("x") }),
    [Symbol.asyncIterator]: () => source,
  };
  const cursor = new ByteCursor(source);
  assert.deepEqual([await cursor.more(), await cursor.more(), asked], [false, false, 1]);
});
