import type { CoverageMap } from "../coverage_map/coverage_map.ts";
import { defaultFileName, type ReportFormat } from "../report/reporters.ts";
import type { Report } from "../report/report.ts";
import { crowdedSentences, folderOf } from "../report/source/line_copies.ts";
import type { SourceCoverage } from "../report/source/source_coverage.ts";
import { type GuardedOutput, OutputGuard } from "./output_guard.ts";
import type { Output } from "./outputs.ts";
import { writeOutput } from "./write_output.ts";

/** The lines that reports show: those of the description, or of formatted copies where it has too few of them. */
export class LineSources {
  readonly #map: CoverageMap;
  readonly #report: Report;
  readonly #sources = new Map<string | undefined, SourceCoverage>();
  readonly #warnings = new Set<string>();

  /** Finds nothing before somebody asks. */
  constructor(map: CoverageMap, report: Report) {
    this.#map = map;
    this.#report = report;
  }

  /** What is to be said of files with too few lines: sentences. */
  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  /** Where things stand, for one report. Copies go beside its file, so standard output has none. */
  of({ format, path }: Output): SourceCoverage {
    const folder = path === undefined ? undefined : folderOf(path);
    let source = this.#sources.get(folder);
    if (source === undefined) {
      this.#sources.set(folder, source = this.#map.sourceCoverage(this.#report, folder));
    }
    const example = exampleOf(format);
    for (const sentence of crowdedSentences(source.crowded ?? [], example)) {
      this.#warnings.add(sentence);
    }
    return source;
  }

  /**
   * Writes the copies that reports refer to.
   *
   * @param outputs The reports.
   * @param inputs What is read, and must not be written.
   * @throws {CommandError} where a copy cannot be written, or would be written over something else.
   */
  async writeCopies(
    outputs: readonly GuardedOutput[],
    inputs: readonly (string | undefined)[],
  ): Promise<void> {
    const copies = [...this.#sources.values()].flatMap(({ crowded = [] }) =>
      crowded.flatMap(({ copy }) => copy === undefined ? [] : [copy])
    );
    if (copies.length === 0) return;
    const guarded = copies.map(({ path }) => ({ name: "The formatted copy", path }));
    await new OutputGuard([...outputs, ...guarded]).check(inputs);
    for (const { path, text } of copies) await writeOutput(path, [text]);
  }
}

function exampleOf(format: ReportFormat): string {
  return `${format}=${defaultFileName(format)}`;
}
