import { lineCounts, lineTotals } from "./source/line_counts.ts";
import type { SourceCoverage, SourceFile } from "./source/source_coverage.ts";
import { plainText } from "./text/plain_text.ts";

/** Writes the lines of the description as an lcov tracefile: an operation is a function, a keyword two branches. */
export function* generateLcovReport(source: SourceCoverage): Iterable<string> {
  for (const file of source.files) yield* record(file);
}

function* record({ path, marks, operations }: SourceFile): Generator<string, void, undefined> {
  yield `TN:\nSF:${plainText(path)}\n`;
  for (const { line, name } of operations) yield `FN:${line},${plainText(name)}\n`;
  for (const { hits, name } of operations) yield `FNDA:${hits},${plainText(name)}\n`;
  const called = operations.filter(({ hits }) => hits > 0).length;
  yield `FNF:${operations.length}\nFNH:${called}\n`;

  const lines = lineCounts(marks);
  const totals = lineTotals(lines);
  for (const { line, hits, branches } of lines) {
    for (const [block, taken] of branches.entries()) {
      for (const [branch, count] of taken.entries()) {
        // `-` marks a branch whose line was never reached.
        yield `BRDA:${line},${block},${branch},${hits === 0 ? "-" : count}\n`;
      }
    }
  }
  yield `BRF:${totals.branches}\nBRH:${totals.branchesTaken}\n`;
  for (const { line, hits } of lines) yield `DA:${line},${hits}\n`;
  yield `LF:${totals.lines}\nLH:${totals.linesHit}\nend_of_record\n`;
}
