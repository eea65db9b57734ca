import assert from "node:assert/strict";
import { CoverageMap, type Finding, type HttpResponse, type Report } from "../../mod.ts";
import { jsonContent, shopApi } from "../shop_api.ts";

const BOOK = {
  type: "object",
  required: ["id", "title", "secret"],
  properties: {
    id: { type: "integer", readOnly: true },
    title: { type: "string", maxLength: 5 },
    secret: { type: "string", writeOnly: true },
  },
};

const DESCRIPTION = shopApi({
  "/books": {
    get: {
      responses: {
        200: {
          description: "Books",
          headers: { "X-Total": { required: true, schema: { type: "integer", maximum: 10 } } },
          ...jsonContent({ type: "array", items: { $ref: "#/components/schemas/Book" } }),
        },
        404: { description: "None" },
        default: {
          description: "Failure",
          content: { "application/json": { schema: { required: ["code"] } } },
        },
      },
    },
    head: {
      responses: {
        200: { description: "Books", content: { "application/json": { schema: BOOK } } },
      },
    },
  },
}, { components: { schemas: { Book: BOOK } } });

const RESPONSE = "/paths/~1books/get/responses/200";
const JSON_HEADERS = { "Content-Type": "application/json", "x-total": "2" };

function measure(
  responses: readonly HttpResponse[],
  description: object = DESCRIPTION,
  method = "GET",
): Report {
  const map = CoverageMap.fromDict(description);
  responses.forEach((response, index) =>
    map.record({ method, url: "/books" }, { status_code: 200, ...response }, 100 + index)
  );
  return map.report();
}

/** A response to GET /books with status 200 and a JSON body. */
function json(body: unknown, more: HttpResponse = {}): HttpResponse {
  return { headers: JSON_HEADERS, body: JSON.stringify(body), ...more };
}

/** The findings in short: kind, rule or name, count, status and place. */
function said({ findings = [] }: Report): string[] {
  return findings.map((finding: Finding) => {
    const { kind, count, example } = finding;
    const about = "schema_path" in finding
      ? finding.schema_path.replace(RESPONSE, "…").replace("/components/schemas", "…")
      : "media_type" in finding
      ? `${finding.status_code} ${finding.media_type}`
      : "";
    return `${kind} ${about} ${count} ${example?.status_code} ${example?.instance ?? "-"}`;
  });
}

Deno.test("a response body is judged by the schema for its status and media type", () => {
  const report = measure([json([{ id: 1, title: "It" }])]);
  assert.deepEqual(said(report), []);
  assert.deepEqual(report.summary.response_keywords, {
    seen: 10,
    violated: 0,
    total: 11,
    percent: 1000 / 11,
    measured: true,
  });
  const [media] = report.operations[0]?.responses[0]?.media_types ?? [];
  assert.equal(media?.media_type, "application/json");
  assert.deepEqual([media?.hits, media?.keyword_total], [1, 8]);
  assert.deepEqual(
    media?.keywords.map(({ schema_path, seen }) => [schema_path.split("/").slice(-2), seen].flat()),
    [
      ["Book", "type", 1],
      ["Book", "required", 1],
      ["Book", "properties", 1],
      ["id", "type", 1],
      ["title", "type", 1],
      ["title", "maxLength", 1],
      ["schema", "type", 1],
      ["schema", "items", 1],
    ],
  );
});

Deno.test("keywords that a response violates are findings with the place, but not the value", () => {
  const report = measure([
    json([{ id: 1, title: "Too long" }, { id: "secret", title: "It" }]),
    json([{ id: 1, title: "Much too long" }]),
  ]);
  assert.deepEqual(said(report), [
    "response_violates_schema …/Book/properties/id/type 1 200 /1/id",
    "response_violates_schema …/Book/properties/title/maxLength 2 200 /0/title",
  ]);
  assert.equal(report.summary.response_keywords?.violated, 2);
  assert.ok(!JSON.stringify(report).includes('secret"'));
  assert.equal(report.findings?.[1]?.first_at, 100);
});

Deno.test("writeOnly properties aren't expected in responses, and don't count if they are there", () => {
  const report = measure([json([{ id: 1, title: "It", secret: 5 }])]);
  assert.deepEqual(said(report), []);
  const paths = JSON.stringify(report.operations[0]?.responses);
  assert.ok(!paths.includes("properties/secret") && paths.includes("properties/id"));
});

