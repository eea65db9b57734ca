import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { shopApi } from "../shop_api.ts";

const BOOK = {
  type: "object",
  properties: { id: { type: "integer" }, author: { $ref: "#/components/schemas/Author" } },
};

function describe(schema: object): object {
  return shopApi({
    "/books": {
      get: {
        responses: { 200: { description: "Books", content: { "application/json": { schema } } } },
      },
    },
  }, { components: { schemas: { Book: BOOK, Author: { properties: { name: {} } } } } });
}

const REF = { $ref: "#/components/schemas/Book" };

function answering(schema: object, ...bodies: readonly unknown[]): CoverageMap {
  const map = CoverageMap.fromDict(describe(schema), { undocumentedProperties: true });
  bodies.forEach((body, index) =>
    map.record({ method: "GET", url: "/books" }, {
      status_code: 200,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }, 100 + index)
  );
  return map;
}

/** The undocumented properties with the number of responses that have them. */
function listed(map: CoverageMap): Record<string, number> {
  const list = map.report().undocumented_properties ?? [];
  return Object.fromEntries(list.map(({ property, count }) => [property, count]));
}

Deno.test("undeclared properties of responses are listed with the number of responses", () => {
  const map = answering(
    { type: "array", items: REF },
    [{ id: 1, isbn: "1" }, { id: 2, isbn: "2", author: { name: "Ada", born: 1815 } }],
    [{ id: 3, isbn: null, "a.b": [{ c: 1 }] }],
    [],
  );
  assert.deepEqual(
    map.report().undocumented_properties,
    [
      ["/*/a.b", 1, 101],
      ["/*/author/born", 1, 100],
      ["/*/isbn", 2, 100],
    ].map(([property, count, first_at]) => ({
      method: "GET",
      path: "/books",
      status_code: "200",
      media_type: "application/json",
      property,
      count,
      first_at,
    })),
  );
  assert.deepEqual(map.findings(), []);
});

Deno.test("properties declared in alternatives, allOf, patterns and dependent schemas are declared", () => {
  const map = answering(
    {
      allOf: [REF],
      oneOf: [{ properties: { pages: {} } }, { properties: { minutes: {} } }],
      patternProperties: { "^x-": {} },
      dependentSchemas: { id: { properties: { edition: {} } } },
    },
    { id: 1, pages: 1, minutes: 2, "x-mark": 3, edition: 4, other: 5 },
  );
  assert.deepEqual(listed(map), { "/other": 1 });
});

Deno.test("no property is undeclared if a schema covers other properties, or declares none", () => {
  for (
    const more of [
      { additionalProperties: true },
      { additionalProperties: { type: "string" } },
      { additionalProperties: false },
      { unevaluatedProperties: {} },
    ]
  ) {
    assert.deepEqual(listed(answering({ ...BOOK, ...more }, { id: 1, isbn: "1" })), {});
  }
  assert.deepEqual(listed(answering({ type: "object" }, { any: 1 })), {});
  assert.deepEqual(listed(answering({ additionalProperties: REF }, { some: { isbn: 1 } })), {
    "/*/isbn": 1,
  });
});

Deno.test("names that look like data are left out", () => {
  const names = [
    "550e8400-e29b-41d4-a716-446655440000",
    "ada@lovelace.example",
    "2026-01-31",
    "12345",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "x".repeat(65),
    "four score\nand seven",
  ];
  const body = Object.fromEntries(names.map((name) => [name, 1]));
  assert.deepEqual(listed(answering(REF, { ...body, line1: 1 })), { "/*": 1, "/line1": 1 });
  const table = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`n${index}`, 1]));
  assert.deepEqual(listed(answering(REF, table)), { "/*": 1 });
});

Deno.test("at most 200 properties per operation are kept, the same in any order", () => {
  const bodies = Array.from({ length: 500 }, (_, index) => ({ [`n${index}`]: 1 }));
  const one = listed(answering(REF, ...bodies));
  assert.equal(Object.keys(one).length, 200);
  assert.deepEqual(listed(answering(REF, ...bodies.toReversed())), one);
});

Deno.test("undocumented properties are kept in hits, and reports list them only on request", () => {
  const map = answering(REF, { isbn: 1 });
  const merged = CoverageMap.fromDict(describe(REF), { undocumentedProperties: true });
  merged.mergeHits(map.exportHits());
  merged.mergeHits(answering(REF, { isbn: 1 }).exportHits());
  assert.deepEqual(listed(merged), { "/isbn": 2 });
  const changed = CoverageMap.fromDict(describe({ ...BOOK, title: "Book" }), {
    undocumentedProperties: true,
  });
  changed.mergeHits(map.exportHits(), { carry: true });
  assert.deepEqual(listed(changed), {}, "another description may declare them");
  const silent = CoverageMap.fromDict(describe(REF));
  silent.mergeHits(map.exportHits());
  assert.ok(!("undocumented_properties" in silent.report()));
  assert.match(
    merged.generateTextReport({ colored: false }),
    /Undocumented properties: 1\n {2}GET \/books: \/isbn came in 2 responses with 200\./,
  );
});

Deno.test("undocumented properties are kept only on request", () => {
  const map = CoverageMap.fromDict(describe(REF));
  map.record({ method: "GET", url: "/books" }, {
    status_code: 200,
    headers: { "Content-Type": "application/json" },
    body: '{"isbn":1}',
  });
  assert.ok(!new TextDecoder().decode(map.exportHits()).includes("isbn"));
});

Deno.test("undeclared properties of lines are listed, whether the schema is for all lines or for each", () => {
  const contentType = "application/x-ndjson";
  for (const media of [{ schema: REF }, { itemSchema: REF }, { schema: { items: REF } }]) {
    const responses = { 200: { description: "Books", content: { [contentType]: media } } };
    const description = { ...describe(REF), paths: { "/books": { get: { responses } } } };
    const map = CoverageMap.fromDict({ ...description, openapi: "3.2.0" }, {
      undocumentedProperties: true,
    });
    map.record({ method: "GET", url: "/books" }, {
      status_code: 200,
      headers: { "Content-Type": contentType },
      body: '{"isbn":1}\n{"isbn":2}\n',
    });
    assert.deepEqual(listed(map), { "/*/isbn": 1 });
  }
});
