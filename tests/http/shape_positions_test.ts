import type { Json, RawText } from "../../src/values/json.ts";
import { JSON_POSITION, type Position, STRING_POSITION } from "../../src/values/position.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { compileBody } from "../../src/http/body.ts";
import type {
  CollectionFormat,
  ParameterEncoding,
  ParameterStyle,
  PropertyEncoding,
} from "../../src/http/encoding.ts";
import { compileFormField } from "../../src/http/form_body.ts";
import { readForm } from "../../src/http/form_plan.ts";
import { compileParameter } from "../../src/http/parameter_style.ts";
import {
  bodyPositions,
  formDataPosition,
  parameterPosition,
} from "../../src/http/shape_positions.ts";
import { RequestText } from "../../src/http/request_text.ts";
import {
  ANY_NUMBER,
  ARRAY,
  BOOLEAN,
  jsonType,
  NULL,
  OBJECT,
  STRING,
} from "../../src/values/json_type.ts";
import type { Shape } from "../../src/http/shape.ts";
import { makeShape, type SimpleSchema } from "./make_shape.ts";

const TYPE_NAMES = ["null", "boolean", "integer", "number", "string", "array", "object"];

/** Schemas that nest to a depth, so that brackets and lists have something to match. */
function nestedSchemas(depth: number): fc.Arbitrary<SimpleSchema> {
  const below = depth === 0 ? fc.constant<SimpleSchema>({}) : nestedSchemas(depth - 1);
  return fc.record({
    type: fc.subarray(TYPE_NAMES, { maxLength: 3 }),
    properties: fc.dictionary(fc.constantFrom("a", "b", "0", "__proto__"), below, { maxKeys: 2 }),
    additionalProperties: fc.oneof(fc.constant<false>(false), below),
    items: below,
  });
}

const schemas = nestedSchemas(3);

const words = fc.constantFrom(
  "",
  "1",
  "1.5",
  "true",
  "null",
  "a",
  "[1]",
  '{"a":[null]}',
  "%zz",
  "x%20y",
  "1,2",
  "a,1,b,true",
  "a=1,b=2",
  "1|2",
  "1+2",
  "é",
);
const names = fc.array(
  fc.constantFrom("p", "a", "b", "[a]", "[]", "[0]", "[2]", "[", "[__proto__]", "%5B0%5D"),
  { minLength: 1, maxLength: 4 },
).map((pieces) => pieces.join(""));
const queries = fc.array(fc.tuple(fc.oneof(fc.constant("p"), names), words), { maxLength: 5 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join("&"));
const pathTexts = fc.array(fc.oneof(words, fc.constantFrom(";", ".", ",", "=", "p", "a")), {
  maxLength: 6,
}).map((pieces) => pieces.join(""));

/** Fails if the position doesn't allow the value, or if its raw texts have another structure. */
function assertYields(value: Json, raw: RawText | undefined, position: Position): void {
  assert(
    (jsonType(value) & position.types) !== 0,
    `${JSON.stringify(value)} in a position of types ${position.types}`,
  );
  if (position.json) return;
  if (Array.isArray(value)) {
    assert(
      !position.neverSingle || value.length !== 1,
      `${JSON.stringify(value)} is a list of one`,
    );
    const parts = raw?.parts as readonly RawText[] | undefined;
    if (parts !== undefined) assert.equal(parts.length, value.length);
    value.forEach((item, index) => assertYields(item, parts?.[index], position.item(index)));
  } else if (value !== null && typeof value === "object") {
    const parts = raw?.parts as Readonly<Record<string, RawText>> | undefined;
    if (parts !== undefined) assert.deepEqual(Object.keys(parts), Object.keys(value));
    for (const [name, member] of Object.entries(value)) {
      assertYields(member, parts?.[name], position.property(name));
    }
  }
}

function checkParameter(encoding: ParameterEncoding, query: string, text: string): void {
  const request = new RequestText([text], query, { p: text, cookie: query.replaceAll("&", "; ") });
  const decoded = compileParameter(encoding)(request);
  const position = parameterPosition(encoding);
  if (typeof decoded === "object") {
    assert(position !== undefined);
    assertYields(decoded.value, decoded.raw, position);
  } else {
    assert.equal(decoded === "unsupported" ? position : undefined, undefined);
  }
}

const STYLES: readonly ParameterStyle[] = [
  "simple",
  "label",
  "matrix",
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "deepObject",
  "cookie",
];
const LOCATIONS = ["path", "query", "header", "cookie"] as const;
const RUNS = { numRuns: 1500 };

Deno.test("a position names every type that decoding a style yields", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...LOCATIONS),
      fc.constantFrom(...STYLES),
      fc.boolean(),
      schemas,
      queries,
      pathTexts,
      (location, style, explode, schema, query, text) => {
        const shape = makeShape(schema);
        checkParameter({ kind: "style", location, name: "p", style, explode, shape }, query, text);
      },
    ),
    RUNS,
  );
});

