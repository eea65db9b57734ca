// Descriptions with anything in any place: each is refused with a sentence, or counts with numbers that fit together.
import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import fc from "fast-check";
import { CoverageMap, DescriptionError, type Interaction } from "../../mod.ts";
import schema from "../../src/report/report.schema.json" with { type: "json" };
import { isRaw, type Raw } from "../corpus/raw_description.ts";
import { reportProblems } from "../corpus/report_problems.ts";
import { RICH_DESCRIPTION } from "./rich_description.ts";
import { SWAGGER_DESCRIPTION } from "./swagger_description.ts";
import { trafficTo } from "./traffic_arbitrary.ts";

const fits = new Ajv2020({ strictTypes: false }).compile<unknown>(schema);

/** What may stand where something else ought to. */
const wrong = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e400,
    "",
    "#",
    "#/",
    "#/nowhere",
    "#/paths",
    "#/components/schemas/Item",
    "#/components/schemas/Filter/properties/nested",
    "other.yaml#/x",
    "https://example.com/x.json",
    "%",
    "(",
    "^(a+)+$",
    "[",
    "object",
    "array",
    "integer",
    "3.0.0",
    "2.0",
    [],
    {},
    [null],
    [[]],
    ["string", "null"],
    { $ref: "#/components/schemas/Item" },
    { $ref: "#/components/schemas/Nobody" },
    { $ref: 1 },
    { $ref: "#" },
    { $dynamicRef: "#node" },
    { allOf: [{ $ref: "#/components/schemas/Item" }, { $ref: "#/components/schemas/Filter" }] },
    { type: "object", properties: { a: { $ref: "#/components/schemas/Item" } } },
    { type: ["array", "integer"], items: { $ref: "#/components/schemas/Filter" } },
    { not: {}, anyOf: [], oneOf: [false], enum: [], required: [1], pattern: "[" },
    { if: true, then: false, contains: {}, minContains: "1", dependentSchemas: { a: 1 } },
  ),
  fc.jsonValue({ depthSize: "xsmall" }),
);

/** Where to change a description, and to what. */
interface Change {
  readonly at: number;
  readonly kind: "replace" | "remove" | "add" | "copy";
  readonly value: unknown;
  readonly name: string;
}

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    at: fc.nat(),
    kind: fc.constantFrom("replace", "replace", "remove", "add", "copy"),
    value: wrong,
    name: fc.constantFrom(
      ...["$ref", "type", "schema", "items", "properties", "allOf", "if", "content", "parameters"],
      ...["in", "style", "explode", "__proto__", "readOnly", "examples", "example", "default"],
      ...["$id", "$anchor", "$schema", "servers", "get", "query", "encoding"],
      ...["unevaluatedProperties", "prefixItems"],
    ),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Every object and list of a description with the keys in it. */
function places(
  root: unknown,
): { readonly holder: Record<string, unknown>; readonly key: string }[] {
  const found: { holder: Record<string, unknown>; key: string }[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const holder = value as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      found.push({ holder, key });
      walk(holder[key]);
    }
  };
  walk(root);
  return found;
}

function changed(description: Raw, list: readonly Change[]): Raw {
  const root = structuredClone(description);
  for (const { at, kind, value, name } of list) {
    const all = places(root);
    const place = all[at % all.length];
    if (place === undefined) continue;
    const { holder, key } = place;
    const set = (target: Record<string, unknown>, property: string, to: unknown): void => {
      const written = { value: to, enumerable: true, writable: true, configurable: true };
      Object.defineProperty(target, property, written);
    };
    const inner = holder[key];
    if (kind === "replace") set(holder, key, structuredClone(value));
    else if (kind === "add" && isRaw(inner)) {
      set(inner as Record<string, unknown>, name, structuredClone(value));
    } else if (kind === "copy") {
      set(holder, key, structuredClone(all[(at * 31) % all.length]?.holder));
    } else if (!Array.isArray(holder)) delete holder[key];
  }
  return root;
}

function examine(description: Raw, interactions: readonly Interaction[]): void {
  let map: CoverageMap;
  try {
    map = CoverageMap.fromDict(description, { location: "broken.yaml" });
  } catch (error) {
    assert.ok(error instanceof DescriptionError, String(error));
    assert.match(error.message, /^Cannot load broken\.yaml: /);
    return;
  }
  const { keywords } = map.statistic();
  const listed = map.uncoveredKeywords().filter(({ satisfiability }) =>
    satisfiability === "Normal"
  );
  assert.equal(listed.length, 2 * keywords.total);
  for (const { request, response, timestamp } of interactions) {
    map.record(request, response, timestamp);
  }
  const report = map.report({ generatedAt: "2026-01-31T12:00:00Z" });
  assert.deepEqual(reportProblems(report), []);
  assert.ok(fits(report), JSON.stringify(fits.errors));
  for (const format of ["html", "json", "text"] as const) map.generateReport({ format });
  const merged = CoverageMap.fromDict(description, { location: "broken.yaml" });
  merged.mergeHits(map.exportHits());
  assert.deepEqual(merged.report({ generatedAt: "2026-01-31T12:00:00Z" }), report);
}

for (
  const [name, description] of [
    ["OpenAPI 3.1", RICH_DESCRIPTION],
    ["OpenAPI 3.0", { ...RICH_DESCRIPTION, openapi: "3.0.3" }],
    ["OpenAPI 3.2", { ...RICH_DESCRIPTION, openapi: "3.2.0" }],
    ["Swagger 2.0", SWAGGER_DESCRIPTION],
  ] as const
) {
  Deno.test(`${name} with anything in any place is refused with a sentence, or counted consistently`, () => {
    fc.assert(
      fc.property(changes, trafficTo(description), (list, interactions) => {
        examine(changed(description, list), interactions);
      }),
      { numRuns: 40 },
    );
  });
}

Deno.test("a multipleOf that is too large to be kept is ignored with a diagnostic, and breaks no record()", () => {
  const parameter =
    '{"name": "n", "in": "query", "schema": {"type": "number", "multipleOf": 1e400}}';
  const map = CoverageMap.fromDict(JSON.parse(`{
    "openapi": "3.1.0", "info": {"title": "Numbers", "version": "1"},
    "paths": {"/n": {"get": {"parameters": [${parameter}], "responses": {}}}}
  }`));
  for (const value of ["5", "1.5", "1e400", "-1e-400"]) {
    map.record({ method: "GET", url: `/n?n=${value}` });
  }
  assert.deepEqual(map.diagnostics().map(({ code }) => code), ["invalid_keyword"]);
  assert.deepEqual(map.statistic().keywords, { partial: 1, full: 0, total: 1 });
});
