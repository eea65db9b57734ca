import assert from "node:assert/strict";
import { CoverageMap, type DroppedHits } from "../../../mod.ts";
import { MeasuredApi } from "../../../src/coverage_map/measured_api.ts";
import { shopApi } from "../../shop_api.ts";

type Schema = Readonly<Record<string, unknown>>;

/** A description with one operation, `POST /orders`, whose body has a schema. */
function orders(schema: Schema, more: Schema = {}): Schema {
  return shopApi({
    "/orders": {
      post: {
        requestBody: { content: { "application/json": { schema } } },
        responses: { 201: { description: "Created" }, 400: { description: "Refused" } },
      },
    },
  }, more);
}

function send(map: CoverageMap, body: unknown, status = 201): void {
  map.record({
    method: "POST",
    url: "http://localhost/orders",
    headers: [["Content-Type", "application/json"]],
    body: JSON.stringify(body),
  }, { status_code: status });
}

/** Carries the hits of bodies over to another description. Returns the covered keywords and the dropped counts. */
function carry(
  before: Schema,
  after: Schema,
  bodies: readonly unknown[],
): { readonly covered: readonly string[]; readonly dropped: readonly string[] } {
  const old = CoverageMap.fromDict(before);
  for (const body of bodies) send(old, body);
  const map = CoverageMap.fromDict(after);
  const dropped = map.mergeHits(old.exportHits(), { carry: true });
  const keywords = map.report().operations.flatMap(({ parameters }) =>
    parameters.flatMap((parameter) => parameter.keywords)
  );
  return {
    covered: keywords.filter(({ valid, invalid }) => valid + invalid > 0)
      .map(({ schema_path, valid, invalid }) => `${schema_path} ${valid} ${invalid}`),
    dropped: dropped.map(dropLine),
  };
}

function dropLine({ kind, operation, schema_path, status_code, hits }: DroppedHits): string {
  return [kind, operation, schema_path ?? status_code, hits].filter((part) => part !== undefined)
    .join(" ");
}

const NAME = { type: "string", maxLength: 5 };
const AT = "/paths/~1orders/post/requestBody/content/application~1json/schema";

Deno.test("a schema that moves into a component keeps its counts", () => {
  const before = orders({ properties: { name: NAME } });
  const after = orders({ $ref: "#/components/schemas/Order" }, {
    components: { schemas: { Order: { properties: { name: NAME, note: { type: "integer" } } } } },
  });
  assert.deepEqual(carry(before, after, [{ name: "Ann" }, { name: "Elizabeth" }]), {
    covered: [
      "/components/schemas/Order/properties/name/type 2 0",
      "/components/schemas/Order/properties/name/maxLength 1 1",
    ],
    dropped: [`keyword POST /orders schema/properties 2`],
  });
});

Deno.test("a component that is renamed or inlined keeps its counts", () => {
  const person = { type: "object", properties: { name: NAME } };
  const before = orders({ properties: { buyer: { $ref: "#/components/schemas/Person" } } }, {
    components: { schemas: { Person: person } },
  });
  const renamed = orders({ properties: { buyer: { $ref: "#/components/schemas/Buyer" } } }, {
    components: { schemas: { Buyer: person } },
  });
  assert.deepEqual(carry(before, renamed, [{ buyer: { name: "Ann" } }]).covered, [
    "/components/schemas/Buyer/type 1 0",
    "/components/schemas/Buyer/properties 1 0",
    "/components/schemas/Buyer/properties/name/type 1 0",
    "/components/schemas/Buyer/properties/name/maxLength 1 0",
  ]);
  const written = orders({ properties: { buyer: person } });
  assert.deepEqual(carry(before, written, [{ buyer: { name: "Ann" } }]).covered, [
    `${AT}/properties/buyer/type 1 0`,
    `${AT}/properties/buyer/properties 1 0`,
    `${AT}/properties/buyer/properties/name/type 1 0`,
    `${AT}/properties/buyer/properties/name/maxLength 1 0`,
  ]);
});

Deno.test("a keyword whose value changed loses its counts, which are listed", () => {
  const before = orders({ properties: { name: NAME } });
  const after = orders({ properties: { name: { ...NAME, maxLength: 6 } } });
  assert.deepEqual(carry(before, after, [{ name: "Ann" }]), {
    covered: [`${AT}/properties/name/type 1 0`],
    dropped: [
      "keyword POST /orders schema/properties 1",
      "keyword POST /orders schema/properties/name/maxLength 1",
    ],
  });
});

