import assert from "node:assert/strict";
import { CoverageMap } from "../../../mod.ts";
import type { Finding } from "../../../src/map/results.ts";
import {
  FINDING_KINDS,
  findingCounts,
  findingGroups,
  findingHint,
  findingWording,
} from "../../../src/report/wording/finding_wording.ts";
import { shopApi } from "../../shop_api.ts";

const OF = {
  method: "GET",
  path: "/books",
  first_at: null,
  example: { status_code: 200 },
} as const;
const RULE = {
  kind: "keyword_not_enforced",
  ...OF,
  location: "query",
  parameter: "key",
  schema_path: "/paths/~1books/get/parameters/0/required",
} as const;

Deno.test("a finding says that a required parameter or body was missing", () => {
  assert.equal(
    findingWording({ ...RULE, missing: true, count: 1 }),
    "1 request without query key, which is required, was accepted with 200.",
  );
  const body = { ...RULE, location: "body", parameter: "application/json" } as const;
  assert.equal(
    findingWording({ ...body, missing: true, count: 2 }),
    "2 requests without a body, which is required, were accepted with 200.",
  );
  assert.match(findingWording({ ...body, count: 2 }), /^2 requests that only required of body /);
});

Deno.test("findings are grouped in the order of their kinds, with counts in words", () => {
  const findings: Finding[] = [
    { kind: "never_succeeded", ...OF, count: 1 },
    { ...RULE, count: 1 },
    { kind: "server_error", ...OF, status_code: "500", valid: 0, count: 1 },
    { ...RULE, count: 2 },
  ];
  const groups = findingGroups(findings);
  assert.deepEqual(groups.map(({ kind }) => kind.kind), [
    "server_error",
    "keyword_not_enforced",
    "never_succeeded",
  ]);
  assert.deepEqual(groups[1]?.findings.map(({ count }) => count), [2, 1]);
  assert.equal(
    findingCounts(groups),
    "1 server error, 2 rules not enforced, 1 operation that never succeeded",
  );
  assert.deepEqual(findingGroups(undefined), []);
  for (const { kind, noun } of FINDING_KINDS) assert.notEqual(noun[0], noun[1], kind);
});

Deno.test("a response under the schema `false` violates it", () => {
  const finding = {
    ...OF,
    kind: "response_violates_schema",
    status_code: "200",
    media_type: "application/json",
    schema_path: "/paths/~1books/get/responses/200/content/application~1json/schema",
    count: 1,
  } as const;
  assert.equal(
    findingWording(finding),
    "1 response with 200 had a body of application/json that breaks its schema, which is `false`.",
  );
});

const SCHEMA = { type: "object", required: ["title"], properties: { title: { maxLength: 3 } } };

Deno.test("a hint says what to leave out or send for a rule that is not enforced", () => {
  const map = CoverageMap.fromDict(shopApi({
    "/books": {
      post: {
        parameters: [{ name: "key", in: "query", required: true, schema: {} }],
        requestBody: { required: true, content: { "application/json": { schema: SCHEMA } } },
        responses: { 201: { description: "Created" } },
      },
    },
  }));
  const send = (url: string, body?: string) =>
    map.record(
      {
        method: "POST",
        url,
        headers: body === undefined ? { Accept: "*/*" } : { "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body }),
      },
      { status_code: 201 },
    );
  send("/books", '{"title":"abc"}');
  send("/books?key=a");
  send("/books?key=a", "{}");
  send("/books?key=a", '{"title":"abcd"}');
  assert.deepEqual(map.findings().map((finding) => findingHint(finding, null)), [
    "To see it again, leave out only query key.",
    "To see it again, leave out only the body.",
    "To see it again, break only this rule. Leave out a required property.",
    "To see it again, break only this rule. Send an invalid value.",
  ]);
});
