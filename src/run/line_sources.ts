import type { CoverageMap } from "../coverage_map/coverage_map.ts";
import { defaultFileName, type ReportFormat } from "../report/reporters.ts";
import type { Report } from "../report/report.ts";
import {
  copiesOf,
  crowdedSentences,
  folderOf,
  guardedCopies,
} from "../report/source/line_copies.ts";
import type { FormattedCopy, SourceCoverage } from "../report/source/source_coverage.ts";
import type { OutputGuard } from "../files/output_guard.ts";
import type { Output } from "./outputs.ts";
import { writeOutput } from "./write_output.ts";

/** The source lines that reports show: of the description, or of formatted copies if it has too few lines. */
export class LineSources {
  readonly #map: CoverageMap;
  readonly #report: Report;
  readonly #sources = new Map<string | undefined, SourceCoverage>();
  readonly #warnings = new Set<string>();

  /** Looks up lines only when a report asks. */
  constructor(map: CoverageMap, report: Report) {
    this.#map = map;
    this.#report = report;
  }

  /** Warnings about files with too few lines: sentences. */
  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  /** The lines for one report. Copies are written next to its file, so standard output has none. */
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
   * Checks that the formatted copies that reports refer to so far can be written.
   *
   * @param guard Knows the inputs and the other outputs.
   * @throws {OverwriteError} if a copy would be written over anything but an earlier copy.
   */
  async checkCopies(guard: OutputGuard): Promise<void> {
    const copies = this.#copies();
    if (copies.length > 0) await guard.with(guardedCopies(copies)).check();
  }

  /**
   * Writes the formatted copies that reports refer to.
   *
   * @param guard Knows the inputs and the other outputs.
   * @throws {CommandError} if a copy cannot be written.
   * @throws {OverwriteError} if a copy would be written over anything but an earlier copy.
   */
  async writeCopies(guard: OutputGuard): Promise<void> {
    await this.checkCopies(guard);
    for (const { path, text } of this.#copies()) await writeOutput(path, [text]);
  }

  #copies(): FormattedCopy[] {
    return [...this.#sources.values()].flatMap(({ crowded = [] }) => copiesOf(crowded));
  }
}

function exampleOf(format: ReportFormat): string {
  return `${format}=${defaultFileName(format)}`;
}