Deno.test("a keyword loses its counts where a keyword that changes its meaning was changed", () => {
  const kept = (before: Schema, after: Schema, body: unknown, openapi = "3.1.0") =>
    carry(orders(before, { openapi }), orders(after, { openapi }), [body]).covered
      .map((line) => line.slice(AT.length + 1));
  const below = { type: "integer", exclusiveMaximum: true };
  const limits = [{ ...below, maximum: 5 }, { ...below, maximum: 9 }] as const;
  assert.deepEqual(kept(...limits, 5, "3.0.3"), ["type 1 0"]);
  const text = { type: "string" };
  assert.deepEqual(kept(text, { ...text, nullable: true }, null, "3.0.3"), []);
  const list = { maxItems: 2, minContains: 1 };
  const lists = [{ ...list, contains: { const: 1 } }, { ...list, contains: { const: 2 } }] as const;
  assert.deepEqual(kept(...lists, [1]), ["maxItems 1 0"]);
  const branch = { then: { maximum: 3 } };
  const branches = [{ ...branch, if: { minimum: 0 } }, { ...branch, if: { minimum: 5 } }] as const;
  assert.deepEqual(kept(...branches, 4), ["then/maximum 0 1"]);
  const closed = { maxProperties: 2, additionalProperties: false };
  const objects = [{ ...closed, properties: {} }, { ...closed, properties: { a: {} } }] as const;
  assert.deepEqual(kept(...objects, { a: 1 }), ["maxProperties 1 0"]);
  const rest = { maxProperties: 2, unevaluatedProperties: false };
  const others = [{ ...rest, patternProperties: {} }, { ...rest, patternProperties: { a: {} } }];
  assert.deepEqual(kept(others[0]!, others[1]!, { a: 1 }), ["maxProperties 1 0"]);
  const items = { maxItems: 2, items: { type: "string" } };
  const tuples = [{ ...items, prefixItems: [] }, { ...items, prefixItems: [{}] }] as const;
  assert.deepEqual(kept(...tuples, [1]), ["maxItems 1 0", "items/type 0 1"]);
  const id = { required: ["id"], properties: { id: {} } };
  const sent = [id, { ...id, properties: { id: { readOnly: true } } }] as const;
  assert.deepEqual(kept(...sent, {}), []);
});

Deno.test("a keyword doesn't take over the counts of the same keyword in another property", () => {
  const before = orders({ properties: { title: NAME } });
  const after = orders({ properties: { subtitle: NAME } });
  assert.deepEqual(carry(before, after, [{ title: "Ann" }]).covered, []);
});

Deno.test("counts are dropped where two alternatives are equal and either could be meant", () => {
  const before = orders({ oneOf: [{ required: ["a"] }, { required: ["b"] }] });
  const after = orders({ oneOf: [{ type: "object" }, { required: ["a"] }, { required: ["a"] }] });
  const { covered, dropped } = carry(before, after, [{ a: 1 }]);
  assert.deepEqual(covered, []);
  assert.ok(dropped.includes("keyword POST /orders schema/oneOf/0/required 1"));
});

Deno.test("members of an allOf keep their counts when they change places", () => {
  const members = ["a", "c"].map((name) => ({
    if: { type: "object", required: [name] },
    then: { minProperties: 2 },
  }));
  const bodies = [{ a: 1 }, { a: 1, b: 2 }, { c: 3, d: 4 }];
  const carriedTo = (allOf: readonly Schema[]) =>
    carry(orders({ allOf: members }), orders({ allOf }), bodies);
  const { covered, dropped } = carriedTo(members.toReversed());
  assert.deepEqual(dropped, []);
  const swap = (line: string) =>
    line.replace(/allOf\/[01]/, (at) => at === "allOf/0" ? "allOf/1" : "allOf/0");
  assert.deepEqual(covered.map(swap).sort(), carriedTo(members).covered.toSorted());
});

