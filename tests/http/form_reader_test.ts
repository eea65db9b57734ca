import type { Json } from "../../src/values/json.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { compileFormBody } from "../../src/http/form_body.ts";
import { UrlencodedFields } from "../../src/http/form_plan.ts";
import { splitQuery } from "../../src/http/request_text.ts";
import { makeShape, type SimpleSchema } from "./make_shape.ts";

type Decode = (text: string) => Json;

function decoder(schema: SimpleSchema = {}): Decode {
  const { decode, decodeValue } = compileFormBody({ shape: makeShape(schema), properties: {} });
  return (text) => {
    const { value } = decode(new UrlencodedFields(text));
    assert.deepEqual(decodeValue(new UrlencodedFields(text)), value, "without texts");
    return value;
  };
}

const NAMES = ["a", "a%5Bx%5D", "a[x]", "a[y][]", "list[0]", "list[1]", "list[]", "b+c", "", "%"];

Deno.test("forms that are read in sequence give the same as each alone, in any order of fields", () => {
  const pair = fc.tuple(
    fc.constantFrom(...NAMES),
    fc.constantFrom("", "=", "=1", "=x+y", "=%5B1%5D"),
  );
  const form = fc.array(pair.map(([name, value]) => name + value), { maxLength: 8 })
    .map((pairs) => pairs.join("&"));
  const kind = fc.constantFrom<SimpleSchema>(
    {},
    { type: "integer" },
    { type: "array", items: { type: ["integer", "string"] } },
    { type: ["object", "null"] },
    { type: ["object", "array", "string"] },
  );
  fc.assert(fc.property(fc.array(form, { maxLength: 12 }), kind, kind, (forms, a, list) => {
    const schema: SimpleSchema = { type: "object", properties: { a, list } };
    const together = decoder(schema);
    for (const text of forms) assert.deepEqual(together(text), decoder(schema)(text), text);
  }));
});

Deno.test("a name isn't confused with a prefix of it that came at the same place before", () => {
  const decode = decoder();
  assert.deepEqual(decode("ab=1&c=2"), { ab: "1", c: "2" });
  assert.deepEqual(decode("abc=1&c&d=2"), { abc: "1", c: "", d: "2" });
  assert.deepEqual(decode("a=1&cd=2"), { a: "1", cd: "2" });
  assert.deepEqual(decode("ab=1&c=2"), { ab: "1", c: "2" });
});

Deno.test("a form with thousands of names keeps them all, and the next form has none of them", () => {
  const decode = decoder();
  const names = Array.from({ length: 3000 }, (_, index) => `n${index}`);
  const form = names.map((name) => `${name}=1&${name}[x]=2`).join("&");
  for (let time = 0; time < 2; time++) {
    const value = decode(form) as Record<string, Json>;
    assert.deepEqual(Object.keys(value), names);
    assert.deepEqual(value["n2999"], { x: "2" });
  }
  assert.deepEqual(decode("n0=3"), { n0: "3" });
});

Deno.test("an object with many names in brackets has each once, in their order", () => {
  const names = Array.from({ length: 40 }, (_, index) => `k${(index * 7) % 40}`);
  const text = [...names, ...names].map((name) => `a[${name}][x]=${name}`).join("&");
  const { a } = decoder()(text) as Record<string, Record<string, Json>>;
  assert.deepEqual(Object.keys(a ?? {}), names);
  assert.deepEqual(a?.["k7"], { x: "k7" });
});

Deno.test("a million names without a value are read in one pass", () => {
  // With one pass per name, this would take minutes.
  const text = "a&".repeat(1_000_000);
  assert.deepEqual(decoder({ type: "object", properties: { a: {} } })(text), { a: "" });
  assert.equal(splitQuery(text).length, 1_000_000);
});
