import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { usageItemText } from "../../src/report/usage/usage_wording.ts";
import { apiOf } from "../api_of.ts";

const BODY = {
  type: "object",
  properties: { note: { type: "string" }, kind: { enum: ["a", "b"] } },
};
const SCHEMA = apiOf({
  "/a": {
    post: {
      parameters: [{ name: "page", in: "query", schema: { enum: [1, 2] } }],
      requestBody: { content: { "application/json": { schema: BODY } } },
    },
  },
});

function mapOf(values: boolean, sent: readonly (readonly [page: number, body: unknown])[]) {
  const map = CoverageMap.fromDict(SCHEMA, { values });
  for (const [page, body] of sent) {
    map.record({
      method: "POST",
      url: `http://localhost/a?page=${page}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }, { status_code: 200 });
  }
  return map;
}

Deno.test("a comparison names the classes of values that production uses and no test sends", () => {
  const production: (readonly [number, unknown])[] = [
    [2, { note: "", kind: "b" }],
    [1, { note: "ä" }],
  ];
  const compare = (values: boolean) =>
    mapOf(values, [[1, { note: "a", kind: "a" }]]).compareUsage(mapOf(values, production));
  const { untested, summary } = compare(true);
  assert.deepEqual(untested.filter(({ tests }) => tests === 0).map(usageItemText).sort(), [
    ...['body kind: "b"', "body kind: left out", "body note: an empty text"],
    ...["body note: characters outside ASCII", "query page = 2"],
  ]);
  assert.deepEqual(summary.classes, {
    total: 11,
    used: 9,
    tested: 5,
    used_and_tested: 4,
    percent: 400 / 9,
    not_measured: 0,
  });
  const plain = compare(false);
  assert.equal(plain.summary.classes, undefined);
  assert.deepEqual(plain.untested.map(usageItemText), ["query page = 2"]);
});