Deno.test("a component that is referred to twice takes over no counts from elsewhere", () => {
  const place = { type: "object", properties: { city: NAME } };
  const before = orders({
    properties: {
      billing: { $ref: "#/components/schemas/Place" },
      shipping: { $ref: "#/components/schemas/Place" },
    },
  }, { components: { schemas: { Place: place } } });
  const after = orders({ properties: { billing: place } });
  assert.deepEqual(carry(before, after, [{ shipping: { city: "Rome" } }]).covered, []);
});

Deno.test("a changed description text within a keyword's value changes no counts", () => {
  const before = orders({ properties: { name: NAME } });
  const after = orders({ properties: { name: { ...NAME, description: "What to call them." } } });
  const { covered, dropped } = carry(before, after, [{ name: "Ann" }]);
  assert.equal(covered.length, 3);
  assert.deepEqual(dropped, []);
});

Deno.test("operations, parameters, responses and examples that were removed are listed", () => {
  const operation = (parameters: readonly Schema[], status: string) => ({
    parameters,
    responses: { [status]: { description: "Books" } },
  });
  const limit = (value: number, more: Schema = {}) => ({
    name: "limit",
    in: "query",
    schema: { type: "integer" },
    example: value,
    ...more,
  });
  const describe = (paths: Schema): Schema => shopApi(paths);
  const sort = { name: "sort", in: "query", schema: { type: "string" } };
  const old = CoverageMap.fromDict(describe({
    "/books": { get: operation([sort, limit(5)], "200") },
    "/old": { get: operation([], "200") },
  }));
  const requests: readonly [string, number][] = [
    ["/books?limit=5&sort=a", 200],
    ["/books", 404],
    ["/old", 200],
    ["/authors", 200],
    ["/nope", 404],
  ];
  for (const [url, status_code] of requests) {
    old.record({ method: "GET", url: `http://localhost${url}` }, { status_code });
  }
  const map = CoverageMap.fromDict(describe({
    "/books": { get: operation([limit(6)], "404") },
    "/authors": { get: operation([], "200") },
  }));
  const dropped = map.mergeHits(old.exportHits(), { carry: true });
  assert.deepEqual(dropped, [
    { kind: "response", operation: "GET /books", status_code: "200", hits: 1 },
    { kind: "parameter", operation: "GET /books", parameter: "query sort", hits: 1 },
    { kind: "example", operation: "GET /books", parameter: "query limit", hits: 1 },
    { kind: "operation", operation: "GET /old", hits: 1 },
    { kind: "unmatched", operation: "GET /authors", hits: 1 },
  ]);
  const report = map.report();
  assert.deepEqual(map.traffic(), { recorded: 3, matched: 2 });
  assert.deepEqual(map.unmatched().map(({ path }) => path), ["/nope"]);
  assert.deepEqual(report.summary.operations.seen, 1);
  // The status was undocumented before, and is documented now.
  assert.deepEqual(report.summary.responses.seen, 1);
  assert.deepEqual(report.summary.examples.seen, 0);
});

Deno.test("a status that a range or default documents now counts as a response, with its test", () => {
  const describe = (responses: object) => shopApi({ "/books": { get: { responses } } });
  const old = CoverageMap.fromDict(describe({ 200: {} }));
  for (const [status_code, test] of [[404, "none"], [503, "down"]] as const) {
    old.record({ method: "GET", url: "/books" }, { status_code }, undefined, test);
  }
  const map = CoverageMap.fromDict(describe({ 200: {}, "4XX": {}, default: {} }));
  assert.deepEqual(map.mergeHits(old.exportHits(), { carry: true }), []);
  const { operations, findings = [] } = map.report();
  assert.deepEqual(
    operations[0]?.responses.map((
      { status_code, hits, covered_by },
    ) => [status_code, hits, covered_by]),
    [["200", 0, undefined], ["4XX", 1, [1]], ["default", 1, [0]]],
  );
  assert.deepEqual(operations[0]?.undocumented_responses, []);
  assert.equal(findings.some(({ kind }) => kind === "undocumented_status"), false);
});

