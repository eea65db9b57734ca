// Every description and recording of tests/fixtures/worked, in the formats that show lines.
import { lcovParser } from "@friedemannsommer/lcov-parser";
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import { isOfDimension } from "../../src/map/results.ts";
import { elementsOf, readXml } from "./xml_tree.ts";

const FOLDER = decodeURIComponent(new URL("../fixtures/worked/", import.meta.url).pathname);
const DESCRIPTIONS = ["openapi.yaml", "openapi.json", "swagger.yaml", "swagger.json"];

async function load(folder: string): Promise<CoverageMap> {
  const description = DESCRIPTIONS.find((name) => existsSync(`${folder}/${name}`));
  const map = await CoverageMap.fromPath(`${folder}/${description}`);
  const { interactions } = JSON.parse(readFileSync(`${folder}/traffic.json`, "utf8"));
  for (const { request, response, timestamp } of interactions) {
    if (request.body_base64 === undefined) map.record(request, response, timestamp);
  }
  return map;
}

for (const entry of readdirSync(FOLDER, { withFileTypes: true })) {
  if (!entry.isDirectory()) continue;
  Deno.test(`every gap and finding of ${entry.name} has its line, and lines add up alike everywhere`, async () => {
    const map = await load(FOLDER + entry.name);
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
