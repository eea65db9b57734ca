import type { Json } from "../../src/values/json.ts";
import assert from "node:assert/strict";
import type { CollectionEncoding, PropertyEncodings } from "../../src/http/encoding.ts";
import { compileFormBody, compileFormField } from "../../src/http/form_body.ts";
import { readForm } from "../../src/http/form_plan.ts";
import { plainText } from "./plain_text.ts";
import { makeShape, type SimpleSchema } from "./make_shape.ts";

const FORM = "application/x-www-form-urlencoded";

function decode(schema: SimpleSchema, body: string, properties: PropertyEncodings = {}): Json {
  const fields = readForm(new TextEncoder().encode(body), FORM);
  assert(typeof fields === "object");
  const form = compileFormBody({ shape: makeShape(schema), properties });
  const { value } = form.decode(fields);
  assert.deepEqual(form.decodeValue(fields), value, "without texts");
  return value;
}

const USER: SimpleSchema = {
  type: "object",
  properties: {
    name: { type: "string" },
    age: { type: "integer" },
    admin: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    address: { type: "object", properties: { zip: { type: "string" } } },
    contacts: { type: "array", items: { type: "object" } },
    limit: { type: ["object", "integer"] },
  },
};

Deno.test("a form is an object of text values", () => {
  assert.deepEqual(decode(USER, "name=J%C3%B6rg+M&age=42&admin=true&other=7&empty"), {
    name: "Jörg M",
    age: 42,
    admin: true,
    other: "7",
    empty: "",
  });
  assert.deepEqual(decode(USER, ""), {});
});

Deno.test("a repeated field is an array where that is allowed, otherwise its first value", () => {
  assert.deepEqual(decode(USER, "tags=a&tags=b,c&name=x&name=y"), {
    tags: ["a", "b,c"],
    name: "x",
  });
  assert.deepEqual(decode(USER, "tags=a"), { tags: ["a"] });
});

Deno.test("a field of object type is JSON, as is each item of object type", () => {
  const address = encodeURIComponent('{"zip":5}');
  assert.deepEqual(
    decode(USER, `address=${address}&contacts=${address}&contacts=%7B%7D&limit=${address}`),
    { address: { zip: 5 }, contacts: [{ zip: 5 }, {}], limit: { zip: 5 } },
  );
  assert.deepEqual(decode(USER, "address=nowhere&contacts=x&limit=5"), {
    address: "nowhere",
    contacts: ["x"],
    limit: 5,
  });
});

Deno.test("names in brackets build the objects and arrays that the types allow", () =>
  assert.deepEqual(
    decode(
      USER,
      "address[zip]=012&tags[]=a&tags[]=b&contacts[1][x]=2&contacts[0][x]=1&limit[gt]=3&new[a][]=1",
    ),
    {
      address: { zip: "012" },
      tags: ["a", "b"],
      contacts: [{ x: "1" }, { x: "2" }],
      limit: { gt: "3" },
      new: { a: ["1"] },
    },
  ));

Deno.test("brackets are part of the name where the property can't have members", () => {
  const declared: SimpleSchema = {
    type: "object",
    properties: {
      "ids[]": { type: "array", items: { type: "integer" } },
      name: { type: "string" },
    },
  };
  assert.deepEqual(decode(declared, "ids[]=1&ids[]=2&name[first]=x&name[=y"), {
    "ids[]": [1, 2],
    "name[first]": "x",
    "name[": "y",
  });
  assert.deepEqual(decode(USER, "tags[first]=x"), { "tags[first]": "x" });
});

Deno.test("Stripe's forms are read as deep objects", () => {
  const card: SimpleSchema = {
    type: "object",
    properties: { number: { type: "string" }, exp_month: { type: "integer" } },
  };
  const schema: SimpleSchema = {
    type: "object",
    properties: {
      card,
      metadata: { type: ["object", "string"], additionalProperties: { type: "string" } },
      expand: { type: "array", items: { type: "string" } },
      items: {
        type: "array",
        items: { type: "object", properties: { quantity: { type: "integer" } } },
      },
    },
  };
  const deep = { style: "deepObject", explode: true } as const;
  const properties = { card: deep, metadata: deep, expand: deep, items: deep };
  assert.deepEqual(
    decode(
      schema,
      "card[number]=4242&card[exp_month]=8&metadata[order_id]=6735&expand[0]=customer" +
        "&expand[1]=invoice&items[0][quantity]=2&items[1][quantity]=x",
      properties,
    ),
    {
      card: { number: "4242", exp_month: 8 },
      metadata: { order_id: "6735" },
      expand: ["customer", "invoice"],
      items: [{ quantity: 2 }, { quantity: "x" }],
    },
  );
  assert.deepEqual(decode(schema, "metadata=&card=x", properties), { metadata: "" });
});

