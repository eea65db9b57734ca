import assert from "node:assert/strict";
import { CoverageMap } from "../../../mod.ts";
import type { Interaction } from "../../../src/http/interaction.ts";
import { firstFingerprint } from "../../../src/map/hits_file/first_fingerprint.ts";
import { VERSION } from "../../../src/values/version.ts";
import format1 from "../../fixtures/hits/format_1.json" with { type: "json" };

/** What the first format held, as this version of covtool would have written it. */
function firstFormat(changes: Readonly<Record<string, unknown>> = {}): Uint8Array {
  const { checksum: _, ...content } = { ...format1.hits, version: VERSION, ...changes };
  const text = JSON.stringify({ ...content, checksum: firstFingerprint([content]) });
  return new TextEncoder().encode(text);
}

Deno.test("hits of format 1 give the report of the traffic that they were exported from", () => {
  const [map, recorded] = [1, 2].map(() => CoverageMap.fromDict(format1.description));
  assert.deepEqual(map?.mergeHits(firstFormat()), []);
  for (
    const { request, response, timestamp, test } of format1.interactions as readonly Interaction[]
  ) {
    recorded?.record(request, response, timestamp, test);
  }
  const generatedAt = "2026-01-31T12:00:00Z";
  assert.deepEqual(
    withoutAnswers(map?.report({ generatedAt })),
    withoutAnswers(recorded?.report({ generatedAt })),
  );
});

/** A report without what answers prove, which the first format didn't keep. */
function withoutAnswers(report: unknown): unknown {
  const answers = ["findings", "enforcement", "refused", "accepted", "missing"];
  const json = JSON.stringify(report, (name, value) => answers.includes(name) ? undefined : value);
  return JSON.parse(json);
}

Deno.test("hits of format 1 are refused if their indexes may have another meaning", () => {
  const map = CoverageMap.fromDict(format1.description);
  for (const changes of [{ version: "0.0.9" }, { description: "another-1" }]) {
    assert.throws(() => map.mergeHits(firstFormat(changes)), {
      name: "RecordingError",
      message: /format 1 of hits, which only fits the description and the version/,
    });
  }
  const damaged = new TextEncoder().encode(
    JSON.stringify({ ...format1.hits, version: VERSION, matched: 1 }),
  );
  assert.throws(() => map.mergeHits(damaged), /It is damaged/);
  assert.equal(map.traffic().recorded, 0);
});
