import assert from "node:assert/strict";
import fc from "fast-check";
import { locatePointers } from "../../src/openapi/locate.ts";
import { locateInPrinted, locatePrinted } from "../../src/openapi/locate_printed.ts";
import { pointerTree } from "../../src/openapi/pointer_tree.ts";
import { joinPointer } from "../../src/values/json_pointer.ts";

/** Every pointer of a value. */
function* pointersOf(value: unknown, tokens: readonly string[] = []): Generator<string> {
  yield joinPointer(tokens);
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) yield* pointersOf(member, [...tokens, key]);
}

const values = fc.jsonValue({ maxDepth: 4 }).map((value) => ({ "a/b~": value, list: [value, []] }));
const lists = (pointers: readonly string[]) => fc.subarray([...pointers], { minLength: 1 });

Deno.test("locatePrinted() finds what going through the printed text finds", () => {
  fc.assert(
    fc.property(
      values.chain((value) => fc.tuple(fc.constant(value), lists([...pointersOf(value)]))),
      ([value, pointers]) => {
        const text = JSON.stringify(value, null, 2);
        const expected = [...locatePointers(text, "json", pointers)];
        assert.deepEqual([...locatePrinted(JSON.parse(text), pointerTree(pointers))], expected);
      },
    ),
  );
});

Deno.test("locateInPrinted() finds what going through the text finds, or declines", () => {
  const changes = fc.constantFrom<((text: string) => string)>(
    String,
    (text) => `${text}\n`,
    (text) => text.replace("\n", "\n\n"),
    (text) => text.replace(",\n", ", "),
    (text) => text.replaceAll("[]", "[\n]"),
    (text) => text.replaceAll('"a/b~"', '"a\\/b~"'),
    (text) => text.replace('"list"', '"list": 1,\n  "list"'),
    (text) => text.replaceAll("\n", "\r\n"),
  );
  fc.assert(
    fc.property(
      values.chain((value) => fc.tuple(fc.constant(value), lists([...pointersOf(value)]))),
      fc.constantFrom<string | number>(2, 4, "\t"),
      changes,
      ([value, pointers], indent, change) => {
        const text = change(JSON.stringify(value, null, indent));
        const found = locateInPrinted(text, JSON.parse(text), pointerTree(pointers));
        if (found === undefined) return;
        assert.deepEqual([...found], [...locatePointers(text, "json", pointers)]);
      },
    ),
  );
});

Deno.test("locateInPrinted() takes JSON as JSON.stringify() prints it, and declines other", () => {
  const value = { paths: { "/a": { get: { tags: ["x"], deprecated: true } } }, "1": {} };
  const tree = pointerTree(["/paths/~1a/get/tags/0"]);
  const located = (text: string) => locateInPrinted(text, JSON.parse(text), tree)?.size;
  for (const indent of [1, 2, 4, "\t"]) {
    assert.equal(located(JSON.stringify(value, null, indent)), 1);
  }
  const text = JSON.stringify(value, null, 2);
  assert.equal(located(`${text}\n`), 1);
  assert.equal(located(JSON.stringify(value)), undefined);
  assert.equal(located(text.replace("\n", "\n\n")), undefined);
  // Parsing puts names that are numbers first.
  assert.equal(located('{\n  "b": {},\n  "1": {}\n}'), 0);
  const ordered = '{\n  "paths": {\n    "a": 1\n  },\n  "1": {}\n}';
  assert.equal(locateInPrinted(ordered, JSON.parse(ordered), pointerTree(["/paths/a"])), undefined);
});