Deno.test("response headers are decoded, and required ones must be present", () => {
  const { headers } = json([]);
  const report = measure([
    json([], { headers: { ...headers, "x-total": "12" } }),
    json([], { headers: { "content-type": "application/json" } }),
    json([], { headers: undefined }),
  ]);
  assert.deepEqual(said(report), [
    "response_violates_schema …/headers/X-Total/required 1 200 -",
    "response_violates_schema …/headers/X-Total/schema/maximum 1 200 ",
  ]);
  const [total] = report.operations[0]?.responses[0]?.headers ?? [];
  assert.deepEqual([total?.header, total?.required, total?.hits], ["X-Total", true, 1]);
});

Deno.test("response bodies that aren't documented are findings", () => {
  const html = { headers: { "content-type": "Text/HTML; charset=utf-8" }, body: "<" };
  const total = { headers: { ...html.headers, "x-total": "1" } };
  const report = measure([
    { ...html, ...total },
    { ...html, status_code: 404 },
    { ...html, ...total, body_truncated: true },
  ]);
  assert.deepEqual(said(report), [
    "undocumented_media_type 200 text/html 2 200 -",
    "undocumented_body 404 text/html 1 404 -",
  ]);
});

Deno.test("the text of a redirect needs no documentation where none of its bodies has", () => {
  const found = (location: object, contentType: string) =>
    said(measure(
      [{ status_code: 302, headers: { "content-type": contentType }, body: "Found" }],
      shopApi({ "/books": { get: { responses: { 302: { description: "Moved", ...location } } } } }),
    ));
  assert.deepEqual(found({}, "text/html; charset=utf-8"), []);
  assert.deepEqual(found({}, "application/json"), [
    "undocumented_body 302 application/json 1 302 -",
  ]);
  assert.deepEqual(found(jsonContent({}), "text/html"), [
    "undocumented_media_type 302 text/html 1 302 -",
  ]);
});

Deno.test("an undocumented body without a Content-Type is a finding without a media type", () => {
  const { findings = [] } = measure([{ status_code: 404, headers: {}, body: "{}" }]);
  const found = findings.find(({ kind }) => kind === "undocumented_body");
  const request = { method: "GET", url: "/books" };
  assert.deepEqual(found?.example, { status_code: 404, request });
});

Deno.test("a body is judged even if the recording has no header fields", () => {
  const report = measure([{ status_code: 200, body: '[{"id":1,"title":"Too long"}]' }]);
  const found = report.findings?.find(({ kind }) => kind === "response_violates_schema");
  assert.match(said({ ...report, findings: found ? [found] : [] }).join(), /maxLength 1 200/);
});

Deno.test("a null body counts as no body, even with a Content-Type", () => {
  const report = measure([json([{ id: 1, title: "It" }]), { headers: JSON_HEADERS, body: null }]);
  const [media] = report.operations[0]?.responses[0]?.media_types ?? [];
  assert.deepEqual([media?.hits, media?.not_recorded], [1, undefined]);
});

Deno.test("a diagnostic reports a pattern that takes too long to match in a response", () => {
  const schema = { type: "string", pattern: "^(a|aa)+\\1b$" };
  const body = JSON.stringify("a".repeat(60));
  const report = measure(
    [{ headers: JSON_HEADERS, body }],
    answering({ "application/json": { schema } }),
  );
  assert.deepEqual(report.diagnostics.map(({ code }) => code), ["pattern_unjudged"]);
});

Deno.test("findings about response headers name the header", () => {
  const { findings = [] } = measure([{
    headers: { ...JSON_HEADERS, "x-total": "11" },
    body: "[]",
  }]);
  const found = findings.filter(({ kind }) => kind === "response_violates_schema");
  assert.deepEqual(
    found.map((one) => [Reflect.get(one, "header"), Reflect.get(one, "media_type")]),
    [["X-Total", undefined]],
  );
});

Deno.test("bodies that don't parse, are truncated or partial are counted separately", () => {
  const cut = { body_truncated: true, body: '[{"id":' };
  const part = {
    status_code: 206,
    headers: { ...JSON_HEADERS, "content-range": "bytes 0-1/9" },
    body: "[{",
  };
  const report = measure([
    { headers: JSON_HEADERS, body: "[" },
    { headers: JSON_HEADERS, ...cut },
    part,
    { headers: { ...JSON_HEADERS, "content-encoding": "gzip" }, body: new Uint8Array([1, 2]) },
  ]);
  assert.deepEqual(said(report).slice(0, 1), [
    "response_violates_schema …/content/application~1json 1 200 -",
  ]);
  const [media] = report.operations[0]?.responses[0]?.media_types ?? [];
  assert.deepEqual([media?.hits, media?.malformed, media?.not_recorded], [3, 1, 2]);
  const [error] = report.operations[0]?.responses[2]?.media_types ?? [];
  assert.deepEqual([error?.hits, error?.not_recorded], [1, 1]);
});

