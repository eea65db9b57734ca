import assert from "node:assert/strict";
import { CoverageMap, type HttpRequest } from "../../../mod.ts";
import { shopApi } from "../../shop_api.ts";

const schema = (maximum = 9) => ({
  type: "object",
  required: ["size"],
  properties: {
    size: { type: "integer", maximum },
    tags: { items: { maxLength: 3 } },
    name: { $ref: "#/components/schemas/Name" },
    either: { anyOf: [{ type: "string", maxLength: 2 }, { type: "integer" }] },
  },
  additionalProperties: { type: "boolean" },
});

function describe(maximum?: number, responses: object = {}): CoverageMap {
  return CoverageMap.fromDict(shopApi({
    "/things": {
      post: {
        parameters: [{ name: "key", in: "query", required: true, schema: { minLength: 2 } }],
        requestBody: {
          required: true,
          content: { "application/json": { schema: schema(maximum) } },
        },
        responses: { 201: { description: "Created" }, ...responses },
      },
    },
  }, { components: { schemas: { Name: { minLength: 2 } } } }));
}

const BODIES = [
  { size: 10 },
  {},
  { size: 1, tags: ["a", "long"] },
  { size: 1, name: "a" },
  { size: 1, either: "long" },
  { size: 1, other: 1 },
  { size: 1 },
];

function record(map: CoverageMap, body: unknown, status_code: number, url = "/things?key=ab") {
  const headers = { "Content-Type": "application/json" };
  const request: HttpRequest = { method: "POST", url, headers, body: JSON.stringify(body) };
  map.record(request, { status_code }, 1_700_000_000);
}

function recorded(): CoverageMap {
  const map = describe();
  for (const body of BODIES) for (const status of [201, 400, 500]) record(map, body, status);
  record(map, { size: 1 }, 400, "/things");
  record(map, { size: 1 }, 400, "/things?key=a");
  return map;
}

const AT = { generatedAt: "2026-01-31T12:00:00Z" };

Deno.test("hits keep every rule that responses prove unenforced, with its smallest example", () => {
  const map = recorded();
  const merged = describe();
  merged.mergeHits(map.exportHits());
  assert.deepEqual(merged.report(AT), map.report(AT));
  const notEnforced = map.findings().filter(({ kind }) => kind === "keyword_not_enforced");
  assert.deepEqual(notEnforced.map(({ example }) => example?.instance), [
    ...["", "/size", "/tags/1", "/name", "/either", "/*"],
  ]);
  merged.mergeHits(map.exportHits());
  assert.equal(merged.findings()[0]?.count, 2);
});

Deno.test("carried hits drop the evidence about a rule that changed", () => {
  const changed = describe(8);
  const dropped = changed.mergeHits(recorded().exportHits(), { carry: true });
  const maximum = dropped.filter(({ schema_path }) => schema_path?.endsWith("/size/maximum"));
  assert.equal(maximum.length, 1);
  const parts = changed.findings().filter(({ kind }) => kind === "keyword_not_enforced")
    .map(({ example }) => example?.instance);
  assert.deepEqual(parts, ["", "/tags/1", "/name", "/either", "/*"]);
});

Deno.test("carried hits keep undocumented statuses and when they were first seen", () => {
  const odd = (map: CoverageMap) =>
    map.findings().flatMap((finding) =>
      finding.kind === "undocumented_status"
        ? [[finding.example?.status_code, finding.first_at]]
        : []
    );
  const before = recorded();
  const since = 1_700_000_000;
  assert.deepEqual(odd(before), [[400, since], [500, since]]);
  const changed = describe(8);
  changed.mergeHits(before.exportHits(), { carry: true });
  assert.deepEqual(odd(changed), odd(before));
  const documented = describe(8, { 400: { description: "Refused" } });
  documented.mergeHits(before.exportHits(), { carry: true });
  assert.deepEqual(odd(documented), [[500, since]]);
});
