// Tests every description and recording in tests/fixtures/worked, in every format.
import { lcovParser } from "@friedemannsommer/lcov-parser";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DIMENSIONS, isDimensionGap } from "../../src/map/results.ts";
import { textWidth } from "../../src/report/text/text_width.ts";
import { generateTextReport } from "../../src/report/text_report.ts";
import { FOLDER, recordedIn, workedNames } from "../worked/worked_fixture.ts";
import { schemaProblems } from "./report_schema.ts";
import { elementsIn, readXml } from "./xml_tree.ts";

for (const name of workedNames()) {
  Deno.test(`every gap and finding of ${name} has a line, and all formats have the same totals`, async () => {
    const map = await recordedIn(FOLDER + name);
    const report = map.report();
    const { runs: [run] } = JSON.parse(map.generateReport({ format: "sarif" }));
    const findings = report.findings ?? [];
    assert.equal(run.results.length, findings.length + report.gaps.filter(isDimensionGap).length);

    const sections = await lcovParser({ from: map.generateReport({ format: "lcov" }) });
    const sum = (of: (section: typeof sections[number]) => number) =>
      sections.reduce((total, section) => total + of(section), 0);
    const { attributes } = readXml(map.generateReport({ format: "cobertura" }));
    assert.deepEqual(
      [
        sum(({ lines }) => lines.instrumented),
        sum(({ lines }) => lines.hit),
        sum(({ branches }) => branches.instrumented),
        sum(({ branches }) => branches.hit),
      ].map(String),
      ["lines-valid", "lines-covered", "branches-valid", "branches-covered"].map((name) =>
        attributes[name]
      ),
    );
    assert.equal(sum(({ functions }) => functions.instrumented), report.summary.operations.total);
    assert.equal(sum(({ functions }) => functions.hit), report.summary.operations.seen);
    for (const { lines, path } of sections) {
      const text = readFileSync(path, "utf8").split("\n");
      for (const { line } of lines.details) assert.ok((text[line - 1] ?? "").trim() !== "");
    }
    const junit = readXml(map.generateReport({ format: "junit" }));
    const kinds = new Set(findings.map(({ kind }) => kind));
    assert.equal(elementsIn(junit, "testcase").length, 5 + kinds.size);
  });

  Deno.test(`the reports of ${name} fit the JSON Schema and the terminal`, async () => {
    const report = (await recordedIn(FOLDER + name)).report();
    assert.deepEqual(schemaProblems(JSON.parse(JSON.stringify(report))), []);
    for (const showMissing of [[], DIMENSIONS]) {
      const text = generateTextReport(report, { width: 80, colored: false, showMissing });
      for (const line of text.split("\n")) assert.ok(textWidth(line) <= 80, line);
    }
  });
}