Deno.test("the encoding of a property decides how it is read", () => {
  const properties: PropertyEncodings = {
    tags: { explode: false },
    contacts: { style: "pipeDelimited" },
    name: { contentType: "application/json" },
    age: { contentType: "text/plain" },
  };
  assert.deepEqual(decode(USER, "tags=a,b%2Cc&contacts=x%7Cy&name=%5B1%5D&age=7", properties), {
    tags: ["a", "b,c"],
    contacts: ["x", "y"],
    name: [1],
    age: 7,
  });
  const lists: PropertyEncodings = { tags: { contentType: "text/plain, application/json" } };
  assert.deepEqual(decode(USER, "tags=%5B1,2%5D", lists), { tags: [1, 2] });
  assert.deepEqual(decode(USER, "tags=1&tags=%7B%7D", lists), { tags: [1, {}] });
  assert.deepEqual(decode(USER, "tags=x", lists), { tags: ["x"] });
});

Deno.test("an object in exploded form style takes its properties from the whole form", () => {
  const properties: PropertyEncodings = { address: { style: "form", explode: true } };
  assert.deepEqual(decode(USER, "zip=012&name=x&town=y", properties), {
    address: { zip: "012", town: "y" },
    name: "x",
  });
  assert.deepEqual(decode(USER, "name=x&address=1", properties), { name: "x" });
  const two = {
    properties: { ...USER.properties, limit: { type: "object", properties: { max: {} } } },
  };
  assert.deepEqual(decode(two, "zip=1&max=2&town=y", { ...properties, limit: { style: "form" } }), {
    address: { zip: "1", town: "y" },
    limit: { max: "2", town: "y" },
  });
  assert.deepEqual(decode(USER, "limit=5&other=x", { limit: { style: "form" } }), {
    limit: 5,
    other: "x",
  });
  const shared = {
    ...USER.properties,
    limit: { type: "object", properties: { name: {}, zip: {} } },
  };
  assert.deepEqual(
    decode({ properties: shared }, "zip=1&name=x", { ...properties, limit: { style: "form" } }),
    { address: { zip: "1" }, limit: { zip: "1", name: "x" }, name: "x" },
  );
});

Deno.test("the raw texts of fields are kept", () => {
  const fields = readForm("age=1.0&tags=a&address=%7B%22zip%22:1%7D", FORM);
  assert(typeof fields === "object");
  const { raw } = compileFormBody({ shape: makeShape(USER), properties: {} }).decode(fields);
  assert.deepEqual(plainText(raw), {
    text: undefined,
    parts: {
      age: { text: "1.0", parts: undefined },
      tags: { text: "a", parts: [{ text: "a", parts: undefined }] },
      address: { text: '{"zip":1}', parts: undefined },
    },
  });
});

Deno.test("fields named __proto__ are ordinary fields", () => {
  const value = decode({ type: "object" }, "__proto__=1&a[__proto__][b]=2");
  assert.deepEqual(value, JSON.parse('{"__proto__":"1","a":{"__proto__":{"b":"2"}}}'));
});

Deno.test("readForm() reads only forms", () => {
  assert.equal(readForm("a=1", "application/json"), undefined);
  assert.equal(readForm("a=1", "multipart/form-data"), "malformed");
});

function field(
  encoding: Pick<CollectionEncoding, "formats">,
  schema: SimpleSchema,
  body: string,
  contentType = FORM,
): Json | undefined {
  const fields = readForm(body, contentType);
  assert(typeof fields === "object");
  return compileFormField({ name: "f", shape: makeShape(schema), ...encoding })(fields)?.value;
}

Deno.test("a formData parameter of Swagger 2.0 is one field with a collectionFormat", () => {
  const integers: SimpleSchema = { type: "array", items: { type: "integer" } };
  assert.deepEqual(field({ formats: [] }, integers, "f=1,2&g=3"), [1, 2]);
  assert.deepEqual(field({ formats: ["multi"] }, integers, "f=1&f=2"), [1, 2]);
  assert.deepEqual(field({ formats: ["ssv"] }, integers, "f=1+2%203"), [1, 2, 3]);
  assert.equal(field({ formats: [] }, { type: "integer" }, "f=5&f=6"), 5);
  assert.equal(field({ formats: [] }, integers, "g=1"), undefined);
});

Deno.test("a formData parameter of Swagger 2.0 can be a part of a multipart body", () => {
  const body = '--B\r\nContent-Disposition: form-data; name="f"\r\n\r\n1|2\r\n' +
    '--B\r\nContent-Disposition: form-data; name="g"; filename="x"\r\n\r\n7\r\n--B--\r\n';
  const contentType = "multipart/form-data; boundary=B";
  const integers: SimpleSchema = { type: "array", items: { type: "integer" } };
  assert.deepEqual(field({ formats: ["pipes"] }, integers, body, contentType), [1, 2]);
  const fields = readForm(body, contentType);
  assert(typeof fields === "object");
  const decodeFile = compileFormField({ name: "g", shape: makeShape({}), formats: [] });
  assert.equal(decodeFile(fields)?.value, "7");
});
