// Whatever the schemas say: what a suggestion claims is what recording it changes, and it breaks one rule at most.
import assert from "node:assert/strict";
import fc from "fast-check";
import { CoverageMap, type HttpRequest } from "../../mod.ts";
import { schemasOf } from "../property/schema_arbitrary.ts";
import { apiOf } from "../api_of.ts";

const SERVER = "http://localhost";

function mapOf(schema: unknown, definitions: object): CoverageMap {
  return CoverageMap.fromDict(apiOf({
    "/a": {
      post: {
        parameters: [{ name: "q", in: "query", schema }],
        requestBody: { content: { "application/json": { schema } } },
        responses: {},
      },
    },
  }, { components: { schemas: definitions } }));
}

function openKeywords(map: CoverageMap): Set<string> {
  return new Set(
    map.uncoveredKeywords().filter(({ satisfiability }) => satisfiability === "Normal")
      .map(({ location, schema_path, state }) => `${location} ${schema_path} ${state}`),
  );
}

/** What is found after a request was refused, and then accepted. */
function findingsAfter(request: HttpRequest, schema: unknown, definitions: object) {
  const map = mapOf(schema, definitions);
  const sent = { ...request, headers: { host: "localhost", ...request.headers } };
  for (const status_code of [400, 200]) map.record(sent, { status_code });
  return map.findings();
}

Deno.test("suggestions close what they claim, and break the rule that they name alone", () => {
  fc.assert(
    fc.property(schemasOf("2020-12", "/components/schemas"), ({ schema, definitions }) => {
      const map = mapOf(schema, definitions);
      const { requests, unreachable } = map.suggestRequests({ server: SERVER });
      assert.deepEqual(map.suggestRequests({ server: SERVER }), { requests, unreachable });
      assert.equal(map.traffic().recorded, 0);
      let before = openKeywords(map);
      for (const { request, closes, breaks } of requests) {
        map.record({ ...request, headers: { host: "localhost", ...request.headers } });
        const after = openKeywords(map);
        const closed = [...before].filter((gap) => !after.has(gap)).sort();
        const claimed = closes.flatMap((gap) =>
          gap.kind === "keyword_uncovered"
            ? [`${gap.location} ${gap.schema_path} ${gap.state}`]
            : []
        ).sort();
        assert.deepEqual(claimed, closed);
        before = after;
        const findings = findingsAfter(request, schema, definitions);
        const isRefused = findings.some(({ kind }) => kind === "valid_request_refused");
        assert.equal(isRefused, breaks === null);
        for (const finding of findings) {
          if (finding.kind === "keyword_not_enforced") {
            assert.equal(finding.schema_path, breaks?.schema_path);
          }
        }
      }
      const left = [...before].sort();
      const listed = unreachable.flatMap(({ gap }) =>
        gap.kind === "keyword_uncovered" ? [`${gap.location} ${gap.schema_path} ${gap.state}`] : []
      ).sort();
      assert.deepEqual(listed, left);
    }),
    { numRuns: 60 },
  );
});
