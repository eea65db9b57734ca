import assert from "node:assert/strict";
import { compileBody, type DecodedBody } from "../../src/http/body.ts";
import { CoveragePlan } from "../../src/map/coverage_plan.ts";
import { loadFromDict } from "../../src/openapi/load.ts";
import { createReferences, readModel } from "../../src/openapi/read_model.ts";

/** Decodes an XML body with a schema in a description. */
function decode(
  schema: object,
  body: string | Uint8Array,
  { components = {}, version = "3.1.0", contentType = "application/xml" } = {},
): DecodedBody {
  const operation = version === "2.0"
    ? { consumes: ["application/xml"], parameters: [{ name: "b", in: "body", schema }] }
    : { requestBody: { content: { "application/xml": { schema } } } };
  const documents = loadFromDict({
    ...(version === "2.0"
      ? { swagger: "2.0", definitions: components }
      : { openapi: version, components: { schemas: components } }),
    info: { title: "T", version: "1" },
    paths: { "/a": { post: { ...operation, responses: {} } } },
  });
  const references = createReferences(documents);
  const plan = new CoveragePlan(readModel(documents, references), documents, references);
  const parameter = plan.operations[0]?.parameters[0];
  assert(parameter !== undefined);
  return compileBody({ shape: parameter.shape, properties: {} })(body, contentType);
}

function decoded(...given: Parameters<typeof decode>): unknown {
  const result = decode(...given);
  assert(typeof result === "object", String(result));
  return result.value;
}

const object = (properties: object): object => ({ type: "object", properties });
const string = { type: "string" };
const integer = { type: "integer" };

Deno.test("elements are properties by local name, and the name of the root is ignored", () => {
  const schema = object({ id: integer, name: string });
  for (const root of ["pet", "anything", "p:pet"]) {
    const xml = `<?xml version="1.0"?>\n<${root}>\n <id>5</id>\n <n:name>5</n:name>\n</${root}>\n`;
    assert.deepEqual(decoded(schema, xml), { id: 5, name: "5" });
  }
});

Deno.test("`name` and `attribute` say where a property is, and prefixes are ignored", () => {
  const schema = object({
    id: { type: "integer", xml: { attribute: true } },
    title: { type: "string", xml: { name: "dc:Title", namespace: "urn:dc", prefix: "dc" } },
    kind: { type: "string", xml: { name: "xsi:type", attribute: true } },
  });
  const xml =
    '<a id="7" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:type="k"><Title>t</Title></a>';
  assert.deepEqual(decoded(schema, xml), { id: 7, kind: "k", title: "t" });
  // Elements and attributes in another place than the schema says aren't the property.
  assert.deepEqual(decoded(schema, '<a title="t"><id>7</id><title>t</title></a>'), {});
});

Deno.test("prefixes in the names of properties are ignored as well", () => {
  const schema = object({
    "xml:lang": { type: "string", xml: { attribute: true } },
    "soap:Body": object({ "m:id": integer }),
    "m:tag": { type: "array", items: string },
  });
  const xml = '<a xml:lang="de"><s:Body><id>7</id></s:Body><m:tag>x</m:tag><m:tag>y</m:tag></a>';
  assert.deepEqual(decoded(schema, xml), {
    "xml:lang": "de",
    "soap:Body": { "m:id": 7 },
    "m:tag": ["x", "y"],
  });
});

Deno.test("an attribute may have the property's own name if only a component names it", () => {
  const schema = object({ a: { $ref: "#/components/schemas/Id" }, id: integer });
  const named = { Id: { ...integer, xml: { name: "id", attribute: true } } };
  assert.deepEqual(decoded(schema, '<r id="7"><id>8</id></r>', { components: named }), {
    a: 7,
    id: 8,
  });
  assert.deepEqual(decoded(schema, '<r a="7"/>', { components: named }), { a: 7 });
  assert.deepEqual(decoded(object({ a: named.Id }), '<r a="7"/>'), {});
  const taken = object({
    a: { $ref: "#/components/schemas/Id" },
    b: { ...string, xml: { name: "a", attribute: true } },
  });
  assert.deepEqual(decoded(taken, '<r a="7"/>', { components: named }), { b: "7" });
  const latest = {
    components: { Id: { ...integer, xml: { nodeType: "attribute" } } },
    version: "3.2.0",
  };
  assert.deepEqual(decoded(schema, '<r a="7"/>', latest), { a: 7 });
  assert.deepEqual(decoded(schema, '<r Id="7"/>', latest), { a: 7 });
});

