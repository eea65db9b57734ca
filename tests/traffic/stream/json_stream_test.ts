import assert from "node:assert/strict";
import fc from "fast-check";
import { ByteCursor } from "../../../src/traffic/stream/byte_cursor.ts";
import { JsonStream } from "../../../src/traffic/stream/json_stream.ts";
import { type Batch, BLANK } from "../../../src/traffic/stream/text_lines.ts";
import { encode, inPieces } from "../read_all.ts";

function openStream(text: string, size: number): JsonStream {
  return new JsonStream(new ByteCursor(inPieces(encode(text), size)));
}

async function gather(batches: AsyncIterable<Batch>): Promise<unknown[]> {
  const list: unknown[] = [];
  for await (const { index, values } of batches) {
    assert.equal(index, list.length);
    list.push(...values);
  }
  return list;
}

async function readItems(text: string, size: number): Promise<[unknown[], JsonStream]> {
  const json = openStream(text, size);
  await json.peek();
  return [await gather(json.items()), json];
}

Deno.test("items() yields every item of a list, split anywhere", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { maxLength: 20 }),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom(0, 2),
      async (list, size, spaces) => {
        const [items, json] = await readItems(JSON.stringify(list, null, spaces), size);
        assert.equal(json.interruption, undefined);
        assert.equal(JSON.stringify(items), JSON.stringify(list));
      },
    ),
    { numRuns: 500, seed: 7 },
  ));

/** Entries that contain lists of similar entries, many in each piece. */
function nested(count: number): unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    request: { url: `/${index}`, text: '},\n{"request": ' },
    redirects: [{ request: 1 }, { request: "a ] }" }],
  }));
}

Deno.test("items() isn't misled by text that looks like the end of an item", async () => {
  for (const spaces of [0, 2]) {
    for (const size of [100, 5_000, 1_000_000]) {
      const list = nested(20_000);
      const text = JSON.stringify(list, null, spaces).replaceAll("},{", "},\n{");
      const [items, json] = await readItems(text, size);
      assert.equal(json.interruption, undefined);
      assert.deepEqual(items, list);
    }
  }
});

Deno.test("items() stops at the end of its list, even if similar lists follow", async () => {
  const list = Array.from({ length: 30_000 }, (_, index) => ({ request: index }));
  const text = `{"a": ${JSON.stringify(list)}, "b": ${JSON.stringify(list)}, "c": 1}`;
  const json = openStream(text, 200_000);
  await json.peek();
  const lengths: Record<string, number> = {};
  for await (const name of json.members()) {
    if (await json.peek() === 0x5b) lengths[name] = (await gather(json.items())).length;
    else assert.equal(await json.value(), 1);
  }
  assert.deepEqual(lengths, { a: 30_000, b: 30_000 });
  assert.equal(json.interruption, undefined);
});

Deno.test("items() reads items that are longer than the pieces", async () => {
  const list = Array.from({ length: 5 }, (_, index) => ({ a: index, text: "é".repeat(400_000) }));
  const [items] = await readItems(JSON.stringify(list), 65_536);
  assert.deepEqual(items, list);
});

Deno.test("items() skips only the item that isn't JSON", async () => {
  const [items, json] = await readItems('[{"a":1}, {"a":NaN}, {"a":3}, 4, nonsense]', 1_000);
  assert.deepEqual(items, [{ a: 1 }, undefined, { a: 3 }, 4, undefined]);
  assert.equal(json.interruption, undefined);
});

Deno.test("items() skips only one broken item among many", async () => {
  const list = Array.from({ length: 20_000 }, (_, index) => ({ request: index }));
  const text = JSON.stringify(list).replace('"request":17000}', '"request":NaN}');
  const [items] = await readItems(text, 65_536);
  assert.equal(items.length, list.length);
  assert.equal(items[17_000], undefined);
  assert.deepEqual(items.filter((item) => item === undefined).length, 1);
});

Deno.test("items() yields the complete items of a truncated list, and reports where it ends", async () => {
  const text = '[{"a":1}, {"a":2}, {"a":';
  for (const size of [1, 1_000]) {
    const [items, json] = await readItems(text, size);
    assert.deepEqual(items, [{ a: 1 }, { a: 2 }]);
    assert.deepEqual(json.interruption, { kind: "cut", offset: text.length });
  }
});

