import assert from "node:assert/strict";
import { compileBody } from "../../src/http/body.ts";
import { plainText } from "./plain_text.ts";
import { makeShape, type SimpleSchema } from "./make_shape.ts";

const encoder = new TextEncoder();

function decode(schema: SimpleSchema, body: Uint8Array | string, contentType: string) {
  return compileBody({ shape: makeShape(schema), properties: {} })(body, contentType);
}

function decoded(schema: SimpleSchema, body: Uint8Array | string, contentType: string) {
  const result = decode(schema, body, contentType);
  assert(typeof result === "object", String(result));
  return result.value;
}

Deno.test("a JSON body is parsed, with or without a byte order mark, as bytes or text", () => {
  for (const text of ['{"a":"é"}', '\ufeff{"a":"é"}']) {
    for (const body of [text, encoder.encode(text)]) {
      for (const type of ["application/json; charset=utf-8", "application/hal+json"]) {
        assert.deepEqual(decode({}, body, type), {
          value: { a: "é" },
          raw: undefined,
        });
      }
    }
  }
});

Deno.test("a JSON body that doesn't parse is malformed", () => {
  for (const body of ["{", "", "{'a':1}", "NaN"]) {
    assert.deepEqual(decode({}, body, "application/json"), "malformed");
  }
});

Deno.test("sequential JSON is a list of its items", () => {
  const items = [{ a: 1 }, null, [2]];
  const read = { value: items, raw: undefined, items };
  for (const type of ["application/jsonl", "application/x-ndjson"]) {
    const body = encoder.encode('{"a":1}\r\n\nnull\n[2]\n');
    assert.deepEqual(decode({}, body, type), { ...read, described: [items] });
    assert.deepEqual(decode({ type: "object" }, body, type), { ...read, described: items });
  }
  const sequence = '\x1e{"a":\n1}\n\x1enull\n\x1e[2]\n';
  assert.deepEqual(decode({}, sequence, "application/json-seq"), { ...read, described: [items] });
  assert.deepEqual(decode({}, "1\n{\n", "application/jsonl"), "malformed");
});

Deno.test("a text body is a string, whatever the schema", () => {
  assert.deepEqual(decode({ type: "integer" }, encoder.encode("5"), "text/plain"), {
    value: "5",
    raw: { text: "5", parts: undefined },
  });
  const latin = new Uint8Array([0xe9]);
  assert.equal(decoded({}, latin, 'text/csv; charset="ISO-8859-1"'), "é");
  assert.equal(decoded({}, latin, "text/csv"), "\ufffd");
});

Deno.test("a body of another type is a string if the schema's only type is string", () => {
  const string: SimpleSchema = { type: "string" };
  assert.equal(decoded(string, encoder.encode("<é/>"), "application/xml"), "<é/>");
  assert.equal(decoded(string, "<é/>", "application/xml"), "<é/>");
  assert.equal(decoded(string, new Uint8Array([0x89, 0x50]), "image/png"), "\x89P");
});

Deno.test("other bodies are unsupported", () => {
  for (const schema of [{}, { type: "object" }, { type: ["string", "null"] }]) {
    assert.deepEqual(decode(schema, "<a/>", "application/zip"), "unsupported");
    assert.deepEqual(decode(schema, "x", ""), "unsupported");
  }
});

Deno.test("a form body is an object, with the raw texts of its fields", () => {
  const schema: SimpleSchema = { type: "object", properties: { a: { type: "integer" } } };
  const type = "application/x-www-form-urlencoded; charset=utf-8";
  const result = decode(schema, encoder.encode("a=1"), type);
  assert(typeof result === "object" && result.raw !== undefined);
  assert.deepEqual(result.value, { a: 1 });
  assert.deepEqual(plainText(result.raw), {
    text: undefined,
    parts: { a: { text: "1", parts: undefined } },
  });
});
