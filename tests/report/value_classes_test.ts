import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { usageItemText } from "../../src/report/usage/usage_wording.ts";
import { shopApi } from "../shop_api.ts";

const BODY = {
  type: "object",
  properties: { note: { type: "string" }, kind: { enum: ["a", "b"] } },
};
const SCHEMA = shopApi({
  "/a": {
    post: {
      parameters: [{ name: "page", in: "query", schema: { enum: [1, 2] } }],
      requestBody: { content: { "application/json": { schema: BODY } } },
    },
  },
});

function record(values: boolean, sent: readonly (readonly [page: number, body: unknown])[]) {
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

Deno.test("a comparison lists value classes that production uses and no test sends", () => {
  const production: (readonly [number, unknown])[] = [
    [2, { note: "", kind: "b" }],
    [1, { note: "ä" }],
  ];
  const compare = (values: boolean) =>
    record(values, [[1, { note: "a", kind: "a" }]]).compareUsage(record(values, production));
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

const CLASSES = /"values":\[\{"class":/;

Deno.test("reports list which values to send, by place, if values are counted", () => {
  const body = {
    type: "object",
    properties: {
      note: { type: "string", maxLength: 9 },
      lines: { items: { properties: { n: { enum: [1, 2, 3, 4, 5, 6, 7, 8, 9] } } } },
    },
  };
  const schema = shopApi({
    "/a": {
      post: {
        parameters: [{ name: "page", in: "query", schema: { default: 1, minimum: 1 } }],
        requestBody: { content: { "application/json": { schema: body } } },
      },
    },
  });
  const text = (values: boolean, format: "text" | "html" = "text"): string => {
    const map = CoverageMap.fromDict(schema, { values });
    map.record({
      method: "POST",
      url: "http://localhost/a?page=1",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ note: "ab", lines: [{ n: 9 }] }),
    });
    return map.generateReport({ format });
  };
  const section = (report: string): string[] =>
    report.slice(report.indexOf("Values to send")).split("\n\n").slice(0, 1)
      .flatMap((part) => part.split("\n")).map((line) => line.trim());
  assert.deepEqual(section(text(true)), [
    "Values to send: 17",
    "POST /a: query page: leave it out",
    "POST /a: body note: send an empty text, 9 characters (the most) and",
    "characters outside ASCII; leave it out",
    "POST /a: body lines: send an empty list and several items; leave it out",
    "POST /a: body lines[].n: send 1, 2, 3, 4, 5, 6 and 2 more; leave it out",
  ]);
  assert.equal(text(false).includes("Values"), false);
  assert.match(text(true, "html"), CLASSES);
  assert.doesNotMatch(text(false, "html"), CLASSES);
});