Deno.test("a position names every type that decoding a collectionFormat yields", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...LOCATIONS),
      fc.array(fc.constantFrom<CollectionFormat>("csv", "ssv", "tsv", "pipes", "multi"), {
        maxLength: 3,
      }),
      schemas,
      queries,
      pathTexts,
      (location, formats, schema, query, text) => {
        const shape = makeShape(schema);
        const encoding = { kind: "collection", location, name: "p", formats, shape } as const;
        checkParameter(encoding, query, text);
        const fields = readForm(query, "application/x-www-form-urlencoded");
        assert(typeof fields === "object");
        const decoded = compileFormField({ name: "p", shape, formats })(fields);
        if (decoded !== undefined) {
          assertYields(decoded.value, decoded.raw, formDataPosition({ shape, formats }));
        }
      },
    ),
    RUNS,
  );
});

const MEDIA_TYPES = [
  "application/json",
  "application/x-www-form-urlencoded",
  "application/jsonl",
  "text/plain",
  "application/xml",
  "multipart/form-data",
];

Deno.test("a position names every type that decoding content yields", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...LOCATIONS),
      fc.constantFrom(...MEDIA_TYPES),
      schemas,
      queries,
      pathTexts,
      (location, mediaType, schema, query, text) => {
        const shape = makeShape(schema);
        checkParameter({ kind: "content", location, name: "p", mediaType, shape }, query, text);
        const querystring = { kind: "content", location: "query", isWholeQuery: true } as const;
        checkParameter({ ...querystring, name: "p", mediaType, shape }, query, text);
      },
    ),
    RUNS,
  );
});

const propertyEncodings = fc.dictionary(
  fc.constantFrom("a", "b", "p"),
  fc.constantFrom<PropertyEncoding>(
    { style: "deepObject" },
    { style: "form" },
    { explode: false },
    { style: "pipeDelimited" },
    { contentType: "application/json" },
    { contentType: "text/plain" },
  ),
  { maxKeys: 3 },
);

function multipart(query: string, headers: readonly string[]): string {
  const parts = query.split("&").filter((pair) => pair !== "").map((pair, index) => {
    const [name = "", value = ""] = pair.split("=");
    const header = headers[index % headers.length] ?? "";
    return `--B\r\nContent-Disposition: form-data; name="${name}"${header}\r\n\r\n${value}\r\n`;
  });
  return parts.join("") + "--B--\r\n";
}

Deno.test("a position names every type that decoding a form yields", () => {
  fc.assert(
    fc.property(
      schemas,
      propertyEncodings,
      queries,
      fc.array(
        fc.constantFrom(
          "",
          '; filename="f"',
          "\r\nContent-Type: text/plain",
          "\r\nContent-Type: application/json",
        ),
        { minLength: 1, maxLength: 3 },
      ),
      (schema, properties, query, headers) => {
        const encoding = { shape: makeShape(schema), properties };
        const decode = compileBody(encoding);
        const bodies: readonly [string, string][] = [
          ["application/x-www-form-urlencoded", query],
          ["multipart/form-data; boundary=B", multipart(query, headers)],
        ];
        for (const [contentType, body] of bodies) {
          const decoded = decode(body, contentType);
          const [position] = bodyPositions(encoding, [contentType]);
          assert(typeof decoded === "object" && position !== undefined);
          assertYields(decoded.value, decoded.raw, position);
        }
      },
    ),
    RUNS,
  );
});