Deno.test("repeated elements are a list if the types allow one, otherwise the first counts", () => {
  const schema = object({ n: { type: "array", items: integer }, s: string });
  assert.deepEqual(decoded(schema, "<a><n>1</n><s>x</s><n>2</n><s>y</s></a>"), {
    n: [1, 2],
    s: "x",
  });
  assert.deepEqual(decoded(schema, "<a><n>1</n></a>"), { n: [1] });
  const either = object({ n: { type: ["array", "integer"] } });
  assert.deepEqual(decoded(either, "<a><n>1</n></a>"), { n: 1 });
  assert.deepEqual(decoded(either, "<a><n>1</n><n>2</n></a>"), { n: ["1", "2"] });
});

Deno.test("all children of a wrapper element are items", () => {
  const tags = {
    type: "array",
    xml: { wrapped: true, name: "tagList" },
    items: { type: "string", xml: { name: "tag" } },
  };
  const schema = object({ tags });
  assert.deepEqual(decoded(schema, "<a><tagList>\n<tag>x</tag><other>y</other></tagList></a>"), {
    tags: ["x", "y"],
  });
  assert.deepEqual(decoded(schema, "<a><tagList/></a>"), { tags: [] });
  assert.deepEqual(decoded(schema, "<a><tagList>text</tagList></a>"), { tags: "text" });
  assert.deepEqual(decoded({ type: "array", items: integer }, "<a><b>1</b><c>2</c></a>"), [1, 2]);
  const lists = { type: "array", items: { type: "array", items: integer } };
  assert.deepEqual(decoded(lists, "<a><b><c>1</c><c>2</c></b><b/></a>"), [[1, 2], []]);
});

Deno.test("items without a wrapper have the name of their schema, of the list, or of the property", () => {
  const list = (more: object, items: object = string) =>
    object({ tags: { type: "array", items, ...more } });
  const named = { type: "string", xml: { name: "tag" } };
  const two = (name: string) => `<a><${name}>x</${name}><${name}>y</${name}></a>`;
  const read = { tags: ["x", "y"] };
  assert.deepEqual(decoded(list({}, named), two("tag")), read);
  assert.deepEqual(decoded(list({ xml: { name: "T" } }), two("T")), read);
  assert.deepEqual(decoded(list({ xml: { name: "T" } }), two("tags")), read);
  assert.deepEqual(decoded(list({}), two("tags")), read);
  // Some descriptions expect a wrapper without declaring it.
  assert.deepEqual(decoded(list({}, named), "<a><tags><tag>x</tag><tag>y</tag></tags></a>"), read);
  assert.deepEqual(decoded(list({}, named), "<a><tags/></a>"), { tags: [] });
  assert.deepEqual(
    decoded(list({ xml: { wrapped: false } }, named), "<a><tags><tag>x</tag></tags></a>"),
    {},
  );
});

Deno.test("names are found through references and allOf, the nearest first, in every version", () => {
  for (const version of ["2.0", "3.0.3", "3.1.0"]) {
    const at = version === "2.0" ? "#/definitions/" : "#/components/schemas/";
    const tag = { $ref: `${at}Tag` };
    const components = {
      Tag: { type: "object", properties: { id: integer }, xml: { name: "tag" } },
      Parts: { type: "array", items: integer, xml: { wrapped: false } },
    };
    const properties = {
      one: { allOf: [tag, { xml: { name: "First" } }] },
      other: tag,
      parts: { allOf: [{ $ref: `${at}Parts` }, { xml: { name: "Part" } }] },
    };
    const schema = object(properties);
    const options = { components, version };
    const read = { one: { id: 1 }, other: { id: 2 }, parts: [3] };
    for (const name of ["tag", "other"]) {
      const xml = `<a><First><id>1</id></First><${name}><id>2</id></${name}><Part>3</Part></a>`;
      assert.deepEqual(decoded(schema, xml, options), read);
    }
    assert.deepEqual(decoded(schema, "<a><one><id>1</id></one></a>", options), {});
  }
});

