// Every description and recording of tests/fixtures/worked, in the formats that show lines.
import { lcovParser } from "@friedemannsommer/lcov-parser";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isOfDimension } from "../../src/map/results.ts";
import { FOLDER, mapOf, trafficOf, workedNames } from "../worked/worked_fixture.ts";
import { elementsOf, readXml } from "./xml_tree.ts";

for (const name of workedNames()) {
  Deno.test(`every gap and finding of ${name} has its line, and lines add up alike everywhere`, async () => {
    const map = await mapOf(FOLDER + name);
    for (const { request, response, timestamp } of trafficOf(FOLDER + name)) {
      map.record(request, response, timestamp);
    }
    const report = map.report();
    const { runs: [run] } = JSON.parse(map.generateReport({ format: "sarif" }));
    const findings = report.findings ?? [];
    assert.equal(run.results.length, findings.length + report.gaps.filter(isOfDimension).length);

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
    assert.equal(elementsOf(junit, "testcase").length, 5 + kinds.size);
  });
}
