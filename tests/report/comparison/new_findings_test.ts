import assert from "node:assert/strict";
import { CoverageMap } from "../../../src/coverage_map/coverage_map.ts";
import { compareReports } from "../../../src/report/comparison/compare_reports.ts";
import type { Report } from "../../../src/report/report.ts";
import { checkFailOn } from "../../../src/run/fail_on.ts";

const limit = (name = "limit") => ({
  name,
  in: "query",
  schema: { type: "integer", maximum: 100 },
});

function describe(parameters: readonly unknown[]) {
  return {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: { "/books": { get: { parameters, responses: { 200: { description: "Fine" } } } } },
  };
}

function report(
  parameters: readonly unknown[],
  ...answers: readonly (readonly [query: string, status: number])[]
): Report {
  const map = CoverageMap.fromDict(describe(parameters));
  for (const [query, status_code] of answers) {
    map.record({ method: "GET", url: `/books?${query}` }, { status_code });
  }
  return map.report({ generatedAt: "2026-01-31T12:00:00Z" });
}

/** The kinds of findings that are new. */
function fresh(now: Report, base: Omit<Report, "findings">): readonly string[] | undefined {
  return compareReports(now, base).new_findings?.map(({ kind }) => kind);
}

Deno.test("findings are new where the baseline lacks them, however often they were seen", () => {
  const base = report([limit()], ["limit=500", 200]);
  assert.deepEqual(fresh(base, base), []);
  const now = report([limit()], ["limit=500", 200], ["limit=900", 200], ["limit=1", 500]);
  assert.deepEqual(fresh(now, base), ["undocumented_status", "server_error"]);
});

Deno.test("a rule that moved in the description is the same one", () => {
  const base = report([limit()], ["limit=500", 200]);
  const now = report([limit("size"), limit()], ["limit=500", 200], ["size=500", 200]);
  const [only, ...more] = compareReports(now, base).new_findings ?? [];
  assert.deepEqual(more, []);
  assert.ok(only?.kind === "keyword_not_enforced" && only.parameter === "size");
});

Deno.test("a baseline of a version without findings doesn't tell which are new", () => {
  const now = report([limit()], ["limit=500", 200]);
  const { findings: _, ...old } = now;
  assert.equal(fresh(now, old), undefined);
});

Deno.test("--fail-on new-findings fails on findings that the baseline lacks", () => {
  const base = report([limit()], ["limit=500", 200]);
  const now = report([limit()], ["limit=500", 200], ["limit=1", 500]);
  const reasons = (of: Report) =>
    checkFailOn([{ kind: "new-findings" }], {
      report: { ...of, comparison: compareReports(of, base) },
    }).flatMap(({ reasons }) => reasons);
  assert.deepEqual(reasons(base), []);
  assert.deepEqual(
    reasons(now),
    [
      "GET /books: The server answered once with 500 to a valid request.",
      "GET /books: Status 500 came once and isn't documented.",
    ].toReversed(),
  );
});