Deno.test("S3's own description decodes real S3 requests", () => {
  // As generated from AWS's models: names beside references, undeclared wrappers, `attribute` on an object.
  const ref = (name: string, xml?: object) => ({
    allOf: [{ $ref: `#/components/schemas/${name}` }, xml === undefined ? {} : { xml }],
  });
  const components = {
    Parts: { type: "array", items: ref("Part"), xml: { wrapped: false } },
    Part: object({ PartNumber: integer }),
    Grants: { type: "array", items: ref("Grant", { name: "Grant" }) },
    Grant: object({ Grantee: ref("Grantee") }),
    Grantee: {
      type: "object",
      properties: { ID: string, Type: ref("Type", { name: "xsi:type" }) },
      xml: { namespace: "http://www.w3.org/2001/XMLSchema-instance", attribute: true },
    },
    Type: string,
  };
  const document = (name: string, properties: object) => object({ [name]: object(properties) });
  const options = { components, version: "3.0.0" };
  const xmlns = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  assert.deepEqual(
    decoded(
      document("CompleteMultipartUpload", { Parts: ref("Parts", { name: "Part" }) }),
      `<CompleteMultipartUpload ${xmlns}>
        <Part><PartNumber>1</PartNumber></Part><Part><PartNumber>2</PartNumber></Part>
      </CompleteMultipartUpload>`,
      options,
    ),
    { CompleteMultipartUpload: { Parts: [{ PartNumber: 1 }, { PartNumber: 2 }] } },
  );
  assert.deepEqual(
    decoded(
      document("AccessControlPolicy", { Grants: ref("Grants", { name: "AccessControlList" }) }),
      `<AccessControlPolicy ${xmlns}><AccessControlList><Grant>
        <Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="Group"><ID>i</ID></Grantee>
      </Grant></AccessControlList></AccessControlPolicy>`,
      options,
    ),
    { AccessControlPolicy: { Grants: [{ Grantee: { Type: "Group", ID: "i" } }] } },
  );
});

Deno.test("a schema that describes the whole document has the root element as its only property", () => {
  const inner = object({ Part: { type: "array", items: integer } });
  const schema = object({ Upload: inner });
  assert.deepEqual(decoded(schema, "<Upload><Part>1</Part></Upload>"), { Upload: { Part: [1] } });
  assert.deepEqual(decoded(schema, "<root><Upload><Part>1</Part></Upload></root>"), {
    Upload: { Part: [1] },
  });
  const component = { $ref: "#/components/schemas/Any" };
  const components = { Any: schema };
  assert.deepEqual(decoded(component, "<Upload><Part>1</Part></Upload>", { components }), {
    Part: "1",
  });
});

Deno.test("text is read by the scalar types, untrimmed, and never as null", () => {
  const schema = object({
    n: { type: ["number", "null"] },
    b: { type: "boolean" },
    s: string,
    any: {},
  });
  assert.deepEqual(decoded(schema, "<a><n>1.5</n><b>true</b><s> x\r\n</s><any>1</any></a>"), {
    n: 1.5,
    b: true,
    s: " x\n",
    any: "1",
  });
  assert.deepEqual(
    decoded(schema, "<a><n> 1</n><b>1</b><s>&lt;&#x41;<![CDATA[&]]><!-- - -->b</s></a>"),
    { n: " 1", b: "1", s: "<A&b" },
  );
  assert.deepEqual(decoded(schema, "<a><n>null</n><s/></a>"), { n: "null", s: "" });
});

