// Tests comparisons of random pairs of descriptions and traffic against facts derived from the two reports.
import assert from "node:assert/strict";
import { type Gap, isDimensionGap } from "../../src/map/results.ts";
import fc from "fast-check";
import { CoverageMap, type Interaction } from "../../mod.ts";
import { recordBatch } from "../../src/record/record_batches.ts";
import { compareReports } from "../../src/report/comparison/compare_reports.ts";
import type { Comparison } from "../../src/report/comparison/comparison.ts";
import type { Report, ReportOperation, ReportParameter } from "../../src/report/report.ts";
import { randomFrom } from "../corpus/random.ts";
import type { Raw } from "../corpus/raw_description.ts";
import { RICH_DESCRIPTION } from "./rich_description.ts";
import { SWAGGER_DESCRIPTION } from "./swagger_description.ts";
import { trafficTo } from "./traffic_arbitrary.ts";

/** The description without some operations, parameters, responses and properties, and with other numbers. */
function changed(description: Raw, seed: number): Raw {
  const random = randomFrom(String(seed));
  const copy = structuredClone(description);
  const change = (value: unknown, within: string): void => {
    if (typeof value !== "object" || value === null) return;
    const container = value as Record<string, unknown>;
    for (const [name, member] of Object.entries(container)) {
      const isPart = within === "responses" || within === "properties" ||
        (typeof member === "object" && member !== null && "responses" in member);
      if (isPart && random.oneIn(8)) delete container[name];
      else if (typeof member === "number" && within !== "responses" && random.oneIn(8)) {
        container[name] = member + 1;
      } else change(member, name);
    }
    if (Array.isArray(value) && within === "parameters" && random.oneIn(6)) value.shift();
  };
  change(copy["paths"], "");
  change(copy["components"] ?? copy["definitions"], "");
  return copy;
}

function report(description: Raw, interactions: readonly Interaction[]): Report | undefined {
  let map: CoverageMap;
  try {
    map = CoverageMap.fromDict(description);
  } catch {
    return undefined; // a path without its parameter, for instance
  }
  // Makes all parts visible, whatever the other requests have.
  const headers = { host: "localhost" };
  map.record({ method: "GET", url: "http://localhost/", headers });
  recordBatch(map, interactions);
  return map.report({ generatedAt: "2026-01-31T12:00:00Z" });
}

function reportPairs(description: Raw): fc.Arbitrary<readonly [Report, Report]> {
  const traffic = trafficTo(description);
  return fc.tuple(fc.nat(), fc.nat(), traffic, traffic, fc.boolean()).map(
    ([before, after, old, fresh, isSame]) => [
      report(changed(description, before), old),
      report(isSame ? changed(description, before) : changed(description, after), fresh),
    ],
  ).filter((pair): pair is [Report, Report] => pair.every((report) => report !== undefined));
}

const PAIRS = fc.oneof(reportPairs(RICH_DESCRIPTION), reportPairs(SWAGGER_DESCRIPTION));

function operationIn({ operations }: Report, gap: Gap): ReportOperation | undefined {
  return operations.find(({ method, path }) => method === gap.method && path === gap.path);
}

function parameterIn(
  report: Report,
  gap: Extract<Gap, { readonly parameter: string }>,
): ReportParameter | undefined {
  return operationIn(report, gap)?.parameters.find(({ location, parameter }) =>
    location === gap.location && parameter === gap.parameter
  );
}

/** Whether a report shows that another report's gap was covered; undefined if the report doesn't have the part. */
function wasCovered(base: Report, report: Report, gap: Gap): boolean | undefined {
  const operation = operationIn(base, gap);
  if (operation === undefined) return undefined;
  if (gap.kind === "operation_uncovered") return operation.hits > 0;
  if (gap.kind === "response_uncovered") {
    const found = operation.responses.find(({ status_code }) => status_code === gap.status_code);
    return found && found.hits > 0;
  }
  const parameter = parameterIn(base, gap);
  if (parameter === undefined) return undefined;
  if (gap.kind === "parameter_uncovered") return parameter.hits > 0;
  if (parameter.hits === 0) return false;
  if (gap.kind === "example_uncovered") {
    const value = JSON.stringify(gap.value);
    return parameter.examples.some((example) =>
      JSON.stringify(example.value) === value && example.hits > 0
    );
  }
  if (gap.kind === "value_uncovered") return undefined;
  const own = parameterIn(report, gap)?.keywords.find(({ schema_path }) =>
    schema_path === gap.schema_path
  );
  return parameter.keywords.some((keyword) =>
    keyword.keyword === own?.keyword && keyword.value_hash === own.value_hash &&
    keyword[gap.state] > 0
  );
}

