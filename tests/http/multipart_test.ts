import type { Json } from "../../src/values/json.ts";
import assert from "node:assert/strict";
import type { PropertyEncodings } from "../../src/http/encoding.ts";
import { compileBody } from "../../src/http/body.ts";
import { readMultipart } from "../../src/http/multipart.ts";
import { makeShape, type SimpleSchema } from "./make_shape.ts";

/** A part: its Content-Disposition after `form-data; `, its content, and other header lines. */
type PartText = readonly [disposition: string, content: string, ...headers: string[]];

function multipart(...parts: readonly PartText[]): string {
  const texts = parts.map(([disposition, content, ...headers]) =>
    [`--B\r\nContent-Disposition: form-data; ${disposition}`, ...headers].join("\r\n") +
    `\r\n\r\n${content}\r\n`
  );
  return `${texts.join("")}--B--\r\n`;
}

function decode(
  schema: SimpleSchema,
  body: string | Uint8Array,
  properties: PropertyEncodings = {},
): Json {
  const decoded = compileBody({ shape: makeShape(schema), properties })(
    body,
    "Multipart/Form-Data; boundary=B",
  );
  assert(typeof decoded === "object", String(decoded));
  return decoded.value;
}

const UPLOAD: SimpleSchema = {
  type: "object",
  properties: {
    title: { type: "string" },
    count: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
    address: { type: "object" },
    addresses: { type: "array", items: { type: "object" } },
    file: { type: "string" },
    files: { type: "array", items: { type: "string" } },
  },
};

Deno.test("a multipart body is an object of its text parts", () => {
  const body = multipart(
    ['name="title"', "J%C3%B6rg + é"],
    ['name="count"', "42", "Content-Type: text/plain; charset=utf-8"],
    ['name="tags"', "a"],
    ['name="tags"', "b"],
    ['name="other"', ""],
  );
  assert.deepEqual(decode(UPLOAD, body), {
    title: "J%C3%B6rg + é",
    count: 42,
    tags: ["a", "b"],
    other: "",
  });
});

Deno.test("JSON parts are parsed where an object or array is expected", () => {
  const json = "Content-Type: application/json";
  const body = multipart(
    ['name="title"', '{"a":1}', json],
    ['name="count"', "7", json],
    ['name="tags"', '["a","b"]', json],
    ['name="address"; filename="blob"', '{"zip":1}', json],
    ['name="addresses"', '{"zip":1}', json],
    ['name="addresses"', '{"zip":2}', json],
  );
  assert.deepEqual(decode(UPLOAD, body), {
    title: '{"a":1}',
    count: 7,
    tags: ["a", "b"],
    address: { zip: 1 },
    addresses: [{ zip: 1 }, { zip: 2 }],
  });
  const plain = multipart(
    ['name="address"', '{"zip":1}'],
    ['name="addresses"', "{"],
    ['name="tags"', '["a"]'],
  );
  assert.deepEqual(decode(UPLOAD, plain), {
    address: { zip: 1 },
    addresses: ["{"],
    tags: ['["a"]'],
  });
});

Deno.test("parts are parsed as JSON if their encoding says so", () => {
  const properties = { title: { contentType: "application/json" } };
  assert.deepEqual(decode(UPLOAD, multipart(['name="title"', "[1]"]), properties), { title: [1] });
});

Deno.test("parts with brackets in their names build objects and arrays", () => {
  const body = multipart(['name="address[zip]"', "1"], ['name="tags[]"', "a"], [
    "name=tags[]",
    "b",
  ]);
  assert.deepEqual(decode(UPLOAD, body), { address: { zip: "1" }, tags: ["a", "b"] });
});

Deno.test("a file is a string with one character per byte", () => {
  const head = multipart(['name="count"; filename="1.txt"', "12", "Content-Type: text/plain"]);
  assert.deepEqual(decode(UPLOAD, head), { count: "12" });

  const all = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256);
  const start = new TextEncoder().encode(
    '--B\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: image/png\r\n\r\n',
  );
  const end = new TextEncoder().encode("\r\n--B--");
  const body = new Uint8Array([...start, ...all, ...end]);
  const value = decode(UPLOAD, body) as { file: string };
  assert.equal(value.file.length, all.length);
  assert(all.every((byte, index) => value.file.charCodeAt(index) === byte));
});

Deno.test("several files make an array", () => {
  const body = multipart(['name="files"; filename="a"', "é"], ['name="files"; filename="b"', "2"]);
  assert.deepEqual(decode(UPLOAD, body), { files: ["Ã©", "2"] });
});

Deno.test("an encoding with a style applies to text parts", () => {
  const properties: PropertyEncodings = { tags: { style: "form", explode: false } };
  assert.deepEqual(
    decode(UPLOAD, multipart(['name="tags"', "a,b%2Cc"]), properties),
    { tags: ["a", "b%2Cc"] },
  );
});

Deno.test("a part's charset is used, and an unknown one is read as UTF-8", () => {
  const text = (charset: string, ...bytes: number[]): Json => {
    const [start = "", end = ""] = multipart([
      'name="title"',
      "|",
      `Content-Type: text/plain; charset=${charset}`,
    ]).split("|");
    const encoder = new TextEncoder();
    const body = new Uint8Array([...encoder.encode(start), ...bytes, ...encoder.encode(end)]);
    return decode(UPLOAD, body);
  };
  assert.deepEqual(text("iso-8859-1", 0xe9), { title: "é" });
  assert.deepEqual(text("UTF-8", 0xc3, 0xa9), { title: "é" });
  assert.deepEqual(text("nonsense", 0xc3, 0xa9), { title: "é" });
});

Deno.test("readMultipart() reads names as browsers and curl write them", () => {
  const parts = readMultipart(
    multipart(['name="a %22b%22;é"; filename=""', "1"], ["name=c", "2"], ['name="d\\"e"', "3"]),
    "B",
  );
  assert.deepEqual(parts?.map((part) => [part.name, part.text(), part.isFile]), [
    ['a "b";é', "1", true],
    ["c", "2", false],
    ['d"e', "3", false],
  ]);
});

Deno.test("readMultipart() accepts a preamble, an epilogue and no parts at all", () => {
  const plain = multipart(['name="a"', "1"]);
  assert.equal(readMultipart(`Hello --B\r\r\n\r\n${plain}bye`, "B")?.[0]?.text(), "1");
  assert.deepEqual(readMultipart("--B--\r\n", "B"), []);
});

Deno.test("a broken multipart body is malformed", () => {
  const good = multipart(['name="a"', "1"]);
  const decoder = compileBody({ shape: makeShape(UPLOAD), properties: {} });
  const type = "multipart/form-data; boundary=B";
  const broken: readonly (readonly [string, string])[] = [
    [good, "multipart/form-data"],
    [good, "multipart/form-data; boundary="],
    [good, "multipart/form-data; boundary=C"],
    [good.slice(0, -6), type],
    [multipart(['filename="a"', "1"]), type],
    ["--B\r\nContent-Disposition: form-data; name=a", type],
    ["a=1", type],
  ];
  for (const [body, contentType] of broken) {
    assert.deepEqual(decoder(body, contentType), "malformed", JSON.stringify(body));
  }
});
