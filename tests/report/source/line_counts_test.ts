import assert from "node:assert/strict";
import { lineCounts, lineTotals } from "../../../src/report/source/line_counts.ts";
import type { SourceMark } from "../../../src/report/source/source_coverage.ts";

function mark(line: number, hits: number): SourceMark {
  return { kind: "parameter", line, column: 1, hits, evaluations: null };
}

function keyword(line: number, valid: number, invalid: number): SourceMark {
  const evaluations = { valid, invalid };
  return { kind: "keyword", line, column: 9, hits: valid + invalid, evaluations };
}

Deno.test("a line with one thing counts as often as that was seen, and has no branches", () =>
  assert.deepEqual(lineCounts([mark(3, 0), mark(5, 7)]), [
    { line: 3, hits: 0, branches: [] },
    { line: 5, hits: 7, branches: [] },
  ]));

Deno.test("a keyword is two branches", () =>
  assert.deepEqual(lineCounts([keyword(3, 2, 0)]), [{ line: 3, hits: 2, branches: [[2, 0]] }]));

Deno.test("on a line with several counts, none hides another", () => {
  const [line] = lineCounts([mark(3, 9), keyword(3, 0, 1), mark(3, 0)]);
  assert.deepEqual(line, { line: 3, hits: 9, branches: [[9], [0, 1], [0]] });
});

Deno.test("lines and branches add up", () => {
  const lines = lineCounts([mark(1, 0), keyword(2, 1, 1), keyword(3, 0, 4), keyword(4, 0, 0)]);
  assert.deepEqual(lineTotals(lines), { lines: 4, linesHit: 2, branches: 6, branchesTaken: 3 });
});
