import { lcovParser } from "@friedemannsommer/lcov-parser";
import assert from "node:assert/strict";
import { generateLcovReport } from "../../src/report/lcov_report.ts";
import type { SourceMark } from "../../src/report/source/source_coverage.ts";
import { withSourceShop } from "./source_shop.ts";

function mark(line: number, hits: number): SourceMark {
  return { kind: "response", line, column: 1, hits, evaluations: null };
}

Deno.test("an lcov parser reads lines, operations and keywords from the tracefile", async () => {
  await withSourceShop(async (map, folder) => {
    const sections = await lcovParser({ from: map.generateReport({ format: "lcov" }) });
    assert.deepEqual(
      sections.map(({ path }) => path),
      [`${folder}/openapi.yaml`, `${folder}/common/book.json`],
    );
    const [entry, book] = sections;
    assert.ok(entry !== undefined && book !== undefined);
    assert.deepEqual(
      entry.lines.details.map(({ line, hit }) => [line, hit]),
      [
        [7, 4],
        [9, 3],
        [11, 0],
        [13, 3],
        [14, 3],
        [15, 1],
        [17, 4],
        [18, 0],
        [20, 0],
        [23, 0],
        [26, 0],
        [28, 0],
        [30, 0],
        [33, 1],
        [38, 1],
      ],
    );
    assert.deepEqual([entry.lines.instrumented, entry.lines.hit], [15, 8]);
    assert.deepEqual(
      entry.functions.details.map(({ name, line, hit }) => [name, line, hit]),
      [["GET /books", 7, 4], ["POST /books", 20, 0], ["DELETE /books/{id}", 28, 0]],
    );
    assert.deepEqual([entry.functions.instrumented, entry.functions.hit], [3, 1]);
    assert.deepEqual(
      entry.branches.details.map(({ line, block, branch, hit }) => [line, block, branch, hit]),
      [
        [13, 0, "0", 3],
        [13, 0, "1", 0],
        [14, 0, "0", 2],
        [14, 0, "1", 1],
        [15, 0, "0", 1],
        [15, 1, "0", 1],
        [15, 2, "0", 1],
        [15, 2, "1", 0],
        [38, 0, "0", 1],
        [38, 0, "1", 0],
      ],
    );
    assert.deepEqual([entry.branches.instrumented, entry.branches.hit], [10, 7]);
    assert.deepEqual([book.branches.instrumented, book.branches.hit], [10, 0]);
  });
});

Deno.test("the share of functions is the percentage of operations, from the same report", async () => {
  await withSourceShop(async (map) => {
    const sections = await lcovParser({ from: map.generateReport({ format: "lcov" }) });
    const { operations } = map.statistic();
    assert.equal(sections.reduce((sum, { functions }) => sum + functions.hit, 0), operations.seen);
    assert.equal(
      sections.reduce((sum, { functions }) => sum + functions.instrumented, 0),
      operations.total,
    );
  });
});

Deno.test("branches of a line that was never reached are marked so", async () => {
  await withSourceShop((map) => {
    const text = map.generateReport({ format: "lcov" });
    assert.ok(text.includes("BRDA:8,0,0,-\nBRDA:8,0,1,-\n"));
  });
});

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
