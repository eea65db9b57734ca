import assert from "node:assert/strict";
import { generateLcovReport } from "../../src/report/lcov_report.ts";
import { lineCounts, lineTotals } from "../../src/report/source/line_counts.ts";
import type { SourceMark } from "../../src/report/source/source_coverage.ts";
import { withSourceShop } from "./source_shop.ts";

function mark(line: number, hits: number): SourceMark {
  return { kind: "response", line, column: 1, hits, evaluations: null };
}

function keyword(line: number, valid: number, invalid: number): SourceMark {
  const evaluations = { valid, invalid };
  return { kind: "keyword", line, column: 9, hits: valid + invalid, evaluations };
}

Deno.test("a line with one mark has its count, and no branches", () =>
  assert.deepEqual(lineCounts([mark(3, 0), mark(5, 7)]), [
    { line: 3, hits: 0, branches: [] },
    { line: 5, hits: 7, branches: [] },
  ]));

Deno.test("a keyword is two branches", () =>
  assert.deepEqual(lineCounts([keyword(3, 2, 0)]), [{ line: 3, hits: 2, branches: [[2, 0]] }]));

Deno.test("all marks on a line are branches", () => {
  const [line] = lineCounts([mark(3, 9), keyword(3, 0, 1), mark(3, 0)]);
  assert.deepEqual(line, { line: 3, hits: 9, branches: [[9], [0, 1], [0]] });
});

Deno.test("lines and branches add up", () => {
  const lines = lineCounts([mark(1, 0), keyword(2, 1, 1), keyword(3, 0, 4), keyword(4, 0, 0)]);
  assert.deepEqual(lineTotals(lines), { lines: 4, linesHit: 2, branches: 6, branchesTaken: 3 });
});

Deno.test("branches of a line that was never reached have a dash", () =>
  withSourceShop((map) => {
    const text = map.generateReport({ format: "lcov" });
    assert.ok(text.includes("BRDA:8,0,0,-\nBRDA:8,0,1,-\n"));
  }));

Deno.test("a hostile path or file name can't forge a record", () => {
  const text = [...generateLcovReport({
    files: [{
      path: "a\nend_of_record\nSF:b",
      marks: [mark(1, 0)],
      operations: [{ name: "GET /x\nDA:9,9", line: 1, hits: 0 }],
    }],
    positions: new Map(),
    operations: [],
  })].join("");
  assert.equal(text.match(/^SF:/gm)?.length, 1);
  assert.equal(text.match(/^end_of_record$/gm)?.length, 1);
  assert.equal(text.match(/^DA:/gm)?.length, 1);
});

Deno.test("a large tracefile is generated in chunks", () => {
  const marks = Array.from({ length: 50_000 }, (_, index) => mark(index + 1, index % 3));
  const files = [{ path: "openapi.json", marks, operations: [] }];
  const chunks = [...generateLcovReport({ files, positions: new Map(), operations: [] })];
  assert.ok(chunks.length > 5);
  assert.ok(chunks.every((chunk) => chunk.length < 100_000));
});