Deno.test("a body in a media type that is documented now is no longer undocumented", () => {
  const describe = (...types: readonly string[]) =>
    shopApi({
      "/books": {
        post: {
          requestBody: { content: Object.fromEntries(types.map((type) => [type, {}])) },
          responses: { 201: { description: "Created" } },
        },
      },
    });
  const swagger = (parameter: object) => ({
    swagger: "2.0",
    info: { title: "Shop", version: "1" },
    paths: { "/books": { post: { parameters: [parameter], responses: { 201: {} } } } },
  });
  const undocumented = (
    before: object,
    after: object,
    types = ["text/csv", "application/x-www-form-urlencoded", "image/png"],
  ): readonly string[] => {
    const old = CoverageMap.fromDict(before);
    for (const type of types) {
      const headers = type === "" ? { accept: "*/*" } : { "content-type": type };
      old.record({ method: "POST", url: "/books", headers, body: "a" }, { status_code: 201 });
    }
    const map = CoverageMap.fromDict(after);
    assert.deepEqual(map.mergeHits(old.exportHits(), { carry: true }), []);
    return map.findings().flatMap((one) =>
      one.kind === "undocumented_body" ? one.media_type ?? "" : []
    );
  };
  const json = describe("application/json");
  assert.deepEqual(undocumented(json, describe("application/json", "text/csv")), [
    "application/x-www-form-urlencoded",
    "image/png",
  ]);
  assert.deepEqual(undocumented(json, describe("text/*", "image/*")), [
    "application/x-www-form-urlencoded",
  ]);
  const form = swagger({ name: "title", in: "formData", type: "string" });
  assert.deepEqual(undocumented(json, form), ["image/png", "text/csv"]);
  assert.deepEqual(undocumented(describe(), json, [""]), []);
  assert.deepEqual(undocumented(describe(), describe("text/csv", "image/png"), [""]), [""]);
});

Deno.test("examples that change places keep their counts", () => {
  const describe = (examples: object) =>
    shopApi({
      "/books": {
        get: { parameters: [{ name: "limit", in: "query", schema: {}, examples }], responses: {} },
      },
    });
  const [few, some, many] = [{ value: 5 }, { value: 50 }, { value: 500 }];
  const old = CoverageMap.fromDict(describe({ few, some }));
  for (const limit of [5, 5, 50]) {
    old.record({ method: "GET", url: `http://localhost/books?limit=${limit}` });
  }
  const map = CoverageMap.fromDict(describe({ many, some, few }));
  assert.deepEqual(map.mergeHits(old.exportHits(), { carry: true }), []);
  const examples = map.report().operations[0]?.parameters[0]?.examples ?? [];
  assert.deepEqual(examples.map(({ value, hits }) => [value, hits]), [[500, 0], [50, 1], [5, 2]]);
});

Deno.test("hits that were carried over belong to the new description from then on", () => {
  const before = orders({ properties: { name: NAME } });
  const after = orders({ properties: { name: NAME } }, { tags: [{ name: "new" }] });
  const old = CoverageMap.fromDict(before);
  send(old, { name: "Ann" });
  const carried = CoverageMap.fromDict(after);
  assert.deepEqual(carried.mergeHits(old.exportHits(), { carry: true }), []);
  const next = CoverageMap.fromDict(after);
  next.mergeHits(carried.exportHits());
  const direct = CoverageMap.fromDict(after);
  send(direct, { name: "Ann" });
  const generatedAt = "2026-01-31T12:00:00Z";
  assert.deepEqual(next.report({ generatedAt }), direct.report({ generatedAt }));
});

Deno.test("a header whose name changed case keeps its counts", () => {
  const api = (name: string) => {
    const header = { name, in: "header", schema: { type: "string", maxLength: 3 } };
    const get = { parameters: [header], responses: { 200: { description: "" } } };
    return CoverageMap.fromDict(shopApi({ "/a": { get } }));
  };
  const old = api("X-Request-ID");
  old.record({ method: "GET", url: "/a", headers: { "x-request-id": "long" } });
  const map = api("X-Request-Id");
  assert.deepEqual(map.mergeHits(old.exportHits(), { carry: true }), []);
  const [header] = map.report().operations[0]?.parameters ?? [];
  const [, maxLength] = header?.keywords ?? [];
  assert.deepEqual([header?.hits, maxLength?.valid, maxLength?.invalid], [1, 0, 1]);
});

