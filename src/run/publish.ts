import { Ansis } from "ansis";
import { gzipBytes } from "../files/gzip_bytes.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { checkThresholds, type Shortfall } from "../map/thresholds.ts";
import type { DescriptionView } from "../report/html/description_view.ts";
import { compareReports } from "../report/comparison/compare_reports.ts";
import { generatedAt } from "../report/generated_at.ts";
import type { Report } from "../report/report.ts";
import { sentenceList } from "../report/wording/amounts.ts";
import { staleExclusions } from "../report/wording/stale_exclusions.ts";
import { CommandError } from "./command_error.ts";
import type { Unmet } from "./exit_line.ts";
import {
  checkAdditions,
  checkConditions,
  checkFailOn,
  type FailedCondition,
  failingFindings,
} from "./fail_on.ts";
import type { Host } from "./host.ts";
import { LineSources } from "./line_sources.ts";
import { loadMap } from "./load_map.ts";
import type { Measurement } from "./measure.ts";
import { optionWarnings } from "./option_warnings.ts";
import { guardedReports, type Output } from "./outputs.ts";
import { type PublishOptions, thresholdsOf } from "./publish_options.ts";
import { foreignBaseline, readBaseline } from "./read_baseline.ts";
import { isColored } from "./terminal.ts";
import { writeReport } from "./write_report.ts";
import { MEASURE_NAMES } from "../report/threshold_lines.ts";
import { warnOfNothing, writeRound, writeSummary } from "./write_summary.ts";

/** A measurement to report. */
export interface Published extends Measurement {
  /** The warning to print if no request was recorded: sentences. */
  readonly nothingRecorded?: string | undefined;
  /**
   * The last report of a session that measures again and again: standard error then has what changed since, and a
   * terminal doesn't get the same report another time.
   */
  readonly since?: Report | undefined;
  /** The warnings of the last report of such a session, which are not repeated; replaced by those of this one. */
  readonly said?: Set<string> | undefined;
  /** Is called with the report. */
  readonly onReport?: ((report: Report) => void) | undefined;
}

/**
 * Writes the reports, and a summary on standard error.
 *
 * @returns the thresholds that are not met, and the conditions that fail the run.
 * @throws {CommandError} if a report cannot be written.
 * @throws {OverwriteError} if a report would be written over an input.
 */
export type Publish = (measured: Published) => Promise<Unmet>;

/**
 * Checks everything about the reports that can be checked before there is traffic.
 *
 * @param outputs The reports to write, from {@linkcode chooseOutputs}.
 * @param inputs Further files to read, which must not be overwritten; undefined is ignored.
 * @param guard Guards these reports and other outputs of the command (default: the reports).
 * @throws {CommandError} if the baseline cannot be read, or a condition needs one.
 * @throws {OverwriteError} if a report would be written over an input or another report.
 */
export async function preparePublish(
  outputs: readonly Output[],
  options: PublishOptions,
  inputs: readonly (string | undefined)[],
  host: Host,
  guard: OutputGuard = new OutputGuard(guardedReports(outputs)),
): Promise<Publish> {
  await guard.check([options.schema, ...inputs, options.baseline]);
  reportTime(host); // a wrong SOURCE_DATE_EPOCH is an error before tests run
  checkConditions(options.failOn.flat(), options);
  const { baseline } = options;
  const base = await readBaseline(baseline, () => loadMap(options));
  if (base?.tellsAdditions === false) checkAdditions(options.failOn.flat(), baseline ?? "");
  const thresholds = thresholdsOf(options);
  const failOnFindings = failingFindings(options.failOn.flat());
  return async ({ map, warnings, recordings = [], nothingRecorded, since, said, onReport }) => {
    await guard.check([...map.documentUrls(), ...recordings]);
    const measured = map.report({ title: options.title, generatedAt: reportTime(host) });
    const report = base === undefined
      ? measured
      : { ...measured, comparison: compareReports(measured, base.report) };
    const foreign = baseline === undefined ? undefined : foreignBaseline(report, baseline);
    const { variables, stderr } = host;
    const colors = new Ansis(isColored(options.color, variables, stderr) ? 1 : 0);
    const isWarned = await warnOfNothing(report, nothingRecorded, colors, host);
    const lines = new LineSources(map, report);
    onReport?.(report);
    const isAgain = since !== undefined;
    for (const output of outputs) {
      if (isAgain && output.path === undefined && host.stdout.isTerminal) continue;
      const [source, view] = [() => lines.of(output), () => map.descriptionView(report)];
      const hits = () => map.exportHits();
      const input = { thresholds, failOnFindings, source, view, hits, compress: gzipBytes };
      await writeReport(report, output, input, options, host, () => lines.checkCopies(guard));
    }
    await lines.writeCopies(guard);
    const shortfalls = checkThresholds(report.summary, thresholds);
    let shown: DescriptionView | undefined;
    const valueOf = (path: string): unknown =>
      (shown ??= map.descriptionView(report)).valueOf(path);
    const failed = checkFailOn(options.failOn.flat(), { report, valueOf });
    const foreignWarnings = foreign === undefined ? [] : [foreign];
    const noticed = [
      ...warnings,
      ...base?.warnings ?? [],
      ...foreignWarnings,
      ...staleWarnings(report, failed),
      ...optionWarnings(options, outputs),
      ...lines.warnings,
    ];
    const { unjudged } = options;
    const messages = {
      warnings: newWarnings(noticed, said),
      shortfalls,
      failed,
      isWarned,
      unjudged,
    };
    if (isAgain) {
      await writeRound(report, since, messages, valueOf, colors, host);
    } else await writeSummary(report, outputs, messages, colors, host);
    return [...unmetThresholds(shortfalls), ...failed.map(({ condition }) => condition)];
  };
}

/** Leaves out the warnings that were already printed, and remembers these. */
function newWarnings(warnings: readonly string[], said: Set<string> | undefined): string[] {
  const fresh = warnings.filter((warning) => said?.has(warning) !== true);
  said?.clear();
  for (const warning of warnings) said?.add(warning);
  return fresh;
}

const NOTHING_LEFT =
  "Every operation is excluded, so thresholds have nothing to check. Look through include and exclude.";

/** Exclusions that should be changed or removed, and that nothing is left; the former unless the run fails for them, which says so. */
function staleWarnings(report: Report, failed: readonly FailedCondition[]): readonly string[] {
  const { operations, summary } = report;
  const isEmpty = operations.length > 0 && summary.operations.total === 0;
  const isSaid = failed.some(({ condition }) => condition === "stale-exclusions");
  return [
    ...(isEmpty ? [NOTHING_LEFT] : []),
    ...(isSaid ? [] : staleExclusions(report)),
  ];
}

function unmetThresholds(shortfalls: readonly Shortfall[]): string[] {
  if (shortfalls.length === 0) return [];
  const names = sentenceList(shortfalls.map(({ dimension }) => MEASURE_NAMES[dimension]));
  return [`${shortfalls.length === 1 ? "threshold" : "thresholds"} of ${names}`];
}

function reportTime(host: Host): string {
  try {
    // Empty rather than undefined, for which it would look into the environment of this process.
    return generatedAt(host.variables["SOURCE_DATE_EPOCH"] ?? "", host.now());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(error.message, error);
  }
}