Deno.test("an empty element is an empty string, object or list, depending on its types", () => {
  const schema = object({
    s: string,
    n: integer,
    o: { type: "object" },
    l: { type: "array", xml: { wrapped: true }, items: {} },
    any: {},
    so: { type: ["string", "object"] },
  });
  assert.deepEqual(decoded(schema, "<a><s/><n></n><o> </o><l>\n</l><any/><so/></a>"), {
    s: "",
    n: "",
    o: {},
    l: [],
    any: "",
    so: "",
  });
  assert.deepEqual(decoded({ type: "object" }, "<a/>"), {});
});

Deno.test("xsi:nil is null if the types include it", () => {
  const nil = (name: string) =>
    `<${name} x:nil="1" xmlns:x="http://www.w3.org/2001/XMLSchema-instance"/>`;
  const schema = object({
    a: { type: ["string", "null"] },
    b: string,
    c: { type: ["array", "null"], items: {} },
    d: { anyOf: [{ type: "object" }, { type: "null" }] },
  });
  assert.deepEqual(decoded(schema, `<r>${["a", "b", "c", "d"].map(nil).join("")}</r>`), {
    a: null,
    b: "",
    c: null,
    d: null,
  });
  const nullable = object({ a: { type: "string", nullable: true } });
  assert.deepEqual(decoded(nullable, '<r><a xsi:nil="true"/></r>', { version: "3.0.0" }), {
    a: null,
  });
});

Deno.test("an element or attribute that the schema doesn't know is a property with its local name", () => {
  const schema = { type: "object", properties: { a: string }, additionalProperties: integer };
  assert.deepEqual(
    decoded(
      schema,
      '<r p:x="1" xmlns:p="urn:p" xsi:schemaLocation="l"><a>s</a><p:y>2</p:y><z><q/></z></r>',
    ),
    { x: 1, a: "s", y: 2, z: { q: "" } },
  );
  const hostile = decoded({}, "<r><__proto__>1</__proto__></r>");
  assert.deepEqual(Object.keys(hostile as object), ["__proto__"]);
});

Deno.test("an element with text beside elements is a string, and attributes of scalars are ignored", () => {
  const schema = object({ o: object({ a: string }), n: integer, s: string });
  assert.deepEqual(
    decoded(schema, '<r><o>text<a>x</a></o><n unit="cm">5</n><s lang="en">x</s></r>'),
    { o: "text", n: 5, s: "x" },
  );
  assert.deepEqual(decoded(schema, "<r>plain</r>"), "plain");
  assert.deepEqual(decoded(schema, "<r><s><b>x</b></s></r>"), { s: { b: "x" } });
});

Deno.test("nodeType of OpenAPI 3.2 is supported, and components give elements their names", () => {
  const components = { Owner: object({ id: integer }) };
  const schema = object({
    unit: { type: "string", xml: { nodeType: "attribute" } },
    amount: { type: "number", xml: { nodeType: "text" } },
    tags: { type: "array", xml: { nodeType: "element" }, items: string },
    owner: { $ref: "#/components/schemas/Owner" },
  });
  const options = { version: "3.2.0", components };
  assert.deepEqual(decoded(schema, '<r unit="cm">5</r>', options), { unit: "cm", amount: 5 });
  const untyped = object({ unit: { xml: { nodeType: "attribute" } } });
  assert.deepEqual(decoded(untyped, '<r unit="cm"/>', options), { unit: "cm" });
  assert.deepEqual(
    decoded(schema, "<r><tags><tags>x</tags></tags><Owner><id>1</id></Owner></r>", options),
    { tags: ["x"], owner: { id: 1 } },
  );
  assert.deepEqual(decoded(schema, "<r><owner><id>1</id></owner></r>", options), {
    owner: { id: 1 },
  });
});

Deno.test("alternatives and recursive schemas are followed", () => {
  const ref = { $ref: "#/components/schemas/Node" };
  const components = {
    Node: {
      oneOf: [
        object({ kind: string, child: { type: "array", items: ref } }),
        object({ kind: string, size: { type: "integer", xml: { attribute: true } } }),
      ],
      discriminator: { propertyName: "kind" },
    },
  };
  const xml = '<n><kind>x</kind><child size="1"><kind>y</kind></child><child><child/></child></n>';
  assert.deepEqual(decoded(ref, xml, { components }), {
    kind: "x",
    child: [{ size: 1, kind: "y" }, { child: [{}] }],
  });
});

