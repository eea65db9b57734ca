import assert from "node:assert/strict";
import process from "node:process";
import fc from "fast-check";
import { CoverageMap, type Interaction } from "../../mod.ts";
import { REPORT_FORMATS } from "../../src/report/reporters.ts";
import { assertPossibleCounts } from "../corpus/impossible_counts.ts";
import { withContent } from "./response_arbitrary.ts";
import { RICH_DESCRIPTION, withResponses } from "./rich_description.ts";
import { trafficTo } from "./traffic_arbitrary.ts";

process.env["SOURCE_DATE_EPOCH"] = "1700000000";

const DESCRIPTION = withResponses(RICH_DESCRIPTION);

function recordInto(map: CoverageMap, interactions: readonly Interaction[]): CoverageMap {
  for (const { request, response, timestamp, test } of interactions) {
    map.record(request, response, timestamp, test);
  }
  return map;
}

function record(interactions: readonly Interaction[]): CoverageMap {
  return recordInto(CoverageMap.fromDict(DESCRIPTION), interactions);
}

function jsonReport(map: CoverageMap): string {
  assertPossibleCounts(map.report());
  return map.generateReport({ format: "json" });
}

const traffic = withContent(trafficTo(DESCRIPTION), DESCRIPTION);
const ORDER = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
  minLength: 40,
  maxLength: 40,
});

/** Each run compares hits, JSON and one other format, because the others are made from the same data as JSON. */
const FORMAT = fc.constantFrom(...REPORT_FORMATS);

/** The list in an order given by numbers. */
function ordered<T>(list: readonly T[], order: readonly number[]): T[] {
  return list.map((item, index) => ({ item, at: order[index % order.length] ?? 0 }))
    .sort((left, right) => left.at - right.at).map(({ item }) => item);
}

/** The list split into parts by numbers; parts may be empty. */
function parted<T>(list: readonly T[], order: readonly number[], parts: number): T[][] {
  const found: T[][] = Array.from({ length: parts }, () => []);
  list.forEach((item, index) => found[Math.floor((order[index] ?? 0) * parts) % parts]?.push(item));
  return found;
}

Deno.test("hits of shards in any split and order give the same reports and hits byte for byte", async () => {
  assert.ok(REPORT_FORMATS.length >= 10 && REPORT_FORMATS.includes("hits"));
  const kinds = new Set<string>();
  // Formats that show lines of the description need a file.
  const path = await Deno.makeTempFile({ suffix: ".json" });
  await Deno.writeTextFile(path, JSON.stringify(DESCRIPTION));
  try {
    await fc.assert(
      fc.asyncProperty(
        traffic,
        ORDER,
        ORDER,
        fc.boolean(),
        FORMAT,
        async (all, split, order, hasTests, any) => {
          // Hits without tests use a faster path.
          const interactions = hasTests ? all : all.map(({ test: _, ...rest }) => rest);
          const whole = recordInto(await CoverageMap.fromPath(path), interactions);
          const merged = await CoverageMap.fromPath(path);
          const parts = parted(ordered(interactions, order), split, 4);
          for (const part of ordered(parts, order)) {
            merged.mergeHits(recordInto(await CoverageMap.fromPath(path), part).exportHits());
          }
          for (const format of new Set(["hits", "json", any] as const)) {
            const [one = "", other] = [merged, whole].map((map) => map.generateReport({ format }));
            assert.ok(one === other, `${format}:\n${one}\n${other}`.slice(0, 4_000));
          }
          assertPossibleCounts(merged.report());
          for (const { kind } of merged.report().findings ?? []) kinds.add(kind);
        },
      ),
      { numRuns: 60 },
    );
  } finally {
    await Deno.remove(path);
  }
  for (
    const kind of [
      ...["credentials_not_required", "keyword_not_enforced", "response_violates_schema"],
      ...["undocumented_media_type", "undocumented_body"],
    ]
  ) assert.ok(kinds.has(kind), kind);
});

Deno.test("a merged map can be exported, merged and recorded into again", () => {
  fc.assert(
    fc.property(traffic, ORDER, (interactions, split) => {
      const [first = [], second = [], third = []] = parted(interactions, split, 3);
      const left = record(first);
      left.mergeHits(record(second).exportHits());
      const right = CoverageMap.fromDict(DESCRIPTION);
      right.mergeHits(left.exportHits());
      recordInto(right, third);
      const whole = record(interactions);
      assert.equal(jsonReport(right), jsonReport(whole));
      assert.deepEqual(right.uncoveredKeywords(), whole.uncoveredKeywords());
      assert.deepEqual(right.unmatched(), whole.unmatched());
    }),
    { numRuns: 50 },
  );
});
