import type { Json, RawText } from "../../src/values/json.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { equalText } from "../../src/schema/equal.ts";
import { exampleFinder } from "../../src/schema/examples.ts";

const scalars = fc.constantFrom<Json>(
  ...[null, true, false, 0, -0, 1, 1.5, Infinity, "", "1", "1.0", "true", "a"],
);
const values: fc.Arbitrary<Json> = fc.oneof(
  scalars,
  fc.array(scalars, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom("a", "b"), scalars, { maxKeys: 2 }),
);

/** The raw text that a value may have been decoded from. */
function toRawText(value: Json): RawText {
  if (Array.isArray(value)) return { text: undefined, parts: value.map(toRawText) };
  if (typeof value === "object" && value !== null) {
    const parts = Object.entries(value).map(([name, part]) => [name, toRawText(part)] as const);
    return { text: undefined, parts: Object.fromEntries(parts) };
  }
  return { text: value === 1 ? "1.0" : String(value), parts: undefined };
}

Deno.test("among many examples, exampleFinder() finds those that one-by-one comparison finds", () => {
  let found = 0;
  fc.assert(
    fc.property(fc.array(values, { minLength: 1, maxLength: 30 }), values, (list, value) => {
      const examples = list.map((example, slot) => ({ value: example, slot }));
      const find = exampleFinder(examples);
      for (const text of [undefined, toRawText(value)]) {
        const expected = examples.filter((example) => equalText(value, text, example.value));
        const slots = find(value, text).map(({ slot }) => slot).sort((one, other) => one - other);
        assert.deepEqual(slots, expected.map(({ slot }) => slot));
        found += slots.length;
      }
    }),
    { numRuns: 1000 },
  );
  assert.ok(found > 300, `${found}`);
});

Deno.test("exampleFinder() doesn't compare many examples one by one", () => {
  let looked = 0;
  const examples = Array.from({ length: 1000 }, (_, slot) => ({
    slot,
    get value(): Json {
      looked++;
      return { a: `${slot}` };
    },
  }));
  const find = exampleFinder(examples);
  const before = looked;
  for (let index = 0; index < 1000; index++) {
    assert.equal(find({ a: `${index}` }, undefined).length, 1);
  }
  assert.equal(looked, before);
});
