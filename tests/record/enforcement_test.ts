import assert from "node:assert/strict";
import { CoverageMap, type HttpRequest } from "../../mod.ts";
import { jsonContent, shopApi } from "../shop_api.ts";

const DESCRIPTION = shopApi({
  "/books/{id}": {
    get: {
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "integer" } },
        { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100 } },
        { name: "key", in: "query", required: true, schema: {} },
        { name: "X-Trace", in: "header", required: true, schema: { minLength: 2 } },
      ],
      responses: { 200: { description: "A book" }, 400: { description: "Invalid" } },
    },
  },
  "/books": {
    post: {
      requestBody: {
        required: true,
        ...jsonContent({
          type: "object",
          required: ["title"],
          properties: {
            title: { type: "string", minLength: 1 },
            pages: { type: "integer", minimum: 1 },
          },
          additionalProperties: false,
        }),
      },
      responses: { 201: { description: "Created" } },
    },
  },
});

const BOOK = "/paths/~1books~1{id}/get/parameters";
const BODY = "/paths/~1books/post/requestBody/content/application~1json/schema";
const HEADERS = { "X-Trace": "abc" };

/** Records requests with the statuses of their responses. Returns the evidence for each rule. */
function proven(
  ...interactions: readonly (readonly [request: HttpRequest | string, status: number])[]
): Record<string, string> {
  const map = CoverageMap.fromDict(DESCRIPTION);
  interactions.forEach(([request, status_code], index) => {
    const given = typeof request === "string"
      ? { method: "GET", url: `/books/${request}`, headers: HEADERS }
      : request;
    map.record(given, { status_code }, 100 + index);
  });
  const rules: Record<string, string> = {};
  for (const { parameters } of map.report().operations) {
    for (const { schema_path, keywords, missing } of parameters) {
      const add = (path: string, refused = 0, accepted = 0) => {
        if (refused + accepted > 0) rules[path] = `${refused} refused, ${accepted} accepted`;
      };
      for (const { schema_path, refused, accepted } of keywords) {
        add(schema_path, refused, accepted);
      }
      add(`${schema_path} missing`, missing?.refused, missing?.accepted);
    }
  }
  return rules;
}

function post(body: unknown, contentType = "application/json"): HttpRequest {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { method: "POST", url: "/books", headers: { "Content-Type": contentType }, body: text };
}

Deno.test("a response is evidence for a rule if the request breaks only this rule", () => {
  assert.deepEqual(proven(["1?key=a&limit=500", 400], ["1?key=a&limit=500", 422]), {
    [`${BOOK}/1/schema/maximum`]: "2 refused, 0 accepted",
  });
  assert.deepEqual(proven(["1?key=a&limit=500", 200], ["1?key=a&limit=0", 400]), {
    [`${BOOK}/1/schema/minimum`]: "1 refused, 0 accepted",
    [`${BOOK}/1/schema/maximum`]: "0 refused, 1 accepted",
  });
});

Deno.test("a request that breaks two rules is evidence for neither", () => {
  assert.deepEqual(proven(["a?key=a&limit=500", 400], [post({ title: "", pages: 0 }), 400]), {});
  assert.deepEqual(proven(["1?limit=500", 400]), {}, "a value and a missing parameter");
});

Deno.test("a value of the wrong type isn't evidence for limits that don't apply to it", () =>
  assert.deepEqual(proven(["1?key=a&limit=abc", 400]), {
    [`${BOOK}/1/schema/type`]: "1 refused, 0 accepted",
  }));

Deno.test("statuses with other meanings are evidence for nothing", () => {
  for (const status of [401, 403, 404, 405, 409, 415, 429, 500, 503, 100]) {
    assert.deepEqual(proven(["1?key=a&limit=500", status]), {}, String(status));
  }
  assert.deepEqual(proven([post({}), 415], ["abc?key=a", 415]), {});
});

Deno.test("a request that may belong to an indistinguishable operation is evidence for nothing", () => {
  const found = (otherPath: string, status_code: number) => {
    const named = (name: string, schema: object) => ({
      get: {
        parameters: [{ name, in: "path", required: true, schema }],
        responses: { 200: { description: "Icons" }, 400: { description: "Invalid" } },
      },
    });
    const map = CoverageMap.fromDict(shopApi({
      "/icons/{id}": named("id", { type: "integer" }),
      [otherPath]: named("term", { type: "string" }),
    }));
    for (const path of ["/icons/7", "/icons/cat"]) {
      map.record({ method: "GET", url: path }, { status_code });
    }
    return [map.findings().map(({ kind }) => kind), map.report().summary.enforcement?.enforced];
  };
  assert.deepEqual(found("/icons/{term}", 200), [[], 0]);
  assert.deepEqual(found("/icons/{term}", 400), [["never_succeeded"], 0]);
  assert.deepEqual(found("/terms/{term}", 200), [["keyword_not_enforced"], 0]);
});

