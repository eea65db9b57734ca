import assert from "node:assert/strict";
import { headerLookup, headerRecord } from "../../src/http/headers.ts";
import { RequestText } from "../../src/http/request_text.ts";
import { processorTime } from "../processor_time.ts";

Deno.test("headerLookup() finds names in any case, in objects, pairs and Headers", () => {
  const pairs: [string, string][] = [["X-One", "1"], ["x-two", "2"], ["X-ONE", "3"]];
  for (
    const headers of [
      { "X-One": ["1", "3"], "x-two": "2", "x-none": undefined },
      pairs,
      new Headers(pairs),
      new Map([["X-One", "1, 3"], ["X-Two", "2"]]),
      // An iterator, which can be read only once.
      pairs.values(),
    ]
  ) {
    const lookup = headerLookup(headers);
    assert.equal(lookup.get("x-one"), "1, 3");
    assert.equal(lookup.get("X-TWO"), "2");
    assert.equal(lookup.get("x-none"), undefined);
    assert.equal(lookup.get("constructor"), undefined);
    assert.equal(lookup.get("not a name"), undefined);
  }
});

Deno.test("headerLookup() returns the values of a repeated field separately", () => {
  const headers = headerLookup([["a", "1, 2"], ["b", "x"], ["A", "3"]]);
  assert.deepEqual(headers.values("a"), ["1, 2", "3"]);
  assert.deepEqual(headers.values("c"), []);
  const listed = headerLookup({ a: [], B: ["1", "2"] });
  assert.deepEqual([listed.get("a"), listed.values("a")], [undefined, []]);
  assert.deepEqual([listed.get("b"), listed.values("b")], ["1, 2", ["1", "2"]]);
});

Deno.test("headerLookup() ignores only the case of names", () => {
  const headers = headerLookup({ "x-a@b": "1", "x-\u212a": "2" });
  assert.equal(headers.get("X-A`B"), undefined);
  assert.equal(headers.get("X-A@B"), "1");
  assert.equal(headers.get("x-k"), "2"); // in lowercase, the Kelvin sign is a k
});

Deno.test("headerLookup() without headers finds nothing", () => {
  assert.equal(headerLookup(undefined).get("a"), undefined);
  assert.deepEqual(headerLookup(undefined).values("a"), []);
});

Deno.test("headerLookup() reads no headers before the first lookup", () => {
  let reads = 0;
  const lookup = headerLookup({
    get a() {
      reads++;
      return "1";
    },
  });
  assert.equal(reads, 0);
  assert.equal(lookup.get("b"), undefined);
  assert.equal(reads, 0);
  assert.equal(lookup.get("a"), "1");
  assert.equal(reads, 1);
});

Deno.test("new RequestText() reads the cookies of every Cookie header", () => {
  const { cookies } = new RequestText([], "", { Cookie: ["a=1;b=x=y ; flag", 'c="q"'] });
  assert.deepEqual(cookies, [
    { name: "a", value: "1" },
    { name: "b", value: "x=y" },
    { name: "c", value: '"q"' },
  ]);
  assert.deepEqual(new RequestText([], "", undefined).cookies, []);
});

Deno.test("a field that is repeated many times is read in linear time", () => {
  const pairs = Array.from({ length: 30_000 }, (_, index): [string, string] => ["X-A", `${index}`]);
  const took = processorTime(() => {
    assert.equal(headerLookup(pairs).values("x-a").length, pairs.length);
    assert.equal(headerRecord(pairs)["X-A"]?.length, pairs.length);
    const lookup = headerLookup(pairs);
    for (let times = 0; times < 30; times++) lookup.get(`x-${times}`);
    assert.equal(lookup.values("x-a").length, pairs.length);
  }, 1_000);
  assert.ok(took < 1_000, `${took} ms`);
});