Deno.test("responses without bodies are not measured, and reports leave them out", () => {
  const headers = { "x-total": "1" };
  const report = measure([
    { headers },
    { headers, body: "" },
    { headers, body: null },
    { headers, body_truncated: true },
  ]);
  assert.deepEqual(report.summary.response_keywords, {
    seen: 0,
    violated: 0,
    total: null,
    percent: null,
    measured: false,
  });
  assert.equal(report.operations[0]?.summary.response_keywords, undefined);
  assert.equal(report.operations[0]?.responses[0]?.media_types, undefined);
});

Deno.test("no body is expected in responses to HEAD and with status 204 or 304", () => {
  const cut = { headers: JSON_HEADERS, body_truncated: true };
  assert.deepEqual(said(measure([cut, cut], DESCRIPTION, "HEAD")), []);
  const report = measure([204, 304].map((status_code) => ({ ...cut, status_code })));
  const [error] = report.operations[0]?.responses[2]?.media_types ?? [];
  assert.deepEqual([error, said(report)], [undefined, []]);
});

/** The keywords of the only media type, with their counts. */
function seenKeywords(report: Report): Record<string, number> {
  const [media] = report.operations[0]?.responses[0]?.media_types ?? [];
  return Object.fromEntries(
    media?.keywords.map(({ schema_path, seen }) => [
      schema_path.slice(schema_path.indexOf("chema/") + 6),
      seen,
    ]) ?? [],
  );
}

function answering(content: object, openapi = "3.2.0"): object {
  const responses = { 200: { description: "Fine", content } };
  return {
    openapi,
    info: { title: "Shop", version: "1" },
    paths: { "/books": { get: { responses } } },
  };
}

Deno.test("events and lines that arrived complete count, even if the stream broke off", () => {
  const itemSchema = { properties: { data: { type: "string", maxLength: 2 } } };
  for (
    const [type, whole, part] of [
      ["text/event-stream", "data: ab\n\nretry: 5\ndata: c\n\n", "data: too long"],
      ["application/x-ndjson", '{"data":"ab"}\n{"data":"c"}\n', '{"data":"too lo'],
    ] as const
  ) {
    const api = answering({ [type]: { itemSchema } });
    const headers = { "content-type": type };
    const report = measure([{ headers, body: whole + part, body_truncated: true }], api);
    assert.deepEqual(said(report), []);
    assert.deepEqual(seenKeywords(report), {
      properties: 2,
      "properties/data/type": 2,
      "properties/data/maxLength": 2,
    }, type);
    assert.equal(report.summary.response_keywords?.total, 3);
    // A truncated body that is compressed can't be split into lines.
    const encoded = { ...headers, "content-encoding": "gzip" };
    const body = new TextEncoder().encode(whole + part);
    const cut = { headers: encoded, body, body_truncated: true };
    const packed = measure([{ headers, body: whole }, cut], api);
    const [media] = packed.operations[0]?.responses[0]?.media_types ?? [];
    assert.deepEqual([media?.hits, media?.not_recorded], [2, 1], type);
  }
});

Deno.test("a schema of lines that allows no list describes each line", () => {
  const schema = { type: "object", required: ["id"], properties: { id: { type: "integer" } } };
  const type = "application/x-ndjson";
  const headers = { "content-type": type };
  const responses = { 200: { description: "Fine", schema } };
  const swagger = {
    swagger: "2.0",
    info: { title: "Shop", version: "1" },
    paths: { "/books": { get: { produces: ["application/json", type], responses } } },
  };
  for (
    const api of [
      swagger,
      ...["3.0.3", "3.1.0", "3.2.0"].map((openapi) => answering({ [type]: { schema } }, openapi)),
      answering({ "*/*": { schema } }),
    ]
  ) {
    const body = '{"id":1}\n{"id":"a"}\n';
    const report = measure([{ headers, body }], api);
    assert.deepEqual(seenKeywords(report), {
      type: 2,
      required: 2,
      properties: 2,
      "properties/id/type": 2,
    });
    assert.deepEqual(said(report).length, 1);
    assert.match(said(report)[0] ?? "", /schema\/properties\/id\/type/);
  }
  // One that allows lists describes all lines together, and one of texts the body as it is.
  const list = { type: ["object", "array"], maxItems: 1 };
  const text = { type: "string", maxLength: 3 };
  for (
    const [schema, body, rule] of [[list, "1\n2\n", "maxItems"], [text, "1\n2\n", "maxLength"]]
  ) {
    const report = measure([{ headers, body: String(body) }], answering({ [type]: { schema } }));
    assert.match(said(report).join(), new RegExp(`^[^,]*schema/${rule}`));
  }
});

