import assert from "node:assert/strict";
import { CoverageMap, type Finding, type HttpResponse, type Report } from "../../mod.ts";

const BOOK = {
  type: "object",
  required: ["id", "title", "secret"],
  properties: {
    id: { type: "integer", readOnly: true },
    title: { type: "string", maxLength: 5 },
    secret: { type: "string", writeOnly: true },
  },
};

const DESCRIPTION = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/books": {
      get: {
        responses: {
          200: {
            description: "Books",
            headers: { "X-Total": { required: true, schema: { type: "integer", maximum: 10 } } },
            content: {
              "application/json": {
                schema: { type: "array", items: { $ref: "#/components/schemas/Book" } },
              },
            },
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
  },
  components: { schemas: { Book: BOOK } },
};

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

/** The answer to GET /books with 200 and a body in JSON. */
function json(body: unknown, more: HttpResponse = {}): HttpResponse {
  return { headers: JSON_HEADERS, body: JSON.stringify(body), ...more };
}

/** The findings, each with its kind and what it is about. */
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

Deno.test("a response body is judged by the schema of its status and media type", () => {
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

Deno.test("keywords that a response breaks are findings, with the place but no value", () => {
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

Deno.test("what is writeOnly isn't expected in responses, and counts nowhere if it comes", () => {
  const report = measure([json([{ id: 1, title: "It", secret: 5 }])]);
  assert.deepEqual(said(report), []);
  const paths = JSON.stringify(report.operations[0]?.responses);
  assert.ok(!paths.includes("properties/secret") && paths.includes("properties/id"));
});

Deno.test("headers of responses are decoded, and required ones must be there", () => {
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

Deno.test("bodies that the description lacks are findings", () => {
  const html = { headers: { "content-type": "Text/HTML; charset=utf-8" }, body: "<" };
  const total = { headers: { ...html.headers, "x-total": "1" } };
  const report = measure([
    { ...html, ...total },
    { ...html, status_code: 404 },
    { ...html, ...total, body_truncated: true },
  ]);
  assert.deepEqual(
    said(report),
    [
      "undocumented_media_type 200 text/html 2 200 -",
      "undocumented_body 404 text/html 1 404 -",
      "never_succeeded  3 undefined -",
    ].slice(0, 2),
  );
});

Deno.test("a body that does not parse, is cut, or is part of another counts as such", () => {
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

Deno.test("responses without bodies are not measured, and reports have nothing of them", () => {
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

Deno.test("answers to HEAD and those with 204 or 304 have no body", () => {
  const cut = { headers: JSON_HEADERS, body_truncated: true };
  assert.deepEqual(said(measure([cut, cut], DESCRIPTION, "HEAD")), []);
  const report = measure([204, 304].map((status_code) => ({ ...cut, status_code })));
  const [error] = report.operations[0]?.responses[2]?.media_types ?? [];
  assert.deepEqual([error, said(report)], [undefined, []]);
});
