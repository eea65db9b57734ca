import { lcovParser } from "@friedemannsommer/lcov-parser";
import assert from "node:assert/strict";
import { generateLcovReport } from "../../src/report/lcov_report.ts";
import type { SourceMark } from "../../src/report/source/source_coverage.ts";
import { withSourceShop } from "./source_shop.ts";

function mark(line: number, hits: number): SourceMark {
  return { kind: "response", line, column: 1, hits, evaluations: null };
}

Deno.test("an lcov parser reads lines, operations and keywords from the tracefile", () =>
  withSourceShop(async (map, folder) => {
    const sections = await lcovParser({ from: map.generateReport({ format: "lcov" }) });
    assert.deepEqual(
      sections.map(({ path }) => path),
      [`${folder}/openapi.yaml`, `${folder}/common/book.json`],
    );
    const [entry, book] = sections;
    assert.ok(entry !== undefined && book !== undefined);
    assert.deepEqual([entry.lines.instrumented, entry.lines.hit], [15, 8]);
    assert.deepEqual(
      entry.functions.details.map(({ name, line, hit }) => [name, line, hit]),
      [["GET /books", 7, 4], ["POST /books", 20, 0], ["DELETE /books/{id}", 28, 0]],
    );
    assert.deepEqual([entry.functions.instrumented, entry.functions.hit], [3, 1]);
    assert.deepEqual([entry.branches.instrumented, entry.branches.hit], [10, 7]);
    assert.deepEqual([book.branches.instrumented, book.branches.hit], [10, 0]);
  }));

Deno.test("branches of a line that was never reached are marked so", () =>
  withSourceShop((map) => {
    const text = map.generateReport({ format: "lcov" });
    assert.ok(text.includes("BRDA:8,0,0,-\nBRDA:8,0,1,-\n"));
  }));

Deno.test("a hostile path or file name cannot forge a record", () => {
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

Deno.test("a large tracefile comes in chunks", () => {
  const marks = Array.from({ length: 50_000 }, (_, index) => mark(index + 1, index % 3));
  const files = [{ path: "openapi.json", marks, operations: [] }];
  const chunks = [...generateLcovReport({ files, positions: new Map(), operations: [] })];
  assert.ok(chunks.length > 5);
  assert.ok(chunks.every((chunk) => chunk.length < 100_000));
});