/** Schemas with hints for XML. */
function nestedXmlSchemas(depth: number): fc.Arbitrary<SimpleSchema> {
  const below = depth === 0 ? fc.constant<SimpleSchema>({}) : nestedXmlSchemas(depth - 1);
  return fc.record({
    type: fc.subarray(TYPE_NAMES, { maxLength: 3 }),
    properties: fc.dictionary(fc.constantFrom("a", "b", "c"), below, { maxKeys: 3 }),
    additionalProperties: fc.oneof(fc.constant<false>(false), below),
    items: below,
    xml: fc.record({
      name: fc.constantFrom(undefined, "a", "b", "d"),
      referredName: fc.constantFrom(undefined, "a", "c"),
      node: fc.constantFrom<("element" | "attribute" | "text")[]>("element", "attribute", "text"),
      wrapped: fc.constantFrom(undefined, true, false),
    }),
  });
}

const elementNames = fc.constantFrom("a", "b", "c", "d", "s:a", "__proto__");
const xmlTexts = fc.constantFrom(
  "",
  "",
  " ",
  "1",
  "1.5",
  "true",
  "null",
  "x &amp; y",
  "<![CDATA[<]]>",
);

function nestedElements(depth: number): fc.Arbitrary<string> {
  const content = depth === 0 ? fc.constant("") : fc.oneof(
    { weight: 1, arbitrary: fc.constant("") },
    {
      weight: 3,
      arbitrary: fc.array(nestedElements(depth - 1), { maxLength: 3 }).map((all) => all.join("")),
    },
  );
  const attributes = fc.uniqueArray(
    fc.constantFrom('a="1"', 'b="x"', 'xsi:nil="true"', 'xsi:a="y"', 'xmlns:s="urn:s"'),
    { maxLength: 2 },
  );
  return fc.tuple(elementNames, attributes, xmlTexts, content)
    .map(([name, fields, text, inner]) =>
      `<${[name, ...fields].join(" ")}>${text}${inner}</${name}>`
    );
}

Deno.test("a position names every type that decoding XML yields", () => {
  let containers = 0;
  fc.assert(
    fc.property(nestedXmlSchemas(3), nestedElements(3), (schema, xml) => {
      const encoding = { shape: makeShape(schema), properties: {} };
      const decoded = compileBody(encoding)(xml, "application/xml");
      const [position] = bodyPositions(encoding, ["application/xml"]);
      assert(typeof decoded === "object" && position !== undefined, xml);
      assertYields(decoded.value, decoded.raw, position);
      if (typeof decoded.value === "object") containers++;
    }),
    { numRuns: 4 * RUNS.numRuns },
  );
  assert(containers > 1000, `${containers}`);
});

Deno.test("items of an array field are text in urlencoded forms, and may be JSON in multipart forms", () => {
  const strings = { type: ["array"], items: { type: ["string"] } } as const;
  const shape = makeShape({ type: ["object"], properties: { a: strings } });
  const itemIn = (mediaType: string) => {
    const [form] = bodyPositions({ shape, properties: {} }, [mediaType]);
    return form?.property("a").item(0);
  };
  const text = itemIn("application/x-www-form-urlencoded");
  assert.deepEqual([text?.types, text?.json], [STRING, false]);
  assert.equal(itemIn("multipart/form-data"), JSON_POSITION);
});

function inStyle(shape: Shape, style: ParameterStyle, explode: boolean): Position | undefined {
  return parameterPosition({
    ...{ kind: "style", location: "query", name: "p", style, explode, shape },
  });
}

const TYPES: readonly (readonly [ParameterStyle, explode: boolean, SimpleSchema, number])[] = [
  // Scalar text may always be a string, and text read as a number may be any number.
  ["form", true, { type: "string" }, STRING],
  ["form", true, {}, STRING],
  ["form", true, { type: "integer" }, STRING | ANY_NUMBER],
  ["form", true, { type: ["boolean", "null"] }, STRING | BOOLEAN],
  // A style that always makes an array or an object makes nothing else.
  ["form", true, { type: "array" }, ARRAY],
  ["pipeDelimited", false, { type: "array" }, ARRAY],
  ["form", true, { type: "array", nullable: true }, ARRAY],
  ["form", true, { type: "object" }, OBJECT],
  ["form", false, { type: "object" }, OBJECT],
  ["deepObject", false, { type: "object" }, OBJECT],
  ["deepObject", false, { type: ["object", "integer"] }, OBJECT | STRING | ANY_NUMBER],
];

