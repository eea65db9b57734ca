import assert from "node:assert/strict";
import { dump } from "js-yaml";
import { CoverageMap, DescriptionError } from "../../../mod.ts";
import { REPORT_FORMATS } from "../../../src/report/reporters.ts";
import { parseDocument } from "../../../src/openapi/parse_document.ts";
import { type Random, randomFrom } from "../../corpus/random.ts";
import { isRaw, type Raw, rawOperations } from "../../corpus/raw_description.ts";
import { reportProblems } from "../../corpus/report_problems.ts";
import { writeRequest } from "../../corpus/write_request.ts";
import { RICH_DESCRIPTION } from "../../property/rich_description.ts";
import { SWAGGER_DESCRIPTION } from "../../property/swagger_description.ts";
import { bytesOf, type FuzzTarget, textOf } from "../fuzz_target.ts";
import { mutateBytes } from "../mutate_bytes.ts";
import { mutateJson } from "../mutate_json.ts";

const BASES: readonly Raw[] = [RICH_DESCRIPTION, SWAGGER_DESCRIPTION];

function baseText(random: Random): Uint8Array {
  const base = random.pick(BASES);
  return bytesOf(random.oneIn(2) ? dump(base) : JSON.stringify(base, null, random.below(3)));
}

/** Formats that show lines, which a description in an object has none of. */
const LINED: ReadonlySet<string> = new Set(["lcov", "cobertura", "sarif"]);

/** Descriptions with changed parts: refused with a sentence, or measured with numbers that fit together. */
export const descriptions: FuzzTarget = {
  name: "descriptions",
  make: (random) => bytesOf(JSON.stringify(mutateJson(random.pick(BASES), random)) ?? "null"),
  check(input) {
    const value: unknown = JSON.parse(textOf(input));
    let map: CoverageMap;
    try {
      map = CoverageMap.fromDict(value);
    } catch (error) {
      if (error instanceof DescriptionError) return;
      throw error;
    }
    if (!isRaw(value)) return;
    const random = randomFrom(textOf(input));
    for (const operation of rawOperationsOf(value).slice(0, 8)) {
      const body = operation.bodies.length === 0 ? undefined : random.pick(operation.bodies);
      map.record(writeRequest(value, operation, { random, oddness: 4, body }), {
        status_code: random.pick([200, 400, 500]),
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(random.pick([null, [{ id: 1 }], { name: "a", children: [] }])),
      });
    }
    const report = map.report();
    assert.deepEqual(reportProblems(report), []);
    for (const format of REPORT_FORMATS) {
      if (!LINED.has(format)) map.generateReport({ format });
    }
    const other = CoverageMap.fromDict(value);
    other.mergeHits(map.exportHits());
    assert.deepEqual(other.exportHits(), map.exportHits());
  },
};

function rawOperationsOf(value: Raw): ReturnType<typeof rawOperations> {
  try {
    return rawOperations(value);
  } catch {
    return []; // the tests' own reader takes well-formed descriptions only
  }
}

/** Texts of descriptions with changed bytes: refused with a place, or read. */
export const descriptionTexts: FuzzTarget = {
  name: "description-texts",
  make: (random) => mutateBytes(baseText(random), random),
  check(input) {
    try {
      CoverageMap.fromDict(parseDocument(textOf(input), "openapi.yaml").value);
    } catch (error) {
      if (!(error instanceof DescriptionError)) throw error;
      assert.match(error.message, /^Cannot load .+[.?]$/s);
    }
  },
};
