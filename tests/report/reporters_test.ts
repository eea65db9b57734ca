import assert from "node:assert/strict";
import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import {
  defaultFileName,
  formatsByExtension,
  REPORT_FORMATS,
  reportChunks,
  type ReportFormat,
} from "../../src/report/reporters.ts";
import { shopReport } from "./shop_report.ts";
import { withSourceShop } from "./source_shop.ts";
import { shopApi } from "../shop_api.ts";

/** The beginning of a report in each format. */
const BEGINNINGS: Readonly<Record<ReportFormat, string>> = {
  html: "<!doctype html>",
  json: '{\n  "format_version": 1',
  text: "Shop\n",
  markdown: "<!-- covtool report -->\n### Shop: API coverage\n",
  lcov: "TN:\nSF:",
  cobertura: '<?xml version="1.0" encoding="UTF-8"?>\n<coverage ',
  sarif: '{\n"$schema":"https://',
  junit: '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ',
  badge: "<svg ",
  overlay: 'overlay: "1.0.0"\n',
  hits: '{"covtool_hits":4,"covtool":"',
};

Deno.test("the library writes every format to a string and to a file", () =>
  withSourceShop(async (map, folder) => {
    for (const format of REPORT_FORMATS) {
      const text = map.generateReport({ format });
      assert.ok(text.startsWith(BEGINNINGS[format]), format);
      assert.ok(text.endsWith("\n"), format);
      const outputFile = `${folder}/out/${defaultFileName(format)}`;
      await map.saveReport({ format, outputFile });
      const saved = await Deno.readTextFile(outputFile);
      // The time may differ by a second.
      assert.equal(saved.length, text.length, format);
    }
  }));

Deno.test("every format has its own file name", () => {
  const names = REPORT_FORMATS.map(defaultFileName);
  assert.equal(new Set(names).size, REPORT_FORMATS.length);
  assert.equal(defaultFileName("lcov"), "coverage.info");
  assert.equal(defaultFileName("cobertura"), "coverage.cobertura.xml");
});

Deno.test("an extension suggests its formats, and each default file name its own format", () => {
  assert.deepEqual(formatsByExtension("XML"), ["cobertura", "junit"]);
  assert.deepEqual(formatsByExtension("constructor"), []);
  for (const format of REPORT_FORMATS) {
    const extension = defaultFileName(format).split(".").at(-1) ?? "";
    assert.ok(formatsByExtension(extension).includes(format), format);
  }
});

Deno.test("only the formats that show lines ask for the source", () => {
  const looked: string[] = [];
  for (const format of REPORT_FORMATS) {
    const source = () => {
      looked.push(format);
      return { files: [], positions: new Map(), operations: [] };
    };
    const hits = () => new Uint8Array();
    for (const _chunk of reportChunks(shopReport(), format, { source, hits })) { /* all of it */ }
  }
  assert.deepEqual(looked, ["lcov", "cobertura", "sarif"]);
});

Deno.test("options reach the format that they are for", () =>
  withSourceShop((map) => {
    const { operations } = map.statistic();
    assert.deepEqual(operations, { seen: 1, total: 3 });
    const junit = map.generateReport({ format: "junit", thresholds: { operations: 50 } });
    assert.ok(junit.includes('message="operations: 33.3% is below 50%"'));
    const badge = map.generateReport({ format: "badge", badge: ["examples"] });
    assert.ok(badge.includes(">examples 50%<"));
    const base = JSON.parse(map.generateReport({ format: "json" }));
    map.record({ method: "DELETE", url: "http://localhost/books/1" });
    const markdown = map.generateReport({ format: "markdown", base, title: "Other" });
    assert.ok(markdown.includes("### Other: API coverage"));
    assert.ok(markdown.includes("| Operations | 66.7% | +33.3 | 2 of 3, 1 succeeded |"));
    assert.match(
      markdown,
      /\n\*\*Since the baseline of .*\*\*\n\n- No new gaps\n- Operations .*33\.3 points\n- 1 gap closed\n/,
    );
  }));

Deno.test("a base that isn't a report and an unknown format are refused", () => {
  const map = CoverageMap.fromDict(shopApi({}));
  assert.throws(() => map.generateReport({ format: "markdown", base: {} as never }), {
    message: /a covtool JSON report/,
  });
  assert.throws(() => map.generateReport({ format: "pdf" as never }), {
    message: 'Unknown format "pdf". Choose html, json, text, markdown, lcov, cobertura, sarif, ' +
      "junit, badge, overlay or hits.",
  });
});
