// Tests with random schemas that recording a suggestion closes what it claims, and that it violates at most one rule.
import assert from "node:assert/strict";
import fc from "fast-check";
import { CoverageMap } from "../../mod.ts";
import { draftSchemas } from "../property/schema_arbitrary.ts";
import { shopApi } from "../shop_api.ts";
import { checkClaims, classesIn, keywordsIn, openKeywords } from "./check_claims.ts";

const SERVER = "http://localhost";

Deno.test("suggestions close what they claim and violate only the rule that they name, and values come last", () => {
  let claimed = 0;
  const schemas = draftSchemas("2020-12", "/components/schemas");
  fc.assert(
    fc.property(schemas, fc.boolean(), ({ schema, definitions }, required) => {
      const parameters = [{ name: "q", in: "query", schema }];
      const requestBody = { required, content: { "application/json": { schema } } };
      const description = shopApi({ "/a": { post: { parameters, requestBody, responses: {} } } }, {
        components: { schemas: definitions },
      });
      const map = CoverageMap.fromDict(description);
      const { requests, unreachable } = map.suggestRequests({ server: SERVER });
      assert.equal(map.traffic().recorded, 0);

      const without = CoverageMap.fromDict(description, { values: false })
        .suggestRequests({ server: SERVER }).requests;
      assert.deepEqual(
        requests.slice(0, without.length).map(({ request }) => request),
        without.map(({ request }) => request),
      );
      for (const { breaks } of requests.slice(without.length)) assert.equal(breaks, null);

      checkClaims(map, requests);
      claimed += requests.flatMap(({ closes }) => classesIn(closes)).length;
      const left = unreachable.map(({ gap }) => gap);
      assert.deepEqual(keywordsIn(left), openKeywords(map));
      const { seen, total } = map.report().summary.values ?? {};
      assert.equal(
        (seen ?? 0) + left.filter(({ kind }) => kind === "value_uncovered").length,
        total,
      );

      for (const { request, breaks } of requests) {
        const alone = CoverageMap.fromDict(description, { values: false });
        const sent = { ...request, headers: { host: "localhost", ...request.headers } };
        // The request is refused first, then accepted.
        for (const status_code of [400, 200]) alone.record(sent, { status_code });
        const findings = alone.findings();
        const isRefused = findings.some(({ kind }) => kind === "valid_request_refused");
        assert.equal(isRefused, breaks === null);
        for (const finding of findings) {
          if (finding.kind === "keyword_not_enforced") {
            assert.equal(finding.schema_path, breaks?.schema_path);
          }
        }
      }
    }),
    { numRuns: 60 },
  );
  assert.ok(claimed > 300, `only ${claimed} classes`);
});
