import type { Json } from "../../src/values/json.ts";
import assert from "node:assert/strict";
import type {
  CollectionFormat,
  EncodedLocation,
  ParameterEncoding,
  ParameterStyle,
} from "../../src/http/encoding.ts";
import { compileParameter, isScalarText } from "../../src/http/parameter_style.ts";
import { RequestText } from "../../src/http/request_text.ts";
import { plainText } from "./plain_text.ts";
import { makeShape, type SimpleSchema } from "./make_shape.ts";

const STRING: SimpleSchema = { type: "string" };
const LIST: SimpleSchema = { type: "array", items: { type: "string" } };
const RGB: SimpleSchema = {
  type: "object",
  properties: { R: { type: "integer" }, G: { type: "integer" }, B: { type: "integer" } },
};
const ODD_NAMES: SimpleSchema = {
  type: "object",
  properties: { "é": STRING, "a b": STRING, "%C3%A9": STRING },
};
const COLORS = ["blue", "black", "brown"];
const NUMBERS = { R: 100, G: 200, B: 150 };

/** A request that has a text at a location: as a capture, query, header, or Cookie header. */
function requestWith(location: EncodedLocation, text: string) {
  return new RequestText(
    location === "path" ? [text] : [],
    location === "query" ? text : "",
    location === "header" ? { color: text } : location === "cookie" ? { cookie: text } : {},
  );
}

function decode(encoding: ParameterEncoding, text: string) {
  return compileParameter(encoding)(requestWith(encoding.location, text));
}

function decoded(encoding: ParameterEncoding, text: string): Json | undefined {
  const result = decode(encoding, text);
  return typeof result === "object" ? result.value : result;
}

function styled(
  location: EncodedLocation,
  style: ParameterStyle,
  explode: boolean,
  schema: SimpleSchema,
  claimed?: readonly string[],
): ParameterEncoding {
  return {
    ...{ kind: "style", location, name: "color", style, explode, shape: makeShape(schema) },
    claimed: claimed && new Set(claimed),
  };
}

type Read = readonly [EncodedLocation, ParameterStyle, boolean, SimpleSchema, string, Json];