Deno.test("404 is evidence for a rule of the path", () =>
  assert.deepEqual(proven(["abc?key=a", 404]), {
    [`${BOOK}/0/schema/type`]: "1 refused, 0 accepted",
  }));

Deno.test("a required parameter that is missing breaks a rule of its own", () => {
  assert.deepEqual(proven(["1", 400]), { [`${BOOK}/2 missing`]: "1 refused, 0 accepted" });
  const alone = { method: "GET", url: "/books/1?key=a", headers: { Accept: "*/*" } };
  assert.deepEqual(proven([alone, 200]), { [`${BOOK}/3 missing`]: "0 refused, 1 accepted" });
  const { schema: _, ...empty } = { ...post(""), schema: 0 };
  assert.deepEqual(proven([empty, 415]), {
    [`${BODY.slice(0, -"/schema".length)} missing`]: "1 refused, 0 accepted",
  });
});

Deno.test("a header is not missing if the recording has no headers", () => {
  assert.deepEqual(proven([{ method: "GET", url: "/books/1?key=a" }, 200]), {});
  assert.deepEqual(proven([{ method: "GET", url: "/books/1?key=a", headers: {} }, 200]), {});
});

Deno.test("evidence from bodies takes all their properties into account", () =>
  assert.deepEqual(
    proven(
      [post({}), 422],
      [post({ title: "A", colour: "red" }), 201],
      [post({ title: "A", pages: 0 }), 400],
    ),
    {
      [`${BODY}/required`]: "1 refused, 0 accepted",
      [`${BODY}/additionalProperties`]: "0 refused, 1 accepted",
      [`${BODY}/properties/pages/minimum`]: "1 refused, 0 accepted",
    },
  ));

Deno.test("bodies that don't parse, are truncated or have another media type are evidence for nothing", () =>
  assert.deepEqual(
    proven(
      [post("{"), 400],
      [post("title=", "application/x-www-form-urlencoded"), 415],
      [{ ...post({}), body_truncated: true }, 400],
      [post({ title: "[Filtered]", pages: 0 }), 400],
    ),
    {},
  ));

Deno.test("enforcement is the share of rules with evidence, if there are responses", () => {
  const map = CoverageMap.fromDict(DESCRIPTION);
  // id and limit: 1 + 3; key: required; X-Trace: minLength and required; body: type, required, additionalProperties,
  // the two types and limits in it, and required.
  const total = 4 + 1 + 2 + 8;
  assert.deepEqual(map.report().summary.enforcement, {
    enforced: 0,
    not_enforced: 0,
    total,
    percent: null,
    measured: false,
  });
  map.record(post({ title: "" }), { status_code: 400 });
  map.record(post({ title: "" }), { status_code: 201 });
  assert.deepEqual(map.report().summary.enforcement, {
    enforced: 1,
    not_enforced: 1,
    total,
    percent: 100 / total,
    measured: true,
  });
});

Deno.test("findings list what contradicts the description, in its order", () => {
  const map = CoverageMap.fromDict(DESCRIPTION);
  const record = (request: HttpRequest, status_code: number, at: number) =>
    map.record(request, { status_code }, at);
  record(post({ title: "A", pages: 0 }), 201, 5);
  record(post({ title: "A", pages: -1 }), 201, 3);
  record(post({ title: "A" }), 422, 4);
  record(post({ title: "A" }), 500, 7);
  record(post({ title: "" }), 500, 6);
  record(post("a", "text/plain"), 415, 8);
  const of = { method: "POST", path: "/books" };
  const sent = (shape: unknown) => ({
    request: { method: "POST", url: "/books", body: { media_type: "application/json", shape } },
  });
  const valid = sent({ title: "string" });
  const plain = { request: { method: "POST", url: "/books", body: { media_type: "text/plain" } } };
  assert.deepEqual(map.report().findings, [
    {
      kind: "keyword_not_enforced",
      ...of,
      location: "body",
      parameter: "application/json",
      schema_path: `${BODY}/properties/pages/minimum`,
      count: 2,
      first_at: 3,
      example: {
        status_code: 201,
        instance: "/pages",
        ...sent({ title: "string", pages: "integer" }),
      },
    },
    {
      kind: "valid_request_refused",
      ...of,
      status_code: "422",
      count: 1,
      first_at: 4,
      example: { status_code: 422, ...valid },
    },
    ...([["415", 8, 1], ["422", 4, 1], ["500", 6, 2]] as const).map(([status, at, count]) => ({
      kind: "undocumented_status",
      ...of,
      status_code: status,
      count,
      first_at: at,
      example: { status_code: Number(status), ...(status === "415" ? plain : valid) },
    })),
    {
      kind: "undocumented_body",
      ...of,
      media_type: "text/plain",
      count: 1,
      first_at: null,
      example: { status_code: 415, ...plain },
    },
    {
      kind: "server_error",
      ...of,
      status_code: "500",
      valid: 1,
      count: 2,
      first_at: 6,
      example: { status_code: 500, ...valid },
    },
  ]);
});