function texts(gaps: readonly Gap[]): string[] {
  return gaps.map((gap) => JSON.stringify(gap));
}

/** What must hold for every comparison, by description. */
const FACTS: Readonly<Record<string, (report: Report, base: Report) => void>> = {
  "a report has no difference from itself": (report) => {
    const { new_gaps, uncovered_additions, closed_gaps, added, removed } = compareReports(
      report,
      report,
    );
    const lists = [new_gaps, uncovered_additions, closed_gaps, added, removed];
    assert.deepEqual(lists, [[], [], [], [], []]);
  },
  "new gaps were covered in the baseline, and include all such operations, parameters and responses":
    (report, base) => {
      const comparison = compareReports(report, base);
      const gaps = new Set(texts(report.gaps));
      const fresh = new Set(texts(comparison.new_gaps));
      const added = new Set(texts(comparison.uncovered_additions));
      for (const gap of [...fresh, ...added]) assert.ok(gaps.has(gap), gap);
      for (const gap of fresh) assert.ok(!added.has(gap), gap);
      for (const gap of comparison.new_gaps) {
        assert.equal(wasCovered(base, report, gap), true, JSON.stringify(gap));
      }
      for (const gap of report.gaps) {
        if (!isDimensionGap(gap) || "schema_path" in gap) continue;
        const before = wasCovered(base, report, gap);
        const text = JSON.stringify(gap);
        assert.equal(fresh.has(text), before === true, text);
        assert.equal(added.has(text), before === undefined, text);
      }
    },
  "closed gaps are new in the reverse comparison": (report, base) => {
    const forth = compareReports(report, base);
    const back = compareReports(base, report);
    assert.equal(forth.closed_gaps.length, back.new_gaps.length);
    assert.equal(forth.new_gaps.length, back.closed_gaps.length);
    assert.deepEqual(forth.added, back.removed);
    assert.deepEqual(forth.removed, back.added);
  },
  "parts that were added, removed, opened and closed add up to the difference of the counts": (
    report,
    base,
  ) => {
    const { new_gaps, closed_gaps, added, removed } = compareReports(report, base);
    for (const kind of ["operation", "parameter", "response"] as const) {
      const [before, now] = [base.summary[`${kind}s`], report.summary[`${kind}s`]];
      // Parts that one report can't show are neither added nor removed, neither new nor closed.
      const areMeasured = [base, report].every(({ summary }) => summary.responses.measured);
      if (kind === "response" && !areMeasured) continue;
      assert.equal(
        now.total,
        before.total + countParts(added, kind) - countParts(removed, kind),
        `${kind}s`,
      );
      assert.equal(
        now.seen,
        before.seen + countGaps(closed_gaps, kind) - countGaps(new_gaps, kind) +
          countParts(added, kind, true) - countParts(removed, kind, true),
        `${kind}s covered`,
      );
    }
  },
  "keywords with the same place and value are compared, whatever else changed": (
    report,
    base,
  ) => {
    const fresh = new Set(texts(compareReports(report, base).new_gaps));
    for (const gap of report.gaps) {
      if (gap.kind !== "keyword_uncovered") continue;
      const same = (from: Report) =>
        parameterIn(from, gap)?.keywords.find(({ schema_path }) => schema_path === gap.schema_path);
      const [before, now] = [same(base), same(report)];
      if (before === undefined || before.value_hash !== now?.value_hash) continue;
      assert.equal(fresh.has(JSON.stringify(gap)), before[gap.state] > 0, JSON.stringify(gap));
    }
  },
};

function countParts(list: Comparison["added"], kind: string, isCovered = false): number {
  return list.filter((part) => part.kind === kind && (!isCovered || part.covered)).length;
}

function countGaps(list: readonly Gap[], kind: string): number {
  return list.filter((gap) => gap.kind === `${kind}_uncovered`).length;
}

// Making two reports takes longer than all checks.
Deno.test("a comparison agrees with facts derived from its two reports", () => {
  fc.assert(
    fc.property(PAIRS, ([base, report]) => {
      for (const [fact, assertFact] of Object.entries(FACTS)) {
        try {
          assertFact(report, base);
        } catch (error) {
          throw new Error(`It isn't so that ${fact}.`, { cause: error });
        }
      }
    }),
    { numRuns: 150 },
  );
});