Deno.test("a schema of events that allows no text is not for the stream, so it is not measured", () => {
  const type = "text/event-stream";
  const schema = { type: "object", properties: { id: { type: "integer" } } };
  const body = 'data: {"id":1}\n\ndata: [DONE]\n\n';
  const report = measure(
    [{ headers: { "content-type": type }, body }],
    answering({ [type]: { schema } }, "3.0.3"),
  );
  assert.deepEqual(said(report), []);
  const [media] = report.operations[0]?.responses[0]?.media_types ?? [];
  assert.deepEqual([media?.hits, media?.keyword_total, media?.unsupported], [1, 0, true]);
  const [problem] = report.diagnostics;
  assert.equal(problem?.code, "response_not_decoded");
  assert.match(problem.message, /server-sent events as a text or by `itemSchema`/);
});

Deno.test("a list's schema of events is for all of them if there is one of each, too", () => {
  const type = "text/event-stream";
  const itemSchema = { required: ["data"] };
  const body = "data: a\n\ndata: b\n\n";
  const report = measure(
    [{ headers: { "content-type": type }, body }],
    answering({ [type]: { schema: { type: "array", maxItems: 1 }, itemSchema } }),
  );
  assert.deepEqual(seenKeywords(report), { type: 1, maxItems: 1, required: 2 });
  assert.match(said(report).join(), /^[^,]*schema\/maxItems/);
  assert.equal(report.summary.response_keywords?.total, 3);
});

Deno.test("text and forms are decoded, and bodies of other media types cause a diagnostic", () => {
  const text = measure(
    [{ headers: { "content-type": "text/csv" }, body: "a,b,c" }],
    answering({ "text/csv": { schema: { type: "string", maxLength: 3 } } }),
  );
  assert.deepEqual(seenKeywords(text), { maxLength: 1 });
  const form = "application/x-www-form-urlencoded";
  const pairs = measure(
    [{ headers: { "content-type": form }, body: "a=1" }],
    answering({ [form]: { schema: { properties: { a: { type: "integer" } } } } }),
  );
  assert.deepEqual(seenKeywords(pairs), { properties: 1, "properties/a/type": 1 });
  const zip = answering({ "application/zip": { schema: { type: "object" } } });
  const report = measure([{ headers: { "content-type": "application/zip" }, body: "PK" }], zip);
  const [media] = report.operations[0]?.responses[0]?.media_types ?? [];
  assert.deepEqual([media?.hits, media?.keyword_total, media?.unsupported], [1, 0, true]);
  assert.ok(report.diagnostics.some(({ code }) => code === "response_not_decoded"));
  assert.deepEqual(measure([{}], zip).diagnostics, []);
});

Deno.test("XML is decoded by the schema, and findings have the place within the value", () => {
  const tag = { type: "string", maxLength: 3, xml: { name: "tag" } };
  const schema = {
    type: "object",
    properties: { tags: { type: "array", xml: { wrapped: true }, items: tag } },
    additionalProperties: false,
  };
  const api = answering({ "application/xml": { schema } });
  const headers = { "content-type": "application/xml" };
  const good = "<r><tags><tag>abc</tag></tags></r>";
  assert.deepEqual(measure([{ headers, body: good }], api).findings, []);
  const bodies = ["<r><tags><tag>abc</tag><tag>abcd</tag></tags></r>", "<r><other/></r>", "<r>"];
  const report = measure(bodies.map((body) => ({ headers, body })), api);
  const rule = "response_violates_schema …/content/application~1xml";
  assert.deepEqual(said(report).toSorted(), [
    `${rule} 1 200 -`, // the body that isn't well-formed
    `${rule}/schema/additionalProperties 1 200 /*`,
    `${rule}/schema/properties/tags/items/maxLength 1 200 /tags/1`,
  ]);
});

