import type { MeasuredApi } from "../coverage_map/measured_api.ts";
import { gzipBytes } from "../values/builtin.ts";
import { getOrAdd } from "../values/collections.ts";
import type { OutputGuard } from "../files/output_guard.ts";
import { type Gap, isDimensionGap } from "../map/results.ts";
import { type JudgedThreshold, judgeThresholds, type Shortfall } from "../map/thresholds.ts";
import { buildDescriptionView } from "../report/build/build_description_view.ts";
import { buildSourceCoverage } from "../report/build/build_source_coverage.ts";
import { generatedAt } from "../report/environment.ts";
import type { DescriptionView } from "../report/html/page_data.ts";
import { capitalized, formatNumber, formatPercent } from "../report/wording/amounts.ts";
import type { Report, ReportGate, ReportVerdict } from "../report/report.ts";
import type { ReporterInput } from "../report/reported_api.ts";
import { defaultFileName, findReporter } from "../report/reporters.ts";
import type { FormattedCopy, SourceCoverage } from "../report/source/source_coverage.ts";
import {
  chooseCopies,
  crowdedSentences,
  guardedCopies,
  parentFolder,
} from "../report/source/source_path.ts";
import { suggestCommand } from "../report/wording/shown_requests.ts";
import { staleExclusions } from "../report/wording/summary_wording.ts";
import { changesText, MEASURE_NAMES, unmeasuredText } from "../report/wording/verdict_text.ts";
import type { NextRequests } from "../suggest/suggestion.ts";
import { CommandError } from "./command_error.ts";
import {
  checkAdditions,
  checkConditions,
  type FailedCondition,
  failingFindings,
  judgeConditions,
  type JudgedCondition,
} from "./fail_on.ts";
import type { Host } from "./host.ts";
import { loadMap } from "./load_apis.ts";
import { locateTests, locateUnnoticed } from "./locate_tests.ts";
import { type Output, writeOutput } from "./outputs.ts";
import { chosenThresholds, type ReportOptions } from "./publish_options.ts";

export interface ReportData {
  readonly report: Report;
  readonly lines: LineSources;
  readonly inputFor: (output: Output) => Promise<ReporterInput>;
  readonly keywordValue: (schema_path: string) => unknown;
  readonly judgement: Judgement;
}

export interface Judgement {
  readonly shortfalls: readonly Shortfall[];
  readonly failed: readonly FailedCondition[];
  readonly warnings: readonly string[];
}

/** Makes the report of a map; `others` are those of other APIs, `adjust` may change the report before it is used. */
export type MakeReport = (
  map: MeasuredApi,
  others?: readonly MeasuredApi[],
  adjust?: (report: Report) => Report,
  copied?: Map<string, string>,
) => ReportData;

/** Reads the baseline of an API and checks its conditions, before there is traffic. */
export async function prepareReport(options: ReportOptions, host: Host): Promise<MakeReport> {
  reportTime(host); // a wrong SOURCE_DATE_EPOCH is an error before tests run
  checkConditions(options.failOn.flat(), options);
  const { baseline } = options;
  const base = baseline === undefined ? undefined : await (await import("./read_baseline.ts"))
    .readBaseline(baseline, options, () => loadMap(options));
  if (base?.isComplete === false) checkAdditions(options.failOn.flat(), baseline ?? "");
  const thresholds = chosenThresholds(options);
  const failOnFindings = failingFindings(options.failOn.flat());
  return (map, others, adjust = (report) => report, copied) => {
    const head = { title: options.title, generatedAt: reportTime(host) };
    const initial = adjust(map.report(head, others));
    const { gap: ids = [] } = options;
    // Gaps of values are listed only by their ids; gaps of the dimensions always.
    const isListed = (gap: Gap): boolean => isDimensionGap(gap) || ids.includes(gap.id ?? "");
    const measured = ids.length === 0 ? initial : { ...initial, gaps: map.gaps().filter(isListed) };
    const compared = base?.compare(measured) ?? measured;
    let descriptionView: DescriptionView | undefined;
    let nextRequests: NextRequests | undefined;
    const keywordValue = (path: string): unknown =>
      (descriptionView ??= buildDescriptionView(map, compared)).keywordValue(path);
    const judgedThresholds = judgeThresholds(compared.summary, thresholds);
    const conditions = judgeConditions(options.failOn.flat(), {
      report: compared,
      base: base?.report,
      keywordValue,
    });
    const failed = conditions.filter(({ reasons }) => reasons.length > 0);
    const { noticed } = compared;
    const located = noticed && { noticed: locateUnnoticed(noticed) };
    const report = withVerdict(
      { ...compared, ...located },
      makeVerdict(compared, judgedThresholds, conditions),
    );
    const lines = new LineSources(map, report, copied);
    return {
      report,
      lines,
      keywordValue,
      inputFor: async (output) => {
        const { nextRequestsFor } =
          options.suggestions !== false && findReporter(output.format).suggests
            ? await import("../coverage_map/suggest_for.ts")
            : {};
        const { testFormat } = options;
        const { copiedTests } = nextRequestsFor && testFormat !== undefined
          ? await import("../coverage_map/describe_tests.ts")
          : {};
        const { proposalLines } = output.format === "overlay"
          ? await import("../report/build/build_proposals.ts")
          : {};
        return {
          thresholds,
          failOnFindings,
          source: () => lines.of(output),
          view: () => buildDescriptionView(map, report),
          next: nextRequestsFor &&
            (() => {
              if (nextRequests !== undefined) return nextRequests;
              const suggested = nextRequestsFor(map, report);
              const found = { ...suggested, requests: locateTests(suggested.requests) };
              const tests = copiedTests?.(map, found.requests, testFormat ?? "");
              return nextRequests = { ...found, ...nextCommand(options, report), tests };
            }),
          hits: () => map.exportHits(),
          proposals: proposalLines && (() => proposalLines(map)),
          compress: gzipBytes,
        };
      },
      judgement: {
        shortfalls: judgedThresholds.filter(({ isMet }) => !isMet),
        failed,
        warnings: [...base?.warnings ?? [], ...staleWarnings(compared, failed)],
      },
    };
  };
}

