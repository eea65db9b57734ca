import assert from "node:assert/strict";
import fc from "fast-check";
import { dump } from "js-yaml";
import { CoverageMap, DescriptionError } from "../../../mod.ts";
import { recordBatch } from "../../../src/record/record_batches.ts";
import { REPORT_FORMATS } from "../../../src/report/reporters.ts";
import { parseDocument } from "../../../src/openapi/parse_document.ts";
import { type Random, randomFrom } from "../../corpus/random.ts";
import { isRaw, type Raw, rawOperations } from "../../corpus/raw_description.ts";
import { reportProblems } from "../../corpus/report_problems.ts";
import { writeRequest } from "../../corpus/write_request.ts";
import { RICH_DESCRIPTION } from "../../property/rich_description.ts";
import { SWAGGER_DESCRIPTION } from "../../property/swagger_description.ts";
import { trafficTo } from "../../property/traffic_arbitrary.ts";
import { decode, encode, type FuzzTarget } from "../fuzz_target.ts";
import { mutateBytes } from "../mutate_bytes.ts";
import { mutateJson } from "../mutate_json.ts";

const BASES: readonly Raw[] = [
  RICH_DESCRIPTION,
  ...["3.0.3", "3.2.0"].map((openapi) => ({ ...RICH_DESCRIPTION, openapi })),
  SWAGGER_DESCRIPTION,
];
const GENERATED = { generatedAt: "2026-01-31T12:00:00Z" };

/** Traffic for the unchanged descriptions, much of which is undocumented. */
const TRAFFIC = [RICH_DESCRIPTION, SWAGGER_DESCRIPTION].map((base) =>
  fc.sample(trafficTo(base), { numRuns: 20, seed: 1 })
);

function baseText(random: Random): Uint8Array {
  const base = random.pick(BASES);
  return encode(random.oneIn(2) ? dump(base) : JSON.stringify(base, null, random.below(3)));
}

/** Formats that show lines, which a description given as an object doesn't have. */
const LINED: ReadonlySet<string> = new Set(["lcov", "cobertura", "sarif"]);

/** Descriptions with changed parts: refused with a message, or measured with consistent numbers. */
export const descriptions: FuzzTarget = {
  name: "descriptions",
  tested: 25,
  make: (random) => encode(JSON.stringify(mutateJson(random.pick(BASES), random)) ?? "null"),
  check(input) {
    const value: unknown = JSON.parse(decode(input));
    let map: CoverageMap;
    try {
      map = CoverageMap.fromDict(value, { location: "broken.yaml" });
    } catch (error) {
      if (!(error instanceof DescriptionError)) throw error;
      assert.match(error.message, /^Cannot load broken\.yaml: /);
      return;
    }
    if (!isRaw(value)) return;
    const listed = map.uncoveredKeywords().filter((one) => one.satisfiability === "Normal");
    assert.equal(listed.length, 2 * map.statistic().keywords.total);
    const random = randomFrom(decode(input));
    for (const operation of readableOperations(value).slice(0, 8)) {
      const body = operation.bodies.length === 0 ? undefined : random.pick(operation.bodies);
      map.record(writeRequest(value, operation, { random, oddness: 4, body }), {
        status_code: random.pick([200, 400, 500]),
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(random.pick([null, [{ id: 1 }], { name: "a", children: [] }])),
      });
    }
    recordBatch(map, random.pick(TRAFFIC[value["swagger"] === undefined ? 0 : 1] ?? []));
    const report = map.report(GENERATED);
    assert.deepEqual(reportProblems(report), []);
    for (const format of REPORT_FORMATS) {
      if (!LINED.has(format)) map.generateReport({ format });
    }
    const other = CoverageMap.fromDict(value, { location: "broken.yaml" });
    other.mergeHits(map.exportHits());
    assert.deepEqual(other.exportHits(), map.exportHits());
    assert.deepEqual(other.report(GENERATED), report);
  },
};

function readableOperations(value: Raw): ReturnType<typeof rawOperations> {
  try {
    return rawOperations(value);
  } catch {
    return []; // the tests' own reader only reads well-formed descriptions
  }
}

/** Texts of descriptions with changed bytes: refused with a place, or read. */
export const descriptionTexts: FuzzTarget = {
  name: "description-texts",
  make: (random) => mutateBytes(baseText(random), random),
  check(input) {
    try {
      CoverageMap.fromDict(parseDocument(decode(input), "openapi.yaml").value);
    } catch (error) {
      if (!(error instanceof DescriptionError)) throw error;
      assert.match(error.message, /^Cannot load .+[.?]$/s);
    }
  },
};