Deno.test("an operation whose path variables were renamed keeps its counts", () => {
  const api = (first: string, second: string) => {
    const parameter = (name: string, schema: object) => ({
      name,
      in: "path",
      required: true,
      schema,
    });
    const parameters = [parameter(first, { type: "integer", maximum: 9 }), parameter(second, {})];
    const get = { parameters, responses: { 200: { description: "" } } };
    return CoverageMap.fromDict(
      shopApi({ [`/users/{${first}}/pets/{${second}}`]: { get }, "/users/{x}": { get: {} } }),
    );
  };
  const recorded = (map: CoverageMap) => {
    for (const id of [1, 20]) {
      map.record({ method: "GET", url: `/users/${id}/pets/2` }, { status_code: 200 }, 1e9);
    }
    return map;
  };
  const carried = api("petOwner", "id");
  const hits = recorded(api("id", "pet")).exportHits();
  assert.deepEqual(carried.mergeHits(hits, { carry: true }), []);
  const generatedAt = "2026-01-31T12:00:00Z";
  const same = recorded(api("petOwner", "id")).report({ generatedAt });
  assert.deepEqual(carried.report({ generatedAt }), same);
  assert.equal(same.findings?.length, 1);
});

Deno.test("bodies of undocumented statuses keep their media types", () => {
  const document = (responses: object) => shopApi({ "/books": { get: { responses } } });
  const old = CoverageMap.fromDict(document({ 200: {}, 404: {} }));
  for (const status_code of [404, 500]) {
    const headers = { "Content-Type": "text/html" };
    old.record({ method: "GET", url: "/books" }, { status_code, headers, body: "<p>" });
  }
  const map = CoverageMap.fromDict(document({ 200: {} }));
  const dropped = map.mergeHits(old.exportHits(), { carry: true });
  assert.deepEqual(dropped.map(dropLine), ["response GET /books 404 1"]);
  assert.deepEqual(map.report().operations[0]?.undocumented_responses, [
    { status_code: "500", hits: 1, media_types: [{ media_type: "text/html", hits: 1 }] },
  ]);
});

Deno.test("unmatched requests whose path only lacks the method follow renamed path variables", () => {
  const document = (name: string, methods: readonly string[]) => {
    const operation = {
      parameters: [{ name, in: "path", required: true, schema: {} }],
      responses: {},
    };
    return CoverageMap.fromDict(shopApi({
      [`/books/{${name}}`]: Object.fromEntries(methods.map((method) => [method, operation])),
    }));
  };
  const old = document("id", ["get"]);
  for (const method of ["DELETE", "PUT"]) old.record({ method, url: "/books/1" });
  const map = document("bookId", ["get", "put"]);
  const dropped = map.mergeHits(old.exportHits(), { carry: true });
  assert.deepEqual(dropped.map(dropLine), ["unmatched PUT /books/{bookId} 1"]);
  assert.deepEqual(map.unmatched().map(({ method, path }) => `${method} ${path}`), [
    "DELETE /books/{bookId}",
  ]);
});

Deno.test("a missing parameter is still no part of a value where another parameter moved it", () => {
  const document = (names: readonly string[]) =>
    CoverageMap.fromDict(shopApi({
      "/books": {
        get: {
          parameters: names.map((name) => ({
            ...{ name, in: "query", schema: {} },
            required: name === "key",
          })),
          responses: { 200: {} },
        },
      },
    }));
  const [old, map] = [document(["key"]), document(["page", "key"])];
  for (const one of [old, map]) one.record({ method: "GET", url: "/books" }, { status_code: 200 });
  const carried = document(["page", "key"]);
  carried.mergeHits(old.exportHits(), { carry: true });
  assert.equal(map.findings().length, 1);
  assert.deepEqual(carried.findings(), map.findings());
});

Deno.test("properties of responses are still seen where path variables were renamed", () => {
  const document = (name: string) => {
    const schema = { properties: { title: { type: "string" } } };
    const responses = { 200: { content: { "application/json": { schema } } } };
    const parameters = [{ name, in: "path", required: true, schema: {} }];
    return CoverageMap.fromDict(
      shopApi({ [`/books/{${name}}`]: { get: { parameters, responses } } }),
    );
  };
  const old = document("id");
  old.record({ method: "GET", url: "/books/1" }, {
    ...{ status_code: 200, headers: { "Content-Type": "application/json" } },
    body: '{"title":"Emma"}',
  });
  const map = document("bookId");
  map.mergeHits(old.exportHits(), { carry: true });
  const criterion = map.report().tcl_criteria?.find(({ criterion }) =>
    criterion === "response_properties"
  );
  assert.deepEqual([criterion?.covered, criterion?.total], [1, 1]);
});

