import assert from "node:assert/strict";
import fc from "fast-check";
import { CoverageMap, type Interaction } from "../../mod.ts";
import { assertPossibleCounts } from "../corpus/impossible_counts.ts";
import { RICH_DESCRIPTION } from "./rich_description.ts";
import { trafficTo } from "./traffic_arbitrary.ts";

const AT = { generatedAt: "2026-01-31T12:00:00Z" };
const traffic = trafficTo(RICH_DESCRIPTION);

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

function record(map: CoverageMap, { request, response, timestamp }: Interaction): void {
  map.record(request, response, timestamp);
}

Deno.test("two maps of one description only count their own traffic, and don't change the description", () => {
  const description = deepFreeze(structuredClone(RICH_DESCRIPTION));
  fc.assert(
    fc.property(traffic, traffic, (left, right) => {
      const [first, second] = [
        CoverageMap.fromDict(description),
        CoverageMap.fromDict(description),
      ];
      for (let index = 0; index < Math.max(left.length, right.length); index++) {
        const [one, other] = [left[index], right[index]];
        if (one !== undefined) record(first, one);
        if (other !== undefined) record(second, other);
      }
      const alone = CoverageMap.fromDict(structuredClone(RICH_DESCRIPTION));
      for (const interaction of right) record(alone, interaction);
      assert.deepEqual(second.report(AT), alone.report(AT));
      assertPossibleCounts(alone.report(AT));
      assert.deepEqual(second.uncoveredKeywords(), alone.uncoveredKeywords());
    }),
    { numRuns: 60 },
  );
  assert.deepEqual(description, RICH_DESCRIPTION);
});

Deno.test("report() doesn't change the map, and changing a report doesn't either", () => {
  fc.assert(
    fc.property(traffic, (interactions) => {
      const map = CoverageMap.fromDict(RICH_DESCRIPTION);
      for (const interaction of interactions) record(map, interaction);
      const before = JSON.stringify(map.report(AT));
      for (
        const list of [map.gaps(), map.uncoveredKeywords(), map.unmatched(), map.diagnostics()]
      ) {
        list.length = 0;
      }
      for (const interaction of map.unmatched()) Object.assign(interaction, { count: -1 });
      Object.assign(map.statistic().operations, { seen: -1 });
      map.exportHits().fill(0);
      assert.equal(JSON.stringify(map.report(AT)), before);
    }),
    { numRuns: 40 },
  );
});
