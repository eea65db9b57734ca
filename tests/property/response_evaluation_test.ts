// Keywords seen and violated by responses, compared with naive evaluations and with ajv.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AnySchemaObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { CoverageMap } from "../../mod.ts";
import { parseDocument } from "../../src/openapi/parse_document.ts";
import { randomFrom } from "../corpus/random.ts";
import { deref, type Raw, rawOperations } from "../corpus/raw_description.ts";
import { sampleValue } from "../corpus/sample_value.ts";
import { writeRequest } from "../corpus/write_request.ts";
import { naiveCauses } from "./naive_causes.ts";
import { type Counts, naiveCount } from "./naive_count.ts";
import { instances, schemasOf } from "./schema_arbitrary.ts";
import { apiOf } from "../api_of.ts";

const PLACE = "/components/schemas";
const BODY = "/paths/~1things/get/responses/200/content/application~1json/schema";
const HEADERS = { "Content-Type": "application/json" };

const cases = fc.tuple(
  schemasOf("2020-12", PLACE, ["unevaluatedItems", "unevaluatedProperties"]),
  fc.array(instances, { minLength: 4, maxLength: 8 }),
);

Deno.test("keywords seen and violated by responses are those of naive evaluations", () => {
  let [seen, violated] = [0, 0];
  fc.assert(
    fc.property(cases, ([{ schema, definitions }, values]) => {
      const map = CoverageMap.fromDict(apiOf({
        "/things": { get: { responses: { 200: { content: { "application/json": { schema } } } } } },
      }, { components: { schemas: definitions } }));
      const counts: Counts = new Map();
      const causes = new Map<string, number>();
      for (const value of values) {
        const body = JSON.stringify(value);
        map.record({ method: "GET", url: "/things" }, { status_code: 200, headers: HEADERS, body });
        naiveCount(schema, value, BODY, {
          place: PLACE,
          definitions,
          counts,
          counted: new Set<string>(),
        });
        for (const path of naiveCauses(schema, value, BODY, { place: PLACE, definitions })) {
          causes.set(path, (causes.get(path) ?? 0) + 1);
        }
      }
      const { keywords = [], keyword_total = 0 } =
        map.report().operations[0]?.responses[0]?.media_types?.[0] ?? {};
      // Those that can't fail, or can't pass, are not in the report.
      assert.ok(keywords.length <= keyword_total);
      for (const { schema_path, seen: found, violated: broken = 0 } of keywords) {
        const { valid, invalid } = counts.get(schema_path) ?? { valid: 0, invalid: 0 };
        assert.equal(found, valid + invalid, schema_path);
        assert.equal(broken, causes.get(schema_path) ?? 0, schema_path);
        seen++;
        if (broken > 0) violated++;
      }
      if (schema === false) return;
      const findings = map.findings().flatMap((finding) =>
        finding.kind === "response_violates_schema"
          ? [[finding.schema_path, finding.count] as const]
          : []
      );
      assert.deepEqual(new Map(findings), causes);
    }),
    { numRuns: 300 },
  );
  assert.ok(seen > 1_000 && violated > 150, `${seen} seen, ${violated} violated`);
});

/** The description of the bookshop, in which nothing is writeOnly. */
function bookshop(): Raw {
  const path = fileURLToPath(new URL("../../examples/bookshop/openapi.yaml", import.meta.url));
  return parseDocument(readFileSync(path, "utf8"), path).value as Raw;
}

Deno.test("a response violates its schema exactly where ajv refuses its body", () => {
  const description = bookshop();
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  ajv.addSchema(description, "api");
  const map = CoverageMap.fromDict(description);
  let [valid, invalid, broken] = [0, 0, 0];
  const operations = rawOperations(description);
  const paths = description["paths"] as Record<string, Record<string, Raw>>;
  for (const operation of operations) {
    const responses = paths[operation.path]?.[operation.method.toLowerCase()]?.["responses"];
    for (const [status, response] of Object.entries(responses as Raw)) {
      const name = `${operation.method} ${operation.path} ${status}`;
      const found = deref(description, response) as Raw;
      const media = (found["content"] as Raw | undefined)?.["application/json"] as Raw | undefined;
      if (media?.["schema"] === undefined || !/^\d+$/.test(status)) continue;
      const validate = ajv.compile<unknown>({
        ...(media["schema"] as object),
        components: description["components"],
      } as AnySchemaObject);
      for (let seed = 0; seed < 12; seed++) {
        const random = randomFrom(`${name} ${seed}`);
        const oddness = random.pick([0, 0, 6, 20]);
        const body = sampleValue(description, media["schema"], { random, oddness });
        const request = writeRequest(description, operation, {
          random,
          oddness: 0,
          body: undefined,
        });
        map.record(request, {
          status_code: Number(status),
          headers: HEADERS,
          body: JSON.stringify(body) ?? "null",
        });
        const isValid = validate(JSON.parse(JSON.stringify(body) ?? "null")) === true;
        if (isValid) valid++;
        else invalid++;
        const before = broken;
        broken = violations(map);
        assert.equal(broken === before, isValid, `${name} ${JSON.stringify(body)}`);
      }
    }
  }
  assert.ok(valid > 100 && invalid > 50, `${valid} valid, ${invalid} invalid`);
});

/** How often bodies broke a rule so far. */
function violations(map: CoverageMap): number {
  return map.findings().reduce(
    (sum, finding) =>
      finding.kind === "response_violates_schema" && finding.media_type !== undefined
        ? sum + finding.count
        : sum,
    0,
  );
}