Deno.test("a finding says that a required parameter was missing", () => {
  const map = CoverageMap.fromDict(DESCRIPTION);
  map.record({ method: "GET", url: "/books/1", headers: HEADERS }, { status_code: 200 });
  map.record({ method: "GET", url: "/books/1?key=a&limit=500", headers: HEADERS }, {
    status_code: 200,
  });
  assert.deepEqual(
    map.findings().map((finding) => finding.kind === "keyword_not_enforced" && finding.missing),
    [undefined, true],
  );
});

Deno.test("a required body is one rule, even with several media types", () => {
  const body = (isExcluded: boolean) => {
    const map = CoverageMap.fromDict(
      shopApi({
        "/books": {
          post: {
            requestBody: {
              required: true,
              content: { "application/json": {}, "text/plain": {}, "text/csv": {} },
            },
            responses: {},
          },
        },
      }),
      isExcluded ? { exclude: ["parameter:application/json"] } : {},
    );
    for (const status_code of [400, 201, 201]) {
      map.record({ method: "POST", url: "/books", headers: HEADERS }, { status_code });
    }
    const { enforced, not_enforced, total } = map.report().summary.enforcement ?? {};
    const found = map.findings().filter(({ kind }) => kind === "keyword_not_enforced");
    return { numbers: [enforced, not_enforced, total], counts: found.map(({ count }) => count) };
  };
  assert.deepEqual(body(false), { numbers: [1, 1, 1], counts: [2] });
  assert.deepEqual(body(true), { numbers: [1, 1, 1], counts: [2] });
});

Deno.test("a required form field that is missing breaks a rule of its own", () => {
  const found = (body: string | undefined, status_code: number, contentType?: string) => {
    const map = CoverageMap.fromDict({
      swagger: "2.0",
      info: { title: "Shop", version: "1" },
      paths: {
        "/books": {
          post: {
            consumes: ["application/x-www-form-urlencoded"],
            parameters: [
              { name: "title", in: "formData", required: true, type: "string" },
              { name: "n", in: "formData", type: "integer", maximum: 5 },
            ],
            responses: { 200: { description: "A book" }, "4XX": { description: "A mistake" } },
          },
        },
      },
    });
    const headers = { Accept: "*/*", ...(contentType && { "Content-Type": contentType }) };
    map.record({ method: "POST", url: "/books", headers, body }, { status_code });
    const { enforced } = map.report().summary.enforcement ?? {};
    const kinds = map.findings().map(({ kind }) => kind);
    return [enforced, ...kinds.filter((kind) => kind !== "never_succeeded")];
  };
  const form = "application/x-www-form-urlencoded";
  const multipart = "multipart/form-data; boundary=b";
  const field = '--b\r\nContent-Disposition: form-data; name="n"\r\n\r\n1\r\n--b--';
  assert.deepEqual(found("n=1", 400, form), [1]);
  assert.deepEqual(found("n=1", 200, form), [0, "keyword_not_enforced"]);
  assert.deepEqual(found(field, 422, multipart), [1]);
  assert.deepEqual(found("n=9", 400, form), [0], "maximum is broken too");
  assert.deepEqual(found("title=a&n=1", 400, form), [0, "valid_request_refused"]);
  assert.deepEqual(found("n=1", 415, form), [0], "a form that is there");
  assert.deepEqual(found(undefined, 415), [1]);
  assert.deepEqual(found("n=1", 400, "text/plain"), [0, "undocumented_body"]);
  assert.deepEqual(found("n=1", 400), [1], "the only documented media type");
});
