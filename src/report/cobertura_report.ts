import { groupItems } from "../values/collections.ts";
import type { Report } from "./report.ts";
import { type LineCount, lineCounts, type LineTotals, lineTotals } from "./source/line_counts.ts";
import type { SourceCoverage, SourceFile } from "./source/source_coverage.ts";
import { xmlText } from "./text/plain_text.ts";

interface CountedFile {
  readonly file: SourceFile;
  readonly lines: readonly LineCount[];
}

/** Writes the lines of the description as Cobertura XML: a class is a file, a method an operation. */
export function* generateCoberturaReport(
  report: Report,
  source: SourceCoverage,
): Iterable<string> {
  const counted = source.files.map((file) => ({ file, lines: lineCounts(file.marks) }));
  const packages = groupItems(
    counted,
    ({ file: { path } }) => path.slice(0, Math.max(0, path.lastIndexOf("/"))) || ".",
  );
  const totals = lineTotals(counted.flatMap(({ lines }) => lines));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<coverage ${
    rates(totals)
  } lines-covered="${totals.linesHit}" lines-valid="${totals.lines}"` +
    ` branches-covered="${totals.branchesTaken}" branches-valid="${totals.branches}" complexity="0"` +
    ` version="${xmlText(`${report.tool.name} ${report.tool.version}`)}"` +
    ` timestamp="${Date.parse(report.generated_at)}">\n`;
  yield "<sources><source>.</source></sources>\n<packages>\n";
  for (const [folder, files] of packages) {
    yield `<package name="${xmlText(folder)}" ${
      rates(lineTotals(files.flatMap(({ lines }) => lines)))
    } complexity="0">\n<classes>\n`;
    for (const file of files) yield* classElement(file);
    yield "</classes>\n</package>\n";
  }
  yield "</packages>\n</coverage>\n";
}

function* classElement({ file, lines }: CountedFile): Generator<string, void, undefined> {
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  yield `<class name="${xmlText(name)}" filename="${xmlText(file.path)}" ${
    rates(lineTotals(lines))
  } complexity="0">\n<methods>\n`;
  for (const { name, line, hits } of file.operations) {
    yield `<method name="${xmlText(name)}" signature="" line-rate="${
      hits > 0 ? 1 : 0
    }" branch-rate="1" complexity="0"><lines><line number="${line}" hits="${hits}"/></lines></method>\n`;
  }
  yield "</methods>\n<lines>\n";
  for (const line of lines) {
    yield `<line number="${line.line}" hits="${line.hits}"${branch(line)}/>\n`;
  }
  yield "</lines>\n</class>\n";
}

function branch(line: LineCount): string {
  const { branches, branchesTaken } = lineTotals([line]);
  if (branches === 0) return "";
  return ` branch="true" condition-coverage="${
    wholePercent(branchesTaken, branches)
  }% (${branchesTaken}/${branches})"`;
}

function wholePercent(part: number, whole: number): number {
  if (part === 0 || part === whole) return part === 0 ? 0 : 100;
  return Math.min(99, Math.max(1, Math.round(100 * part / whole)));
}

function rates({ lines, linesHit, branches, branchesTaken }: LineTotals): string {
  return `line-rate="${rate(linesHit, lines)}" branch-rate="${rate(branchesTaken, branches)}"`;
}

/** 1 if there is nothing to cover, as in other writers of this format. */
function rate(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}
