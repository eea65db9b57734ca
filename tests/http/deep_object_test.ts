import type { Json } from "../../src/values/json.ts";
import assert from "node:assert/strict";
import { compileBody } from "../../src/http/body.ts";
import { compileParameter } from "../../src/http/parameter_style.ts";
import { RequestText } from "../../src/http/request_text.ts";
import type { Shape } from "../../src/http/shape.ts";
import { makeShape, type SimpleSchema } from "./make_shape.ts";

function decode(schema: SimpleSchema, query: string): Json | undefined {
  const decoded = compileParameter({
    kind: "style",
    location: "query",
    name: "a",
    style: "deepObject",
    explode: true,
    shape: makeShape(schema),
  })(new RequestText([], query, undefined));
  return typeof decoded === "object" ? decoded.value : decoded;
}

const ANYTHING: SimpleSchema = {};
const OBJECT: SimpleSchema = { type: "object" };
const INTEGERS: SimpleSchema = { type: "array", items: { type: "integer" } };

const CASES: readonly (readonly [string, SimpleSchema, string, Json | undefined])[] = [
  ["goes to any depth", OBJECT, "a[b][c][d]=1&a[b][e]=2", { b: { c: { d: "1" }, e: "2" } }],
  ["reads encoded brackets", OBJECT, "a%5Bb%5D%5Bc%5D=x", { b: { c: "x" } }],
  ["appends with []", INTEGERS, "a[]=1&a[]=2", [1, 2]],
  ["closes gaps between indexes, in their order", INTEGERS, "a[10]=3&a[2]=1&a[9]=2", [1, 2, 3]],
  ["appends after indexes", INTEGERS, "a[]=2&a[0]=1", [1, 2]],
  ["builds arrays where no type is named", ANYTHING, "a[0]=x&a[1]=y", ["x", "y"]],
  ["builds nested arrays", ANYTHING, "a[][]=x&a[1][0]=y", [["y"], ["x"]]],
  [
    "reads [] and indexes as keys where arrays are not allowed",
    OBJECT,
    "a[0]=x&a[]=y&a[]=z",
    { 0: "x", "": "y" },
  ],
  ["makes an object of indexes and names together", ANYTHING, "a[0]=x&a[b]=y", { 0: "x", b: "y" }],
  [
    "builds arrays of objects by index",
    { type: "array", items: OBJECT },
    "a[1][x]=3&a[0][x]=1&a[0][y]=2",
    [{ x: "1", y: "2" }, { x: "3" }],
  ],
  [
    "begins the next object of a[][x] where a name repeats, as Rails does",
    { type: "array", items: OBJECT },
    "a[][x]=1&a[][y]=2&a[][x]=3&a[][y]=4",
    [{ x: "1", y: "2" }, { x: "3", y: "4" }],
  ],
  [
    "keeps lists inside a[][x][] together",
    { type: "array", items: OBJECT },
    "a[][x][]=1&a[][x][]=2",
    [{ x: ["1", "2"] }],
  ],
  [
    "reads values by the schema at their place",
    { type: "object", properties: { n: { type: "integer" }, t: INTEGERS } },
    "a[n]=5&a[t][]=1&a[t][]=x&a[o]=5",
    { n: 5, t: [1, "x"], o: "5" },
  ],
  [
    "repeats a name for an array",
    { type: "object", properties: { t: INTEGERS, n: { type: "integer" } } },
    "a[t]=1&a[t]=2&a[n]=1&a[n]=2",
    { t: [1, 2], n: 1 },
  ],
  ["reads no text as an object", OBJECT, "a=text", undefined],
  ["reads text where it is allowed", { type: ["object", "integer"] }, "a=123", 123],
  ["reads text where no type is named", ANYTHING, "a=123", "123"],
  ["reads text as an item of an array", INTEGERS, "a=1&a=2", [1, 2]],
  [
    "prefers brackets to text",
    { type: ["object", "integer"], properties: { gt: { type: "integer" } } },
    "a=1&a[gt]=2",
    { gt: 2 },
  ],
  [
    "doesn't follow brackets where only scalars are allowed",
    { type: "object", properties: { s: { type: "string" } } },
    "a[s][x]=1&a[t]=2",
    { t: "2" },
  ],
  ["ignores malformed names", OBJECT, "a[b=1&a[b]c=2&ab[c]=3&b[a]=4", undefined],
];

for (const [sentence, schema, query, expected] of CASES) {
  Deno.test(`deepObject ${sentence}: ${query}`, () =>
    assert.deepEqual(decode(schema, query), expected));
}

Deno.test("deepObject ignores brackets beyond a depth of 100", () => {
  const deep = "a" + "[x]".repeat(100);
  const beyond = "a" + "[x]".repeat(100_000);
  const value = decode(OBJECT, `${deep}=1&${beyond}=2`);
  assert.match(JSON.stringify(value), /^(\{"x":){100}"1"\}{100}$/);
  assert.equal(decode(OBJECT, `${beyond}=2`), undefined);
});

Deno.test("nested lists end at a depth of 100 in every style", () => {
  const lists: Shape = { ...makeShape({ type: "array" }), item: () => lists };
  const named = { name: "a", shape: lists } as const;
  const query = { ...named, location: "query" } as const;
  const request = new RequestText([], "a=x&b=1", undefined);
  const listDepth = (value: Json | undefined): number =>
    Array.isArray(value) ? 1 + listDepth(value[0]) : 0;
  for (const style of ["deepObject", "form", "pipeDelimited"] as const) {
    const decoded = compileParameter({ ...query, kind: "style", style, explode: true })(request);
    assert(typeof decoded === "object", style);
    // Only brackets and collectionFormat can nest lists: other styles leave out the text.
    assert.equal(listDepth(decoded.value), style === "deepObject" ? 101 : 1, style);
  }
  const csv = compileParameter({ ...query, kind: "collection", formats: ["csv"] })(request);
  assert(typeof csv === "object");
  assert.equal(listDepth(csv.value), 102);
  const form: Shape = { ...makeShape({ type: "object" }), property: () => lists };
  const body = compileBody({ shape: form, properties: {} });
  assert.equal(typeof body("a=x", "application/x-www-form-urlencoded"), "object");
});