/** The "Style Examples" of the OpenAPI specification (3.1.1, section 4.8.12.6; 3.2.0, section 4.12.7). */
const EXAMPLES: readonly Read[] = [
  ["path", "matrix", false, STRING, ";color", ""],
  ["path", "matrix", false, STRING, ";color=blue", "blue"],
  ["path", "matrix", false, LIST, ";color=blue,black,brown", COLORS],
  ["path", "matrix", false, RGB, ";color=R,100,G,200,B,150", NUMBERS],
  ["path", "matrix", true, STRING, ";color", ""],
  ["path", "matrix", true, STRING, ";color=blue", "blue"],
  ["path", "matrix", true, LIST, ";color=blue;color=black;color=brown", COLORS],
  ["path", "matrix", true, RGB, ";R=100;G=200;B=150", NUMBERS],
  ["path", "label", false, STRING, ".", ""],
  ["path", "label", false, STRING, ".blue", "blue"],
  ["path", "label", false, LIST, ".blue,black,brown", COLORS],
  ["path", "label", false, RGB, ".R,100,G,200,B,150", NUMBERS],
  ["path", "label", true, STRING, ".", ""],
  ["path", "label", true, STRING, ".blue", "blue"],
  ["path", "label", true, LIST, ".blue.black.brown", COLORS],
  ["path", "label", true, RGB, ".R=100.G=200.B=150", NUMBERS],
  ["path", "simple", false, STRING, "", ""],
  ["path", "simple", false, STRING, "blue", "blue"],
  ["path", "simple", false, LIST, "blue,black,brown", COLORS],
  ["path", "simple", false, RGB, "R,100,G,200,B,150", NUMBERS],
  ["path", "simple", true, STRING, "blue", "blue"],
  ["path", "simple", true, LIST, "blue,black,brown", COLORS],
  ["path", "simple", true, RGB, "R=100,G=200,B=150", NUMBERS],
  ["header", "simple", false, STRING, "", ""],
  ["header", "simple", false, STRING, "blue", "blue"],
  ["header", "simple", false, LIST, "blue,black,brown", COLORS],
  ["header", "simple", false, RGB, "R,100,G,200,B,150", NUMBERS],
  ["header", "simple", true, LIST, "blue, black, brown", COLORS],
  ["header", "simple", true, RGB, "R=100, G=200, B=150", NUMBERS],
  ["query", "form", false, STRING, "color=", ""],
  ["query", "form", false, STRING, "color=blue", "blue"],
  ["query", "form", false, LIST, "color=blue,black,brown", COLORS],
  ["query", "form", false, RGB, "color=R,100,G,200,B,150", NUMBERS],
  ["query", "form", true, STRING, "color=", ""],
  ["query", "form", true, STRING, "color=blue", "blue"],
  ["query", "form", true, LIST, "color=blue&color=black&color=brown", COLORS],
  ["query", "form", true, RGB, "R=100&G=200&B=150", NUMBERS],
  ["query", "spaceDelimited", false, LIST, "color=blue%20black%20brown", COLORS],
  ["query", "spaceDelimited", false, RGB, "color=R%20100%20G%20200%20B%20150", NUMBERS],
  ["query", "pipeDelimited", false, LIST, "color=blue%7Cblack%7Cbrown", COLORS],
  ["query", "pipeDelimited", false, RGB, "color=R%7C100%7CG%7C200%7CB%7C150", NUMBERS],
  ["query", "deepObject", true, RGB, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150", NUMBERS],
  ["cookie", "form", false, STRING, "color=blue", "blue"],
  ["cookie", "form", false, LIST, "color=blue,black,brown", COLORS],
  ["cookie", "form", false, RGB, "color=R,100,G,200,B,150", NUMBERS],
  ["cookie", "form", true, LIST, "color=blue&color=black&color=brown", COLORS],
  ["cookie", "form", true, RGB, "R=100&G=200&B=150", NUMBERS],
  ["cookie", "cookie", false, STRING, "color=", ""],
  ["cookie", "cookie", false, STRING, "color=blue", "blue"],
  ["cookie", "cookie", false, LIST, "color=blue,black,brown", COLORS],
  ["cookie", "cookie", false, RGB, "color=R,100,G,200,B,150", NUMBERS],
  ["cookie", "cookie", true, LIST, "color=blue; color=black; color=brown", COLORS],
  ["cookie", "cookie", true, RGB, "R=100; G=200; B=150", NUMBERS],
];

const INTEGERS: SimpleSchema = { type: "array", items: { type: "integer" } };
const EITHER: SimpleSchema = { ...INTEGERS, type: ["integer", "array"] };
const OBJECT_OR_TEXT: SimpleSchema = { ...RGB, type: ["object", "string"] };
const LIST_OR_TEXT: SimpleSchema = { type: ["array", "string"] };
const CLOSED: SimpleSchema = { ...RGB, additionalProperties: false };
const PAGE: SimpleSchema = {
  type: "object",
  properties: { size: { type: "integer" }, sort: LIST, asc: { type: "boolean" } },
};

/** Parameters and the values that they are read as, by the name of the test. */
const READ: Readonly<Record<string, readonly Read[]>> = {
  "an example of the specification": EXAMPLES,
  "a query parameter without = has an empty value": [
    ["query", "form", true, STRING, "color", ""],
  ],
  "empty delimited text is an empty array or object": [
    ...(["form", "spaceDelimited", "pipeDelimited"] as const).flatMap((style): Read[] => [
      ["query", style, false, LIST, "color=", []],
      ["query", style, false, RGB, "color=", {}],
    ]),
    ["query", "form", true, LIST, "color=", [""]],
  ],
  "text is split first and then percent-decoded": [
    ["query", "form", false, LIST, "color=a%2Cb,c+d%2B", ["a,b", "c d+"]],
    ["path", "simple", false, LIST, "a%2Cb,c+d%20e", ["a,b", "c+d e"]],
  ],
  "a repeated scalar takes its first value, and repeated delimited lists are joined": [
    ["query", "form", true, { type: "integer" }, "color=1&color=2", 1],
    ["query", "form", false, LIST, "color=a,b&color=&color=c", ["a", "b", "c"]],
  ],
  "header items are trimmed and not percent-decoded": [
    ["header", "simple", false, LIST, " a%20b ,\tc+d ", ["a%20b", "c+d"]],
  ],
  "text without a delimiter is a scalar where scalars are allowed": [
    ["header", "simple", true, LIST_OR_TEXT, "a=b", "a=b"],
    ["header", "simple", true, LIST_OR_TEXT, "a=b,c", ["a=b", "c"]],
    ["header", "simple", true, OBJECT_OR_TEXT, "a", "a"],
    ["header", "simple", true, OBJECT_OR_TEXT, "a=b", { a: "b" }],
    ["header", "simple", false, OBJECT_OR_TEXT, "a=b", "a=b"],
    ["header", "simple", false, OBJECT_OR_TEXT, "a,b", { a: "b" }],
  ],
  "style cookie isn't percent-decoded, but style form is": [
    ["cookie", "cookie", true, STRING, "a=1; color=x%20y+z", "x%20y+z"],
    ["cookie", "form", true, STRING, "a=1; color=x%20y+z", "x y+z"],
    ["cookie", "form", true, STRING, "color=a=b&c", "a=b&c"],
    ["cookie", "cookie", false, LIST, "a=1; color=x%2Cy,z", ["x%2Cy", "z"]],
    ["cookie", "form", false, LIST, "a=1; color=x%2Cy,z", ["x,y", "z"]],
    ["cookie", "cookie", true, ODD_NAMES, "%C3%A9=1; a%20b=2", { "%C3%A9": "1", "a%20b": "2" }],
    ["cookie", "form", true, ODD_NAMES, "%C3%A9=1; a%20b=2", { "é": "1", "a b": "2" }],
    ["cookie", "form", true, ODD_NAMES, "%C3%A9=1&a%20b=2", { "é": "1", "a b": "2" }],
    ["cookie", "form", true, STRING, "col%6Fr=1", "1"],
    ["cookie", "form", false, LIST, "col%6Fr=1,2", ["1", "2"]],
  ],
  "items and properties are read by the types of their own schema": [
    ["query", "form", false, INTEGERS, "color=1,x,007,2.5", [1, "x", "007", 2.5]],
    ["query", "form", true, PAGE, "size=20&sort=a&sort=b&asc=true", {
      ...{ size: 20, sort: ["a", "b"], asc: true },
    }],
  ],
  "several occurrences or a delimiter make an array even where scalars are allowed": [
    ["query", "form", true, EITHER, "color=1", 1],
    ["query", "form", true, EITHER, "color=1&color=2", [1, 2]],
    ["query", "form", false, EITHER, "color=1", 1],
    ["query", "form", false, EITHER, "color=1,2", [1, 2]],
    ["query", "form", true, OBJECT_OR_TEXT, "color=red&R=1", "red"],
    ["query", "form", true, OBJECT_OR_TEXT, "R=1", { R: 1 }],
    ["query", "form", false, OBJECT_OR_TEXT, "color=R,1", { R: 1 }],
  ],
  "no text is null in a nullable list": [
    ["query", "form", true, { ...LIST, nullable: true }, "color=null", ["null"]],
  ],
  "a style that isn't allowed at its location is read as the default style": [
    ["header", "matrix", false, LIST, "a,b", ["a", "b"]],
    ["path", "deepObject", false, LIST, "a,b", ["a", "b"]],
  ],
  "a path without the prefix of its style still has the parameter": [
    ...[true, false].flatMap((explode): Read[] => [
      ["path", "label", explode, LIST, "blue", ["blue"]],
      ["path", "matrix", explode, LIST, "blue", ["blue"]],
      ["path", "matrix", explode, LIST, ";x=1", [";x=1"]],
    ]),
    ["path", "matrix", true, CLOSED, ";x=1", {}],
  ],
  "bad percent-encoding stays text, invalid UTF-8 becomes U+FFFD": [
    ["query", "form", true, STRING, "color=100%&x=%", "100%"],
    ["query", "form", true, STRING, "color=%zz%C3%A9%FF+", "%zzé\ufffd "],
  ],
};

for (const [sentence, cases] of Object.entries(READ)) {
  for (const [location, style, explode, schema, text, expected] of cases) {
    const how = `${location}, style ${style}, explode ${explode}`;
    Deno.test(`${sentence}: ${how}: ${text} is a ${schema.type}`, () =>
      assert.deepEqual(decoded(styled(location, style, explode, schema), text), expected));
  }
}

Deno.test("a parameter that isn't in the request has no value", () => {
  for (const style of ["form", "spaceDelimited", "deepObject"] as const) {
    for (const schema of [STRING, LIST, CLOSED]) {
      assert.equal(
        decode(styled("query", style, true, schema), "colors=blue&x[color]=1"),
        undefined,
      );
      assert.equal(decode(styled("query", style, false, schema), "colors=blue"), undefined);
    }
  }
  for (const location of ["path", "header", "cookie"] as const) {
    const shape = makeShape(STRING);
    const base = { location, name: "constructor", shape } as const;
    const request = new RequestText([], "", {});
    for (
      const encoding of [
        { ...base, kind: "style", style: "simple", explode: false },
        { ...base, kind: "collection", formats: [] },
        { ...base, kind: "content", mediaType: "application/json" },
      ] as const
    ) assert.equal(compileParameter(encoding)(request), undefined, encoding.kind);
  }
});

Deno.test("delimited lists of a repeated header are joined", () => {
  const request = new RequestText([], "", { color: ["a, b", "c"] });
  const result = compileParameter(styled("header", "simple", false, LIST))(request);
  assert(typeof result === "object");
  assert.deepEqual(result.value, ["a", "b", "c"]);
});

Deno.test("a nullable list or object is read like one that isn't nullable, because no text is null", () => {
  for (const text of ["color=a", "color=null", "color=R,null", "R=1&G=null", "color[R]=null"]) {
    for (const schema of [LIST, RGB, { ...LIST, items: RGB }]) {
      const nullable: SimpleSchema = { ...schema, nullable: true };
      for (const style of ["form", "pipeDelimited", "deepObject"] as const) {
        for (const explode of [true, false]) {
          const read = (of: SimpleSchema) => decoded(styled("query", style, explode, of), text);
          assert.deepEqual(read(nullable), read(schema), `${style} ${explode} ${text}`);
        }
      }
    }
  }
});

Deno.test("an exploded object takes unclaimed keys only if its schema is open", () => {
  const text = "R=1&page=2&extra=x&filter%5Ba%5D=3";
  const claimed = ["page", "filter"];
  assert.deepEqual(decoded(styled("query", "form", true, RGB, claimed), text), {
    R: 1,
    extra: "x",
  });
  assert.deepEqual(decoded(styled("query", "form", true, CLOSED, claimed), text), { R: 1 });
  assert.equal(
    decoded(styled("query", "form", true, CLOSED, claimed), "page=2&extra=x"),
    undefined,
  );
  const typed: SimpleSchema = { ...RGB, additionalProperties: { type: "number" } };
  assert.deepEqual(decoded(styled("query", "form", true, typed, claimed), "extra=1.5"), {
    extra: 1.5,
  });
});

Deno.test("names like __proto__ are ordinary keys", () => {
  const parsed = JSON.parse('{"__proto__":"1","constructor":"2"}');
  const open: SimpleSchema = { type: "object" };
  assert.deepEqual(
    decoded(styled("query", "form", true, open), "__proto__=1&constructor=2"),
    parsed,
  );
  const deep = decoded(
    styled("query", "deepObject", true, open),
    "color[__proto__]=1&color[constructor]=2",
  );
  assert.deepEqual(deep, parsed);
  assert.deepEqual(
    decoded(styled("query", "form", false, open), "color=__proto__,1,constructor,2"),
    parsed,
  );
  assert.equal(Object.getPrototypeOf(deep), Object.prototype);
  assert.deepEqual(
    decoded(
      styled("query", "deepObject", true, open),
      "color[__proto__][polluted]=1&color[constructor][prototype][x]=2",
    ),
    JSON.parse('{"__proto__":{"polluted":"1"},"constructor":{"prototype":{"x":"2"}}}'),
  );
  assert.equal("polluted" in {}, false);
});

Deno.test("carriesScalar() is true for scalars in paths and queries without delimiters", () => {
  const carries = (location: EncodedLocation, style: ParameterStyle, type: string) =>
    isScalarText(styled(location, style, false, { type }));
  assert.equal(carries("query", "form", "string"), true);
  assert.equal(carries("query", "pipeDelimited", "integer"), true);
  assert.equal(carries("query", "deepObject", "string"), false);
  assert.equal(carries("query", "form", "array"), false);
  assert.equal(carries("query", "form", "object"), false);
  assert.equal(carries("path", "simple", "string"), true);
  assert.equal(carries("path", "label", "string"), false);
  assert.equal(carries("path", "matrix", "string"), false);
  assert.equal(carries("path", "form", "string"), true); // read with the default style of paths
  assert.equal(carries("header", "simple", "string"), false);
});

Deno.test("the raw text of each scalar and of a whole list is kept", () => {
  const plainly = (encoding: ParameterEncoding, text: string) => {
    const result = decode(encoding, text);
    assert(typeof result === "object");
    return { value: result.value, raw: plainText(result.raw) };
  };
  assert.deepEqual(plainly(styled("query", "form", false, INTEGERS), "color=1,2"), {
    value: [1, 2],
    raw: { text: "1,2", parts: [{ text: "1", parts: undefined }, { text: "2", parts: undefined }] },
  });
  assert.deepEqual(plainly(styled("query", "form", true, INTEGERS), "color=1&color=2"), {
    value: [1, 2],
    raw: {
      text: undefined,
      parts: [{ text: "1", parts: undefined }, { text: "2", parts: undefined }],
    },
  });
  assert.deepEqual(plainly(styled("query", "form", true, { type: "number" }), "color=1.50"), {
    value: 1.5,
    raw: { text: "1.50", parts: undefined },
  });
  assert.deepEqual(plainly(styled("query", "deepObject", true, RGB), "color[R]=1"), {
    value: { R: 1 },
    raw: { text: undefined, parts: { R: { text: "1", parts: undefined } } },
  });
});

function collection(
  location: EncodedLocation,
  formats: readonly CollectionFormat[],
  schema: SimpleSchema,
): ParameterEncoding {
  return { kind: "collection", location, name: "color", formats, shape: makeShape(schema) };
}

const MATRIX: SimpleSchema = { type: "array", items: INTEGERS };

const COLLECTIONS: readonly (readonly [
  EncodedLocation,
  readonly CollectionFormat[],
  SimpleSchema,
  string,
  Json,
])[] = [
  ["query", [], LIST, "color=a,b", ["a", "b"]],
  ["query", ["csv"], LIST, "color=a,b&color=c", ["a", "b", "c"]],
  ["query", ["csv"], LIST, "color=", []],
  ["query", ["ssv"], LIST, "color=a%20b+c", ["a", "b", "c"]],
  ["query", ["tsv"], LIST, "color=a%09b", ["a", "b"]],
  ["query", ["pipes"], LIST, "color=a|b%7cc", ["a", "b", "c"]],
  ["query", ["multi"], LIST, "color=a,b&color=c", ["a,b", "c"]],
  ["query", ["csv"], STRING, "color=a,b", "a,b"],
  ["query", ["multi"], { type: "integer" }, "color=1&color=2", 1],
  ["query", ["multi", "pipes"], MATRIX, "color=1|2&color=3", [[1, 2], [3]]],
  ["query", ["pipes", "csv"], MATRIX, "color=1,2|3", [[1, 2], [3]]],
  ["query", ["ssv"], MATRIX, "color=1,2+3", [[1, 2], [3]]],
  ["path", ["pipes"], LIST, "a%7Cb", ["a", "b"]],
  ["path", ["ssv"], LIST, "a%20b+c", ["a", "b+c"]],
  ["path", ["multi"], LIST, "a,b", ["a", "b"]],
  ["header", ["csv"], LIST, "a, b%20", ["a", "b%20"]],
  ["header", ["tsv"], LIST, "a\tb", ["a", "b"]],
  ["header", ["pipes"], LIST, "a|b%7Cc", ["a", "b%7Cc"]],
];

for (const [location, formats, schema, text, expected] of COLLECTIONS) {
  const format = formats.join(" of ") || "the default";
  Deno.test(`${location}, collectionFormat ${format}: ${JSON.stringify(text)}`, () =>
    assert.deepEqual(decoded(collection(location, formats, schema), text), expected));
}

Deno.test("content is decoded by its media type", () => {
  const base = { kind: "content", location: "query", name: "color" } as const;
  const object = makeShape(RGB);
  const json = { ...base, mediaType: "application/json; charset=utf-8", shape: object };
  assert.deepEqual(decode(json, "color=%7B%22R%22%3A+1%7D"), {
    value: { R: 1 },
    raw: { text: '{"R": 1}', parts: undefined },
  });
  assert.equal(decode(json, "color=%7B"), "malformed");
  assert.equal(decode(json, "color="), "malformed");
  const form = { ...base, mediaType: "application/x-www-form-urlencoded", shape: object };
  assert.deepEqual(decoded(form, "color=R%3D1%26G%3D2"), { R: 1, G: 2 });
  const lines = { ...base, mediaType: "application/jsonl", shape: object };
  assert.deepEqual(decoded(lines, "color=1%0A2"), [1, 2]);
  const text = { ...base, mediaType: "text/plain", shape: makeShape({ type: "integer" }) };
  assert.equal(decoded(text, "color=1"), "1");
  const xml = { ...base, mediaType: "application/xml" };
  assert.equal(decode({ ...xml, shape: object }, "color=%3Ca/%3E"), "unsupported");
  assert.equal(decode({ ...xml, shape: object }, ""), undefined);
  assert.equal(decoded({ ...xml, shape: makeShape(STRING) }, "color=%3Ca/%3E"), "<a/>");
});

Deno.test("content in headers, cookies and paths is unescaped as values there are", () => {
  const shape = makeShape({});
  const base = { kind: "content", name: "color", mediaType: "application/json", shape } as const;
  assert.deepEqual(decoded({ ...base, location: "header" }, ' {"a": "%20"} '), { a: "%20" });
  assert.deepEqual(decoded({ ...base, location: "cookie" }, "color=%5B1%5D; b=2"), [1]);
  assert.deepEqual(decoded({ ...base, location: "path" }, "%5B%221+1%22%5D"), ["1+1"]);
});

Deno.test("a querystring parameter is the whole query, decoded by its media type", () => {
  const base = { kind: "content", location: "query", name: "color", isWholeQuery: true } as const;
  const form = { ...base, mediaType: "application/x-www-form-urlencoded", shape: makeShape(RGB) };
  assert.deepEqual(decoded(form, "R=1&x=a%26b"), { R: 1, x: "a&b" });
  assert.equal(decoded(form, ""), undefined);
  const json = { ...base, mediaType: "application/json", shape: makeShape({}) };
  assert.deepEqual(decoded(json, "%7B%22a%22:+1%7D"), { a: 1 });
  assert.equal(decoded(json, "a=1"), "malformed");
  const path = { ...base, mediaType: "application/jsonpath", shape: makeShape(STRING) };
  assert.equal(decoded(path, "%24.a"), "$.a");
  assert.equal(decoded({ ...path, shape: makeShape({}) }, "%24.a"), "unsupported");
});