Deno.test("a keyword that responses broke is still a finding where its component was renamed", () => {
  const document = (name: string) => {
    const schema = { $ref: `#/components/schemas/${name}` };
    const responses = { 200: { content: { "application/json": { schema } } } };
    const schemas = { [name]: { required: ["title"] } };
    return CoverageMap.fromDict(shopApi({ "/books": { get: { responses } } }, {
      components: { schemas },
    }));
  };
  const [old, map, carried] = [document("Book"), document("Volume"), document("Volume")];
  for (const one of [old, map]) {
    const headers = { "Content-Type": "application/json" };
    one.record({ method: "GET", url: "/books" }, { status_code: 200, headers, body: "{}" });
  }
  assert.deepEqual(carried.mergeHits(old.exportHits(), { carry: true }), []);
  assert.equal(map.findings().length, 1);
  assert.deepEqual(carried.findings(), map.findings());
});

Deno.test("findings and properties follow keywords that were described, moved or put beside equal ones", () => {
  const title = { type: "string" };
  const schema = { properties: { title, author: title }, not: { required: ["error"] } };
  for (
    const [type, field] of [["application/json", "schema"], ["application/jsonl", "itemSchema"]]
  ) {
    const answer = (schema: unknown) => ({
      content: { [String(type)]: { [String(field)]: schema } },
    });
    const $ref = "#/components/responses/Book";
    const later = [
      { answer: answer({ ...schema, not: { ...schema.not, description: "No error" } }) },
      { answer: { $ref }, components: { responses: { Book: answer(schema) } } },
      {
        answer: answer({
          ...schema,
          properties: { ...schema.properties, author: { $ref: "#/components/schemas/Name" } },
        }),
        components: { schemas: { Name: title } },
      },
    ];
    const document = (answer: unknown, components = {}) =>
      CoverageMap.fromDict(
        shopApi({ "/books": { get: { responses: { 200: answer } } } }, {
          openapi: "3.2.0",
          components,
        }),
      );
    const record = (map: CoverageMap): CoverageMap => {
      for (const body of ['{"title":1,"author":2}', '{"error":1}']) {
        const headers = { "Content-Type": String(type) };
        map.record({ method: "GET", url: "/books" }, { status_code: 200, headers, body });
      }
      return map;
    };
    const hits = record(document(answer(schema))).exportHits();
    for (const { answer, components } of later) {
      const carried = document(answer, components);
      carried.mergeHits(hits, { carry: true });
      const expected = record(document(answer, components)).report();
      assert.equal(expected.findings?.length, 3);
      assert.deepEqual(carried.report().findings, expected.findings);
      assert.deepEqual(carried.report().tcl_criteria, expected.tcl_criteria);
    }
  }
});

Deno.test("results of covtool mutate stay at their media type, and at properties of the items of tuples", () => {
  const pair = { prefixItems: [{ type: "integer" }, { properties: { id: { type: "integer" } } }] };
  const answer = { content: { "text/plain": {}, "application/json": { schema: pair } } };
  const Pair = { $ref: "#/components/responses/Pair" };
  const api = (response: unknown): MeasuredApi =>
    MeasuredApi.fromDict(shopApi({ "/pairs": { get: { responses: { 200: response } } } }, {
      components: { responses: { Pair: answer } },
    }));
  const at = "/paths/~1pairs/get/responses/200/content/application~1json";
  const old = api(answer);
  old.record({ method: "GET", url: "/pairs" }, { status_code: 200 });
  const { noticed } = old.hits;
  const place = { operation: 0, response: 0 } as const;
  noticed.part({ ...place, part: "body", path: "", schema_path: at }).reached = 1;
  const id = `${at}/schema/prefixItems/1/properties/id`;
  noticed.part({ ...place, part: "property", path: "/*/id", schema_path: id }).reached = 1;
  const carried = api(Pair);
  assert.deepEqual(carried.mergeHits(old.exportHits(), { carry: true }), []);
  assert.deepEqual(
    carried.hits.noticed.list().map(({ place: { schema_path } }) => schema_path),
    [at, id].map((path) =>
      path.replace("/paths/~1pairs/get/responses/200", "/components/responses/Pair")
    ),
  );
});
