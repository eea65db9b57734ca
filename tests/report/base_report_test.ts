import assert from "node:assert/strict";
import { readBaseReport } from "../../src/report/base_report.ts";
import { compareReports } from "../../src/report/comparison/compare_reports.ts";
import { shopReport } from "./shop_report.ts";

Deno.test("a JSON report is accepted as a base, as an object and parsed from text", () => {
  const report = shopReport();
  assert.equal(readBaseReport(report), report);
  assert.deepEqual(readBaseReport(JSON.parse(JSON.stringify(report))).gaps, report.gaps);
});

Deno.test("a file that isn't a report is rejected with advice", () => {
  const { summary } = shopReport();
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [null, /^This isn't a covtool JSON report in format version 1\. Write one with --format json/],
    ["text", /^This isn't a covtool JSON report/],
    [[], /^This isn't a covtool JSON report/],
    [
      { ...shopReport(), format_version: 2 },
      /^This JSON report has format version 2, but this version of covtool reads 1\. Write it again/,
    ],
    [{ ...shopReport(), summary: undefined }, /has no percentage of operations in its summary/],
    [
      { ...shopReport(), summary: { ...summary, keywords: { percent: "80" } } },
      /has no percentage of keywords in its summary/,
    ],
    [{ ...shopReport(), gaps: {} }, /has no list of gaps/],
    [{ ...shopReport(), gaps: [{ kind: "operation_uncovered" }] }, /has no list of gaps/],
    [{ ...shopReport(), gaps: [null] }, /has no list of gaps/],
    [{ ...shopReport(), operations: undefined }, /has no list of operations/],
    [{ ...shopReport(), operations: [{}] }, /has no list of operations/],
    [
      {
        ...shopReport(),
        operations: [{ method: "GET", path: "/", hits: 1, responses: [], parameters: [{}] }],
      },
      /has no list of operations/,
    ],
    [{ ...shopReport(), schema: {} }, /has no description with title and version/],
  ];
  for (const [value, message] of cases) {
    assert.throws(() => readBaseReport(value), { name: "TypeError", message });
  }
});

Deno.test("gaps of unknown kinds are read, whatever their names", () => {
  const report = shopReport();
  for (const kind of ["header_uncovered", "constructor"]) {
    const gaps = [{ kind, method: "GET", path: "/books" }];
    assert.doesNotThrow(() => compareReports(report, readBaseReport({ ...report, gaps })));
  }
});

/** The paths of all values inside a value, three of each kind. */
function* pathsIn(value: unknown, path = "", seen = new Map<string, number>()): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const kind = `${path}/${name}`.replaceAll(/\/\d+/g, "/*");
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    if (count <= 3) yield `${path}/${name}`;
    yield* pathsIn(member, `${path}/${name}`, seen);
  }
}

Deno.test("a report with any part replaced is compared, or refused with a message", async () => {
  const fixture = async (folder: string) =>
    JSON.parse(
      await Deno.readTextFile(new URL(`../fixtures/${folder}/coverage.json`, import.meta.url)),
    );
  const report = await fixture("golden_baseline");
  const base = await fixture("golden");
  let refused = 0;
  for (const path of pathsIn(base)) {
    for (const value of [{}, null, [], "x", 1.5, true]) {
      const names = path.slice(1).split("/");
      const copy = structuredClone(base);
      const holder = names.slice(0, -1).reduce((at, name) => at[name], copy);
      holder[names.at(-1) ?? ""] = value;
      try {
        compareReports(report, readBaseReport(copy));
      } catch (error) {
        assert.match(String(error), /^TypeError: (The report to compare with|This) /, path);
        refused++;
      }
    }
  }
  assert.ok(refused > 100, `${refused}`);
});