/** Inserts the verdict among the first members, where people and programs look for it. */
function withVerdict(report: Report, verdict: ReportVerdict | undefined): Report {
  if (verdict === undefined) return report;
  const { format_version, tool, title, generated_at, nothing_counted, ...rest } = report;
  const uncounted = nothing_counted !== undefined && { nothing_counted };
  return { format_version, tool, title, generated_at, ...uncounted, verdict, ...rest };
}

function nextCommand(
  { inputs, schema }: ReportOptions,
  report: Report,
): Pick<NextRequests, "command" | "has_traffic"> {
  if (inputs === undefined) return {};
  const words = inputs.words.map((word) => word === schema ? report.schema.location : word);
  return { command: suggestCommand(words), has_traffic: inputs.haveTraffic };
}

/** Returns warnings about stale exclusions, unless the run fails because of them and so prints them anyway. */
function staleWarnings(report: Report, failed: readonly FailedCondition[]): readonly string[] {
  const isPrinted = failed.some(({ condition }) => condition === "stale-exclusions");
  return isPrinted ? [] : staleExclusions(report);
}

/** Returns the time for reports of a run: SOURCE_DATE_EPOCH if set, else now. */
export function reportTime(host: Host): string {
  try {
    // Not undefined, which would make generatedAt() read the environment of this process.
    return generatedAt(host.variables["SOURCE_DATE_EPOCH"] ?? "", host.now());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(error.message, error);
  }
}

function makeVerdict(
  { comparison }: Report,
  thresholds: readonly JudgedThreshold[],
  conditions: readonly JudgedCondition[],
): ReportVerdict | undefined {
  const gates = [...thresholds.map(thresholdGate), ...conditions.map(conditionGate)];
  if (gates.length === 0) return undefined;
  return {
    passed: gates.every(({ passed }) => passed),
    gates,
    ...(comparison !== undefined && { changes: changesText(comparison) }),
  };
}

function thresholdGate(judged: JudgedThreshold): ReportGate {
  const { dimension: name, minimum, isMet: passed } = judged;
  const asks = `at least ${minimum}${name === "tcl" ? "" : "%"}`;
  const found = reachedText(judged);
  const sentence = `${capitalized(MEASURE_NAMES[name])}: ${found}, ${asks} required`;
  return { kind: "threshold", name, asks, found, passed, sentence };
}

function reachedText(judged: JudgedThreshold): string {
  const { dimension, actual, minimum, counts, isMet } = judged;
  if (actual === null) return isMet ? "nothing to measure" : unmeasuredText(judged);
  if (dimension === "tcl") return String(actual);
  const short = formatPercent(actual);
  // Rounded, 79.96 would look like 80, the threshold that it misses.
  const isMisread = !isMet && (short === `${minimum}%` || short === formatPercent(minimum));
  const [count, total] = counts ?? [0, 0];
  return `${isMisread ? `${actual}%` : short} (${formatNumber(count)} of ${formatNumber(total)})`;
}

function conditionGate({ condition: name, asks, found, reasons }: JudgedCondition): ReportGate {
  const passed = reasons.length === 0;
  const sentence = found !== "none"
    ? `${capitalized(found)} found${passed ? "" : ", none allowed"}`
    : `${asks.startsWith("no ") ? capitalized(asks) : `No ${asks}`} found`;
  return { kind: "fail_on", name, asks, found, passed, sentence };
}

/** The source lines that reports show: of the description, or of formatted copies if it has too few lines. */
class LineSources {
  readonly #map: MeasuredApi;
  readonly #report: Report;
  readonly #sources = new Map<string | undefined, SourceCoverage>();
  readonly #warnings = new Set<string>();
  readonly #copied: Map<string, string>;

  constructor(map: MeasuredApi, report: Report, copied = new Map<string, string>()) {
    this.#map = map;
    this.#report = report;
    this.#copied = copied;
  }

  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  /** Returns the lines for one report. Copies are written beside its file, so standard output has none. */
  of({ format, path }: Output): SourceCoverage {
    const folder = path === undefined ? undefined : parentFolder(path);
    const source = getOrAdd(
      this.#sources,
      folder,
      () => buildSourceCoverage(this.#map, this.#report, folder, this.#copied),
    );
    const example = `${format}=${defaultFileName(format)}`;
    for (const sentence of crowdedSentences(source.crowded ?? [], example)) {
      this.#warnings.add(sentence);
    }
    return source;
  }

  async checkCopies(guard: OutputGuard): Promise<void> {
    const copies = this.#copies();
    if (copies.length > 0) await guard.with(guardedCopies(copies)).check();
  }

  async writeCopies(guard: OutputGuard): Promise<void> {
    await this.checkCopies(guard);
    for (const { path, text } of this.#copies()) await writeOutput(path, [text]);
  }

  #copies(): FormattedCopy[] {
    return [...this.#sources.values()].flatMap(({ crowded = [] }) => chooseCopies(crowded));
  }
}