Deno.test("items() yields the items before a broken one, and reports where the list breaks", async () => {
  const [items, json] = await readItems('[{"a":1} {"a":2}]', 1_000);
  assert.deepEqual(items, [{ a: 1 }]);
  assert.deepEqual(json.interruption, { kind: "broken", offset: 9 });
});

Deno.test("members() iterates over an object, and any member can be skipped", async () => {
  const text = '{ "a" : {"entries": [1]}, "b\\u0021": [2], "c": null }  ';
  for (const size of [1, 5, 1_000]) {
    const json = openStream(text, size);
    await json.peek();
    const names: string[] = [];
    for await (const name of json.members()) {
      names.push(name);
      if (name === "b!") assert.deepEqual(await json.value(), [2]);
      else await json.skip();
    }
    assert.deepEqual(names, ["a", "b!", "c"]);
    assert.equal(json.interruption, undefined);
    assert.equal(await json.peek(), -1);
  }
});

Deno.test("members() reports where an object is cut off or broken", async () => {
  const kinds: Readonly<Record<string, unknown>> = {
    '{"a": 1': { kind: "cut", offset: 7 },
    '{"a"': { kind: "cut", offset: 4 },
    "{": { kind: "cut", offset: 1 },
    '{"a": 1,': { kind: "cut", offset: 8 },
    "{a: 1}": { kind: "broken", offset: 1 },
    '{"a" 1}': { kind: "broken", offset: 5 },
    '{"a": 1 "b": 2}': { kind: "broken", offset: 8 },
  };
  for (const [text, interruption] of Object.entries(kinds)) {
    const json = openStream(text, 3);
    await json.peek();
    for await (const _ of json.members()) await json.skip();
    assert.deepEqual(json.interruption, interruption, text);
  }
});

Deno.test("lines() yields a value for each line, and marks broken and blank lines", async () => {
  const text = '{"a":1}\r\n\n{"a":\n{"a":"é"}\n';
  for (const size of [1, 4, 1_000]) {
    const json = openStream(text, size);
    assert.deepEqual(await gather(json.lines()), [{ a: 1 }, BLANK, undefined, { a: "é" }]);
    assert.equal(json.interruption, undefined);
  }
});

Deno.test("lines() yields a last line without a line end, unless it is cut off", async () => {
  assert.deepEqual(await gather(openStream('{"a":1}\n{"a":2}', 3).lines()), [{ a: 1 }, { a: 2 }]);
  const cut = openStream('{"a":1}\n{"a":', 3);
  assert.deepEqual(await gather(cut.lines()), [{ a: 1 }]);
  assert.deepEqual(cut.interruption, { kind: "cut", offset: 13 });
});

Deno.test("lines() reads many and long lines", async () => {
  const list = Array.from({ length: 3_000 }, (_, index) => ({ a: "x".repeat(index) }));
  const text = list.map((item) => JSON.stringify(item)).join("\n");
  for (const size of [10_000, 10_000_000]) {
    assert.deepEqual(await gather(openStream(text, size).lines()), list);
  }
});

Deno.test("sequence() yields adjacent values that span several lines", async () => {
  const text = '{\n  "a": 1\n}\n{\n  "a": 2\n}\n';
  assert.deepEqual(await gather(openStream(text, 4).sequence()), [{ a: 1 }, { a: 2 }]);
});

Deno.test("lines() searches a line that arrives in many pieces for its end only once", async () => {
  const piece = new Uint8Array(1 << 10).fill(0x20);
  const count = 2_000;
  const line = new TextEncoder().encode("1\n");
  async function* pieces() {
    yield line;
    for (let sent = 0; sent < count; sent++) yield piece;
    yield line;
  }
  const native = Uint8Array.prototype.indexOf;
  let searched = 0;
  Uint8Array.prototype.indexOf = function (this: Uint8Array, value: number, from = 0) {
    searched += this.length - from;
    return native.call(this, value, from);
  };
  try {
    const values: unknown[] = [];
    for await (const batch of new JsonStream(new ByteCursor(pieces())).lines()) {
      values.push(...batch.values);
    }
    assert.deepEqual(values, [1, 1]);
  } finally {
    Uint8Array.prototype.indexOf = native;
  }
  assert.ok(searched < 3 * count * piece.length, `${searched} bytes`);
});
