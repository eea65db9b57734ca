import assert from "node:assert/strict";
import type { Interaction } from "../../../src/http/interaction.ts";
import type { ListParts, PartResult } from "../../../src/traffic/read/read_state.ts";
import { readPart } from "../../../src/traffic/read/stream_entries.ts";
import { findCuts } from "../../../src/traffic/stream/item_boundary.ts";
import { encode, inPieces, readAll, type WholeRecording } from "../read_all.ts";

/** Enough to read a list in more than one batch. */
const COUNT = 6_000;

function request(index: number): Record<string, unknown> {
  return { method: "POST", url: `http://localhost/books/${index}`, body: `{"title": "}},{\\"a" }` };
}

/** One interaction; some can't be used. */
function traffic(index: number): unknown {
  if (index % 1_000 === 777) return { request: { method: "GET" } };
  const timestamp = index % 900 === 899 ? "now" : index;
  return { request: request(index), response: { status_code: 200 }, timestamp };
}

function har(index: number): unknown {
  const headers = index % 1_000 === 500 ? [{ name: 1 }] : [];
  return {
    startedDateTime: index % 700 === 699 ? "?" : "",
    request: { ...request(index), headers },
  };
}

function list(entry: (index: number) => unknown, between: string): string {
  return Array.from({ length: COUNT }, (_, index) => JSON.stringify(entry(index))).join(between);
}

const read = (text: string, parts?: ListParts): Promise<WholeRecording> =>
  readAll(inPieces(encode(text), 50_000), "x", { parts });

/** Reads the parts of a text and keeps their interactions. */
class TextParts implements ListParts {
  readonly interactions: Interaction[] = [];
  readonly #bytes: Uint8Array;
  parts = 0;

  constructor(text: string) {
    this.#bytes = encode(text);
  }

  async read({ list, separator, offset }: Parameters<ListParts["read"]>[0]) {
    const bytes = this.#bytes;
    const readAt = (from: number, length: number) =>
      Promise.resolve(bytes.subarray(from, from + length));
    const cuts = await findCuts(readAt, offset, bytes.length, 100_000, separator);
    const results: PartResult[] = [];
    for (let index = 1; index < cuts.length; index++) {
      const part = bytes.subarray(cuts[index - 1], cuts[index]);
      const result = await this.#read(readPart(inPieces(part, 30_000), list, separator));
      assert.ok(result, `part ${index}`);
      results.push(result);
    }
    this.parts += results.length;
    const end = cuts.at(-1) ?? offset;
    return { results, end, rest: inPieces(bytes.subarray(end), 50_000) };
  }

  async #read<Result>(batches: AsyncGenerator<readonly Interaction[], Result>): Promise<Result> {
    for (let step = await batches.next();; step = await batches.next()) {
      if (step.done) return step.value;
      this.interactions.push(...step.value);
    }
  }
}

function byUrl(interactions: readonly Interaction[]): Interaction[] {
  return interactions.toSorted((left, right) => left.request.url < right.request.url ? -1 : 1);
}

const TEXTS: Readonly<Record<string, string>> = {
  "a HAR": `{"log": {"pages": [], "entries": [${list(har, ",")}], "comment": "end"}}`,
  "a traffic file": `{"interactions": [\n${list(traffic, ",\n  ")}\n], "more": [1]}\n`,
  "a list": `[${list(traffic, " , ")}]`,
  "a list after what its recorder shows": `[{"covtool": 1, "shows": {"query": false}}, ${
    list(traffic, ", ")
  }]`,
  "lines": `${list(traffic, "\n")}\n\n{"request": {"method": "GET", "url": "/last"}}\n`,
  "a list that is cut off": `[${list(traffic, ",")}, {"request": {"me`,
  "a list with something broken at its end": `[${list(traffic, ",")}, {"request": {,}}, 1]`,
  "lines with broken ones": list(traffic, "\n").replaceAll(/^.*books\/\d*321.*$/gm, "{broken"),
};

for (const [name, text] of Object.entries(TEXTS)) {
  Deno.test(`${name} gives the same in parts as at once, including the places in warnings`, async () => {
    const parts = new TextParts(text);
    const whole = await read(text);
    const rest = await read(text, parts);
    assert.ok(parts.parts > 5, String(parts.parts));
    assert.ok(rest.interactions.length < whole.interactions.length / 2);
    assert.deepEqual(
      byUrl([...rest.interactions, ...parts.interactions]),
      byUrl(whole.interactions),
    );
    assert.deepEqual(rest.warnings, whole.warnings);
    assert.ok(whole.warnings.length > 0);
  });
}

Deno.test("a part that begins or ends inside an item is rejected", async () => {
  const separator = { bytes: encode('},{"a"'), length: 2 };
  const text = '{"a":[{"a":1},{"a":2}]},{"a":3},{"a":4}]';
  const isPart = async (start: number, end: number) => {
    const list = { format: "a traffic file", isOnLines: false };
    const batches = readPart(inPieces(encode(text.slice(start, end)), 7), list, separator);
    let step = await batches.next();
    while (!step.done) step = await batches.next();
    return step.value !== undefined;
  };
  const second = text.indexOf('{"a":3');
  const third = text.indexOf('{"a":4');
  assert.equal(await isPart(0, second), true);
  assert.equal(await isPart(second, third), true);
  assert.equal(await isPart(0, text.indexOf('{"a":2')), false);
  assert.equal(await isPart(text.indexOf('{"a":2'), second), false);
  assert.equal(await isPart(second, text.length), false);
  assert.equal(await isPart(second, third - 1), false);
});

Deno.test("compressed recordings and those with a byte order mark aren't read in parts", async () => {
  const text = `\uFEFF${TEXTS["a list"]}`;
  const parts = new TextParts(text);
  assert.equal((await read(text, parts)).interactions.length, COUNT - 6);
  assert.equal(parts.parts, 0);
});