for (const [style, explode, schema, types] of TYPES) {
  Deno.test(`style ${style}, explode ${explode} yields what ${JSON.stringify(schema)} allows`, () =>
    assert.equal(inStyle(makeShape(schema), style, explode)?.types, types));
}

Deno.test("schemas below scalar text are never reached", () => {
  const shape = makeShape({ type: "array", items: { type: "array", items: { type: "integer" } } });
  const position = inStyle(shape, "form", true);
  assert.equal(position?.item(0).types, STRING);
  assert.equal(position?.item(0).item(0).types, 0);
  assert.equal(position?.item(0).item(0).property("x").types, 0);
});

Deno.test("a field of object type is JSON, and the fields beside it are text", () => {
  const shape = makeShape({
    type: "object",
    properties: {
      address: { type: "object", properties: { street: { type: "string" } } },
      name: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
    },
  });
  const encoding = { shape, properties: { tags: { contentType: "application/json" } } };
  const [position] = bodyPositions(encoding, ["application/x-www-form-urlencoded"]);
  assert.equal(position?.types, OBJECT);
  assert.equal(position?.item(0).types, 0);
  assert.equal(position?.property("address"), JSON_POSITION);
  assert.equal(position?.property("address").property("street").item(3), JSON_POSITION);
  assert.equal(position?.property("name").types, STRING);
  assert.equal(position?.property("tags").types, ARRAY);
  assert.equal(position?.property("tags").item(0), JSON_POSITION);
});

Deno.test("recursive shapes have finitely many positions", () => {
  const node = { ...makeShape({ type: "object" }), property: () => node, item: () => node };
  const position = inStyle(node, "deepObject", true);
  assert.equal(position?.property("a"), position?.property("b").property("c"));
});

const FORM = "application/x-www-form-urlencoded";
const OF_OBJECT: SimpleSchema = { type: "object" };

/** Documented media types of a body with their positions: one each, or one for JSON. */
const MEDIA: readonly (readonly [SimpleSchema, string[], (Position | number)[]])[] = [
  [OF_OBJECT, ["application/vnd.api+json"], [JSON_POSITION]],
  [OF_OBJECT, ["text/json; charset=utf-8"], [JSON_POSITION]],
  [OF_OBJECT, ["application/jsonl"], [JSON_POSITION]],
  [OF_OBJECT, ["*/*"], [JSON_POSITION]],
  [OF_OBJECT, ["text/*"], [JSON_POSITION]],
  [OF_OBJECT, ["multipart/*"], [OBJECT]],
  [OF_OBJECT, ["text/csv"], [STRING_POSITION]],
  [OF_OBJECT, ["application/xml"], [OBJECT | STRING]],
  [OF_OBJECT, ["application/zip"], []],
  [{ type: "string" }, ["image/png"], [STRING_POSITION]],
  [{ type: "string" }, ["image/*"], [STRING_POSITION]],
  [{ type: "string" }, ["multipart/*"], [OBJECT, STRING]],
  [OF_OBJECT, ["text/plain", FORM], [STRING, OBJECT]],
  [OF_OBJECT, ["text/plain", "text/csv"], [STRING_POSITION]],
  [OF_OBJECT, ["application/zip", "text/plain"], [STRING_POSITION]],
  [OF_OBJECT, ["application/xml", "application/json"], [JSON_POSITION]],
  [OF_OBJECT, ["text/plain", FORM, "application/json"], [JSON_POSITION]],
];

for (const [schema, mediaTypes, expected] of MEDIA) {
  Deno.test(`documented media types decide what bodies can yield: ${schema.type}, ${mediaTypes}`, () => {
    const found = bodyPositions({ shape: makeShape(schema), properties: {} }, mediaTypes);
    assert.equal(found.length, expected.length);
    for (const [index, one] of expected.entries()) {
      assert.equal(typeof one === "number" ? found[index]?.types : found[index], one);
    }
  });
}

