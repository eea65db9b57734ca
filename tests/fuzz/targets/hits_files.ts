import assert from "node:assert/strict";
import { CoverageMap, type Interaction, RecordingError } from "../../../mod.ts";
import fc from "fast-check";
import { reportProblems } from "../../corpus/report_problems.ts";
import { RICH_DESCRIPTION } from "../../property/rich_description.ts";
import { trafficTo } from "../../property/traffic_arbitrary.ts";
import { decode, encode, type FuzzTarget } from "../fuzz_target.ts";
import { mutateBytes } from "../mutate_bytes.ts";
import { mutateJson } from "../mutate_json.ts";

const TRAFFIC = trafficTo(RICH_DESCRIPTION);

function exportedHits(interactions: readonly Interaction[]): string {
  const map = CoverageMap.fromDict(RICH_DESCRIPTION);
  interactions.forEach(({ request, response, timestamp }, index) => {
    map.record(request, response, timestamp, index % 3 === 0 ? `test ${index % 5}` : undefined);
  });
  return decode(map.exportHits());
}

/** Changed hits files, with or without a checksum: refused with a message, or merged to consistent numbers. */
export const hitsFiles: FuzzTarget = {
  name: "hits-files",
  tested: 60,
  make(random) {
    const [interactions = []] = fc.sample(TRAFFIC, { numRuns: 1, seed: random.below(2 ** 31) });
    const hits = exportedHits(interactions);
    if (random.oneIn(3)) return mutateBytes(encode(hits), random);
    const value = JSON.parse(hits) as Record<string, unknown>;
    if (!random.oneIn(4)) delete value["checksum"];
    return encode(JSON.stringify(mutateJson(value, random)) ?? "");
  },
  check(input) {
    for (const carry of [false, true]) {
      const map = CoverageMap.fromDict(RICH_DESCRIPTION);
      const before = decode(map.exportHits());
      try {
        map.mergeHits(input, { location: "coverage.hits", carry });
      } catch (error) {
        if (!(error instanceof RecordingError)) throw error;
        assert.match(error.message, /^Cannot read coverage\.hits: /);
        assert.doesNotMatch(error.message, /undefined|\[object|\n\s+at /);
        assert.equal(decode(map.exportHits()), before, "hits that are refused change nothing");
        continue;
      }
      assert.deepEqual(reportProblems(map.report()), []);
      const again = CoverageMap.fromDict(RICH_DESCRIPTION);
      again.mergeHits(map.exportHits());
      assert.equal(decode(again.exportHits()), decode(map.exportHits()));
    }
  },
};