Deno.test("XML that isn't well-formed or declares a document type is malformed", () => {
  const broken = [
    ...["", "text", "<a>", "<a></b>", "<a/><b/>", "<a b=1/>", '<a b="1" b="2"/>', "<a>&nbsp;</a>"],
    ...["<a>&#0;</a>", "<!DOCTYPE a><a/>", '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ...['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', '{"a":1}'],
  ];
  for (const xml of broken) {
    assert.deepEqual(decode({ type: "object" }, xml), "malformed", xml);
    assert.deepEqual(decode({}, xml), "malformed", xml);
  }
});

Deno.test("XHTML and SVG with a document type are unsupported, not malformed", () => {
  const read = (contentType: string, xml: string) =>
    decode({ type: "object" }, xml, { contentType });
  const page = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "x.dtd"><html>&nbsp;</html>';
  for (const xml of [page, page.toLowerCase(), `<?xml version="1.0"?>\n<!-- a page -->${page}`]) {
    assert.deepEqual(read("application/xhtml+xml; charset=utf-8", xml), "unsupported");
    assert.deepEqual(read("image/svg+xml", xml), "unsupported");
    assert.deepEqual(read("application/xml", xml), "malformed");
  }
  assert.deepEqual(read("application/xhtml+xml", "<html>"), "malformed");
  assert.deepEqual(read("image/svg+xml", "<svg><!DOCTYPE svg></svg>"), "malformed");
  assert.equal(typeof read("image/svg+xml", "<svg/>"), "object");
});

Deno.test("a schema whose only type is string gets the document as text", () =>
  assert.equal(decoded(string, "<a>"), "<a>"));

Deno.test("bytes are decoded by charset, byte order mark or XML declaration", () => {
  const schema = object({ a: string });
  const latin = Uint8Array.from(
    '<?xml version="1.0" encoding="ISO-8859-1"?><r><a>é</a></r>',
    (c) => c.charCodeAt(0),
  );
  const plain = latin.subarray(latin.indexOf(0x3e) + 1);
  assert.deepEqual(decoded(schema, latin), { a: "é" });
  assert.deepEqual(decoded(schema, plain, { contentType: "text/xml; charset=latin1" }), { a: "é" });
  const wide = Uint8Array.from("\ufeff<r><a>é</a></r>", (c) => c.charCodeAt(0)); // the low byte of each character
  const utf16 = new Uint8Array(wide.length * 2);
  wide.forEach((byte, index) => utf16[2 * index] = byte);
  utf16.set([0xff, 0xfe]);
  assert.deepEqual(decoded(schema, utf16), { a: "é" });
  assert.deepEqual(decoded(schema, new TextEncoder().encode("\ufeff<r><a>é</a></r>")), { a: "é" });
});

Deno.test("hostile documents take linear time, and any depth is safe", () => {
  const ref = { $ref: "#/components/schemas/N" };
  const components = {
    N: {
      type: ["object", "array"],
      properties: { c: { anyOf: [ref, { type: "array", items: ref }] } },
    },
  };
  const size = 20_000;
  const hostile: string[] = [
    "<c>".repeat(size) + "</c>".repeat(size),
    `<a ${Array.from({ length: size }, (_, index) => `a${index}="1"`).join(" ")}/>`,
    `<a>${"\r".repeat(size)}${"&amp;".repeat(size)}${"<![CDATA[x]]>".repeat(size)}</a>`,
    `<a>${Array.from({ length: size }, (_, index) => `<a${index}/>`).join("")}</a>`,
    `<a>${"<c/>x".repeat(size)}</a>`,
    "<a>".repeat(size),
    "<".repeat(size),
  ];
  for (const xml of hostile) {
    const start = performance.now();
    decode(ref, xml, { components });
    const elapsed = performance.now() - start;
    assert(elapsed < 3000, `${xml.slice(0, 30)}: ${elapsed} ms`);
  }
});
