import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CoverageMap } from "../../mod.ts";
import { parseDocument } from "../../src/openapi/parse_document.ts";
import type { Report } from "../../src/report/report.ts";

/** Asserts that a run's hits, if it wrote some, give the same numbers as its JSON report. */
export function assertSameHits(folder: string, description: string, report: Report): void {
  const path = join(folder, "coverage.hits");
  if (!existsSync(path)) return;
  const { value } = parseDocument(readFileSync(description, "utf8"), description);
  const map = CoverageMap.fromDict(value);
  assert.deepEqual(map.mergeHits(new Uint8Array(readFileSync(path))), []);
  const { operations, tests, traffic } = JSON.parse(map.generateReport({ format: "json" }));
  assert.deepEqual({ operations, tests, traffic }, {
    operations: report.operations,
    tests: report.tests,
    traffic: report.traffic,
  });
}
