// Guards against regressions in speed with counts of work, which are the same on every machine.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseDocument } from "../../src/openapi/parse_document.ts";
import { CoverageMap } from "../../mod.ts";
import type { HitsFile } from "../../src/map/hits_file/hits_format.ts";
import { TrafficGenerator } from "./generate_traffic.ts";

const EXPECTED = new URL("expected_counts.json", import.meta.url);
const DESCRIPTION = fileURLToPath(new URL("../../examples/bookshop/openapi.yaml", import.meta.url));
const INTERACTIONS = 2000;

/** Counts of the work for recording and reporting. */
function counts(): Record<string, number> {
  const { value } = parseDocument(readFileSync(DESCRIPTION, "utf8"), DESCRIPTION);
  const generator = new TrafficGenerator(value);
  const map = CoverageMap.fromDict(value, { basePath: "/", location: "openapi.yaml" });
  for (let index = 0; index < INTERACTIONS; index++) {
    const { request, response, timestamp } = generator.interaction(index);
    map.record(request, response, timestamp);
  }
  const { operations, summary } = map.report();
  const keywords = operations.flatMap(({ parameters }) =>
    parameters.flatMap((parameter) => parameter.keywords)
  );
  const saved = JSON.parse(new TextDecoder().decode(map.exportHits())) as HitsFile;
  const blocks = saved.operations.flatMap(({ parameters = [] }) =>
    parameters.flatMap(([, , schemas = []]) => schemas.map(([, counts]) => counts.length))
  );
  return {
    evaluations: keywords.reduce((sum, { valid, invalid }) => sum + valid + invalid, 0),
    keywords_total: summary.keywords.total,
    blocks_of_counters: blocks.length,
    counters: blocks.reduce((sum, length) => sum + length, 0),
    bytes_of_hits: map.exportHits().length,
    bytes_of_json:
      map.generateReport({ format: "json" }).replace(/"generated_at": "[^"]*"/, "").length,
  };
}

Deno.test("recording and reporting do no more work than before", () => {
  const found = counts();
  if (process.env["COVTOOL_UPDATE_COUNTS"] !== undefined) {
    writeFileSync(EXPECTED, JSON.stringify(found, null, 2) + "\n");
  }
  const expected = JSON.parse(readFileSync(EXPECTED, "utf8"));
  assert.deepEqual(
    found,
    expected,
    "The work has changed. If it ought to, run this test with COVTOOL_UPDATE_COUNTS=1 and say why in the commit.",
  );
});