Deno.test("Swagger 2.0 has one schema for all media types, and headers that are schemas themselves", () => {
  const report = measure([
    { headers: { "content-type": "application/json", "X-Ids": "1,x" }, body: '{"name":5}' },
    { headers: { "content-type": "text/html" }, body: "<" },
  ], {
    swagger: "2.0",
    info: { title: "Shop", version: "1" },
    produces: ["application/json", "application/xml"],
    paths: {
      "/books": {
        get: {
          responses: {
            200: {
              description: "Fine",
              schema: { $ref: "#/definitions/Book" },
              headers: { "X-Ids": { type: "array", items: { type: "integer" } } },
            },
          },
        },
      },
    },
    definitions: { Book: { properties: { name: { type: "string" } } } },
  });
  assert.equal(
    report.operations[0]?.responses[0]?.media_types?.[0]?.media_type,
    "application/json, application/xml",
  );
  assert.deepEqual(said(report), [
    "response_violates_schema /definitions/Book/properties/name/type 1 200 /name",
    "response_violates_schema …/headers/X-Ids/items/type 1 200 /1",
    "undocumented_media_type 200 text/html 1 200 -",
  ]);
});

Deno.test("hostile bodies are counted without an error", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const list = { type: "array", items: { $ref: "#" } };
  const api = {
    ...answering({ "application/json": { schema: { $ref: "#/components/schemas/List" } } }),
    components: { schemas: { List: { ...list, items: { $ref: "#/components/schemas/List" } } } },
  };
  const bodies: unknown[] = [
    deep,
    "\0",
    "null",
    '"[Filtered]"',
    "[Filtered]",
    '{"__proto__":{"a":1}}',
    new Uint8Array([0xff, 0xfe, 0x00]),
    new Uint8Array([0xef, 0xbb, 0xbf, 0x5b, 0x5d]),
    { parsed: "by somebody" },
    7,
  ];
  const report = measure(
    bodies.map((body) => ({ headers: JSON_HEADERS, body: body as string })),
    api,
  );
  const [media] = report.operations[0]?.responses[0]?.media_types ?? [];
  assert.deepEqual([media?.hits, media?.malformed, media?.not_recorded], [10, 2, 2]);
  const codes = report.diagnostics.map(({ code }) => code);
  assert.ok(codes.includes("nested_too_deep") && codes.includes("value_replaced"));
});

Deno.test("excluded parts of responses neither count nor cause findings", () => {
  const { paths } = DESCRIPTION;
  const responses = paths["/books"].get.responses;
  const excluding = (title: object, response: object = {}): object => ({
    ...DESCRIPTION,
    paths: {
      "/books": { get: { responses: { ...responses, 200: { ...responses[200], ...response } } } },
    },
    components: {
      schemas: {
        Book: {
          ...BOOK,
          properties: { ...BOOK.properties, title: { ...BOOK.properties.title, ...title } },
        },
      },
    },
  });
  const mark = { "x-covtool-ignore": "not ours" };
  const body = json([{ id: 1, title: "Too long" }]);
  const counts = ({ summary: { response_keywords } }: Report) => [
    response_keywords?.seen,
    response_keywords?.violated,
    response_keywords?.total,
  ];
  assert.deepEqual(counts(measure([body], excluding({}))), [10, 1, 11]);
  const schema = measure([body], excluding(mark));
  assert.deepEqual([counts(schema), said(schema)], [[8, 0, 9], []]);
  const response = measure([body], excluding({}, mark));
  assert.deepEqual([counts(response), said(response)], [[0, 0, 1], []]);
});

/** The findings of a response under schemas that no value meets. */
function refused(schema: unknown, exclude: readonly string[] = []): string[] {
  const content = { "application/json": { schema } };
  const headers = { "X-Total": { schema } };
  const map = CoverageMap.fromDict(
    shopApi({
      "/books": { get: { responses: { 200: { description: "Books", content, headers } } } },
    }, { components: { schemas: { Never: false } } }),
    { exclude },
  );
  const body = '{"a":1}';
  map.record({ method: "GET", url: "/books" }, { status_code: 200, headers: JSON_HEADERS, body });
  return map.findings().map((finding) =>
    finding.kind === "response_violates_schema"
      ? finding.schema_path + (finding.malformed === true ? " malformed" : "")
      : finding.kind
  );
}

Deno.test("a value under the schema `false` violates the schema, and isn't malformed", () =>
  assert.deepEqual(refused(false), [
    `${RESPONSE}/content/application~1json/schema`,
    `${RESPONSE}/headers/X-Total/schema`,
  ]));

Deno.test("findings name a reference to the schema `false`, also if something is excluded", () => {
  const named = [
    `${RESPONSE}/content/application~1json/schema/$ref`,
    `${RESPONSE}/headers/X-Total/schema/$ref`,
  ];
  const never = { $ref: "#/components/schemas/Never" };
  assert.deepEqual(refused(never), named);
  assert.deepEqual(refused(never, ["response:5XX"]), named);
});