Deno.test("a field without an encoding yields exactly what its types allow", () => {
  const scalars = STRING | ANY_NUMBER;
  for (
    const [type, expected] of [
      [["object", "array"], OBJECT | ARRAY],
      [["object", "array", "null"], OBJECT | ARRAY | NULL],
      [["object", "string"], OBJECT | STRING],
      [["object", "array", "integer"], OBJECT | ARRAY | scalars],
      [[], OBJECT | ARRAY | STRING],
      [["array"], ARRAY],
      [["integer"], scalars],
    ] as const
  ) {
    const shape = makeShape({ type: "object", properties: { p: { type: [...type] } } });
    for (const mediaType of ["application/x-www-form-urlencoded", "multipart/form-data"]) {
      const [position] = bodyPositions({ shape, properties: {} }, [mediaType]);
      assert.equal(position?.property("p").types, expected, `${mediaType} ${type}`);
    }
  }
});

Deno.test("values below a field are text if the field may have any type, and JSON if it is an object", () => {
  const below = (type: string[], mediaType: string) => {
    const p = { type, properties: { a: { type: ["integer"] } } };
    const shape = makeShape({ type: "object", properties: { p } });
    const [position] = bodyPositions({ shape, properties: {} }, [mediaType]);
    return position?.property("p").property("a");
  };
  for (const mediaType of ["application/x-www-form-urlencoded", "multipart/form-data"]) {
    assert.equal(below([], mediaType)?.types, STRING | ANY_NUMBER, mediaType);
    assert.equal(below(["object", "string"], mediaType), JSON_POSITION, mediaType);
    assert.equal(below(["object"], mediaType), JSON_POSITION, mediaType);
  }
});

Deno.test("neverEmpty and neverSingle name the types that no text can express as empty or single", () => {
  const both = makeShape({ type: ["array", "object"], nullable: true });
  assert.equal(inStyle(both, "form", true)?.neverEmpty, OBJECT | ARRAY);
  assert.equal(inStyle(both, "deepObject", true)?.neverEmpty, OBJECT | ARRAY);
  assert.equal(inStyle(both, "form", false)?.neverEmpty, OBJECT);
  assert.equal(inStyle(both, "pipeDelimited", false)?.neverEmpty, OBJECT);
  const inPath = (style: ParameterStyle) =>
    parameterPosition({
      kind: "style",
      location: "path",
      name: "p",
      style,
      explode: false,
      shape: both,
    });
  assert.equal(inPath("simple")?.neverEmpty, OBJECT | ARRAY);
  assert.equal(inPath("label")?.neverEmpty, OBJECT | ARRAY);
  assert.equal(inPath("matrix")?.neverEmpty, OBJECT);
  const collected = (format: CollectionFormat, location: "query" | "header" | "path") =>
    parameterPosition({ kind: "collection", location, name: "p", formats: [format], shape: both });
  assert.equal(collected("multi", "query")?.neverEmpty, OBJECT | ARRAY);
  assert.equal(collected("multi", "header")?.neverEmpty, OBJECT);
  assert.equal(collected("csv", "query")?.neverEmpty, OBJECT);
  assert.equal(collected("csv", "path")?.neverEmpty, OBJECT | ARRAY);
  assert.equal(formDataPosition({ shape: both, formats: ["multi"] }).neverEmpty, OBJECT | ARRAY);

  const mixed = makeShape({ type: ["array", "integer"] });
  assert.equal(inStyle(mixed, "form", false)?.neverEmpty, OBJECT | ARRAY);
  assert.equal(inStyle(mixed, "form", false)?.neverSingle, true);
  assert.equal(inStyle(mixed, "form", true)?.neverSingle, true);
  assert.equal(inStyle(mixed, "deepObject", true)?.neverSingle, false); // p[]=1
  assert.equal(inStyle(both, "form", false)?.neverSingle, false);

  const list = { type: "array" } as const;
  const shape = makeShape({
    type: "object",
    properties: { list, both: { type: ["array", "object"] } },
  });
  const inForm = (mediaType: string, contentType?: string) => {
    const properties = contentType === undefined ? {} : { list: { contentType } };
    const [form] = bodyPositions({ shape, properties }, [mediaType]);
    return [form, form?.property("list"), form?.property("both")].map((one) => one?.neverEmpty);
  };
  assert.deepEqual(inForm(FORM), [0, OBJECT | ARRAY, 0]);
  assert.deepEqual(inForm("multipart/form-data"), [0, OBJECT, 0]);
  assert.deepEqual(inForm(FORM, "application/json"), [0, 0, 0]);
});
