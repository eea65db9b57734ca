// Tests descriptions whose paths have nothing to count: every report says so first instead of showing full coverage.
import assert from "node:assert/strict";
import { CoverageMap, type Thresholds } from "../../mod.ts";
import { apisOverview } from "../../src/report/apis/apis_overview.ts";
import { encodePageData } from "../../src/report/html/encode_page_data.ts";
import { schemaProblems } from "./report_schema.ts";

const NOTHING = /Nothing is measured: the description has paths, but no operation/;

function load(paths: object, extra: object = {}): CoverageMap {
  const map = CoverageMap.fromDict({
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths,
    ...extra,
  });
  map.record({ method: "GET", url: "/books" }, { status_code: 200 });
  return map;
}

const UNUSABLE = { "/books": { $ref: "#/components/pathItems/None" }, "/orders": { GET: {} } };

Deno.test("percentages are null and the level is 0 if no path item can be used", () => {
  for (const paths of [UNUSABLE, { "/books": {} }]) {
    const report = load(paths).report();
    const { operations, parameters, tcl } = report.summary;
    assert.deepEqual([operations.percent, parameters.percent, tcl?.level], [null, null, 0]);
    assert.match(report.nothing_counted ?? "", NOTHING);
    assert.deepEqual(schemaProblems(report), []);
  }
});

Deno.test("a description without paths has nothing to count, and one usable path is enough", () => {
  const descriptions: readonly [object, object][] = [
    [{}, {}],
    [{ "x-notes": {} }, { webhooks: { sold: { post: {} } } }],
    [{ "/books": { get: {} }, "/orders": { GET: {} } }, {}],
  ];
  for (const [paths, extra] of descriptions) {
    const report = load(paths, extra).report();
    assert.equal(report.summary.operations.percent, 100);
    assert.equal(report.nothing_counted, undefined);
  }
});

Deno.test("the same key says that everything is excluded", () => {
  const map = CoverageMap.fromDict(
    { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths: { "/books": { get: {} } } },
    { exclude: ["GET /**"] },
  );
  const { nothing_counted, summary } = map.report();
  assert.match(nothing_counted ?? "", /^Every operation is excluded/);
  assert.equal(summary.operations.percent, null);
});

Deno.test("every threshold fails if nothing can be counted, even 0", () => {
  const thresholds: readonly Thresholds[] = [
    { base: 0 },
    { operations: 0 },
    { parameters: 50 },
    { keywords: 0 },
    { examples: 1 },
    { responses: 1 },
    { keywordsFull: 1 },
    { succeeded: 0 },
    { enforcement: 1 },
    { responseKeywords: 1 },
    { tcl: 0 },
  ];
  for (const threshold of thresholds) {
    const missed = load(UNUSABLE).checkThresholds(threshold);
    assert.equal(missed.length, 1, JSON.stringify(threshold));
    assert.equal(missed[0]?.actual, null);
  }
  assert.deepEqual(load({}).checkThresholds({ base: 100, keywords: 1 }), []);
});

Deno.test("thresholds of enforcement and response keywords are checked without a level", () => {
  const schema = { type: "integer", maximum: 5 };
  const map = load({
    "/books": {
      get: {
        parameters: [{ name: "n", in: "query", schema }],
        responses: { 200: { description: "", content: { "application/json": { schema } } } },
      },
    },
  });
  for (const threshold of [{ enforcement: 50 }, { responseKeywords: 50 }]) {
    assert.equal(map.checkThresholds(threshold).length, 1, JSON.stringify(threshold));
  }
});

Deno.test("each report begins with the warning that nothing can be counted", () => {
  const map = load(UNUSABLE);
  const text = map.generateReport({ format: "text" }).replaceAll("\n", " ");
  assert.match(text, /^Warning: Nothing is measured: the description has paths/);
  const [, heading = "", first = ""] = map.generateReport({ format: "markdown" }).split(/\n+/);
  assert.match(heading, /^### Shop/);
  assert.match(first, NOTHING);
  assert.match(map.generateReport({ format: "html" }), /<\/h1><p><strong>Nothing is measured:/);
  assert.match(map.generateReport({ format: "junit" }), NOTHING);
  const badge = map.generateReport({ format: "badge" });
  assert.match(badge, /<title>Shop: API coverage, n\/a<\/title>/);
  const json = Object.keys(JSON.parse(map.generateReport({ format: "json" })));
  assert.equal(json.indexOf("nothing_counted"), json.indexOf("generated_at") + 1);
  assert.match([...encodePageData(map.report())].join(""), NOTHING);
});

Deno.test("the total of several APIs is null only if none of them has anything to count", () => {
  const [unusable, usable] = [load(UNUSABLE).report(), load({ "/books": { get: {} } }).report()];
  const percent = (...reports: (typeof usable)[]) =>
    apisOverview(reports.map((report, index) => ({ name: `${index}`, report })), undefined)
      .summary.operations.percent;
  assert.equal(percent(unusable), null);
  assert.equal(percent(unusable, usable), 100);
});
