import assert from "node:assert/strict";
import { generateJsonReport } from "../../src/report/json_report.ts";
import type { Report } from "../../src/report/report.ts";
import { schemaProblems } from "./report_schema.ts";
import { anOperation, shopReport } from "./shop_report.ts";

function jsonText(report: Report): string {
  return [...generateJsonReport(report)].join("");
}

Deno.test("the JSON Schema refuses missing keys, wrong names and wrong types, and allows new keys", () => {
  const broken: readonly [string, (report: Record<string, unknown>) => void][] = [
    ["a missing title", (report) => delete report["title"]],
    ["another format version", (report) => report["format_version"] = 2],
    [
      "a percentage over 100",
      (report) => Object.assign(at(report, "summary", "parameters"), { percent: 101 }),
    ],
    [
      "a percentage of operations that is a text",
      (report) => Object.assign(at(report, "summary", "operations"), { percent: "75" }),
    ],
    [
      "responses without measured",
      (report) => delete at(report, "summary", "responses")["measured"],
    ],
    ["a fraction of a hit", (report) => at(report, "operations", "0")["hits"] = 1.5],
    [
      "an unknown location",
      (report) => at(report, "operations", "0", "parameters", "0")["location"] = "formData",
    ],
    ["a keyword gap without its state", (report) => delete at(report, "gaps", "0")["state"]],
    ["an unknown reason", (report) => at(report, "unmatched", "0")["reason"] = "other"],
    ["line 0", (report) => at(report, "diagnostics", "0")["line"] = 0],
  ];
  for (const [what, change] of broken) {
    const report = JSON.parse(jsonText(shopReport())) as Record<string, unknown>;
    change(report);
    assert.notDeepEqual(schemaProblems(report), [], `${what} is allowed`);
  }
  const more = JSON.parse(jsonText(shopReport())) as Record<string, unknown>;
  assert.deepEqual(schemaProblems(more), []);
  more["new_key"] = 1;
  at(more, "operations", "0")["new_key"] = 1;
  assert.deepEqual(schemaProblems(more), [], "a new key is refused");
});

Deno.test("a large JSON report is generated in chunks of limited size", () => {
  const operations = Array.from(
    { length: 3000 },
    (_, index) => anOperation({ method: "GET", path: `/things/${index}` }),
  );
  const report = shopReport({ title: 'a "quoted"\n\u2028 title', operations });
  const chunks = [...generateJsonReport(report)];
  assert.ok(chunks.length > 10, `${chunks.length} chunks`);
  assert.ok(chunks.every((chunk) => chunk.length < 200_000));
  assert.deepEqual(JSON.parse(chunks.join("")), report);
});

Deno.test("empty lists are on one line", () => {
  const text = jsonText(shopReport({ operations: [], gaps: [], unmatched: [], diagnostics: [] }));
  assert.ok(text.includes('\n  "operations": [],\n'));
  assert.ok(text.endsWith('\n  "diagnostics": []\n}\n'));
});

function at(value: unknown, ...keys: readonly string[]): Record<string, unknown> {
  let place = value;
  for (const key of keys) place = (place as Record<string, unknown>)[key];
  return place as Record<string, unknown>;
}
