import { Ansis } from "ansis";
import { ApiMaps } from "../coverage_map/api_maps.ts";
import type { CoverageMap } from "../coverage_map/coverage_map.ts";
import { OutputGuard } from "../files/output_guard.ts";
import type { Report } from "../report/report.ts";
import { thresholdLines } from "../report/threshold_lines.ts";
import type { Unmet } from "./exit_line.ts";
import type { Host } from "./host.ts";
import type { MeasuredMap } from "./load_apis.ts";
import { prepareReport } from "./make_report.ts";
import type { Measurement } from "./measure.ts";
import { withDropped } from "./dropped_hits.ts";
import { optionWarnings } from "./option_warnings.ts";
import { guardedReports, type Output } from "./outputs.ts";
import { preparePublishApis } from "./publish_apis.ts";
import type { PublishOptions } from "./publish_options.ts";
import { unmetNames } from "./unmet_names.ts";
import { isColored } from "./terminal.ts";
import { writeReport } from "./write_report.ts";
import { warnOfNothing, writeRound, writeSummary } from "./write_summary.ts";

/** A measurement to report. */
export interface Published extends Measurement {
  /** The warning to print if no request was recorded: sentences. */
  readonly nothingRecorded?: string | undefined;
  /**
   * The last report of a session that measures again and again, of several APIs one for each: standard error then has
   * what changed since, and a terminal doesn't get the same report another time.
   */
  readonly since?: readonly Report[] | undefined;
  /** The warnings of the last report of such a session, which are not repeated; replaced by those of this one. */
  readonly said?: Set<string> | undefined;
  /** Is called with the report, or with those of several APIs. */
  readonly onReports?: ((reports: readonly Report[]) => void) | undefined;
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
  const { apis = [options] } = options;
  await guard.check([
    options.schema,
    ...inputs,
    ...apis.flatMap(({ schema, baseline }) => [schema, baseline]),
  ]);
  if (options.apis !== undefined) {
    const publish = await preparePublishApis(outputs, options, options.apis, host, guard);
    return async ({ map, recordings = [], said, since, onReports, ...measured }) => {
      const maps = severalMaps(map);
      await guard.check([...maps.documentUrls(), ...recordings]);
      const newOnes = (warnings: readonly string[]) => newWarnings(warnings, said);
      return await publish({ ...measured, maps, since, newWarnings: newOnes, onReports });
    };
  }
  const make = await prepareReport(options, host);
  return async ({ map, warnings, recordings = [], dropped, nothingRecorded, ...session }) => {
    const { since, said, onReports } = session;
    await guard.check([...map.documentUrls(), ...recordings]);
    const made = make(singleMap(map), (report) => withDropped(report, dropped));
    const { report, lines, inputFor, valueOf, judge } = made;
    const { variables, stderr } = host;
    const colors = new Ansis(isColored(options.color, variables, stderr) ? 1 : 0);
    const [last] = since ?? [];
    const isOnScreen = ({ path }: Output) => path === undefined && host.stdout.isTerminal;
    // Whoever looks at a text report reads it there.
    const isTold = last === undefined &&
      outputs.some((output) => output.format === "text" && isOnScreen(output));
    const isWarned = await warnOfNothing(report, nothingRecorded, isTold, colors, host);
    onReports?.([report]);
    for (const output of outputs) {
      if (last !== undefined && isOnScreen(output)) continue;
      const input = inputFor(output);
      await writeReport(report, output, input, options, host, () => lines.checkCopies(guard));
    }
    await lines.writeCopies(guard);
    const judgement = judge();
    const noticed = [
      ...warnings,
      ...judgement.warnings,
      ...optionWarnings(options, outputs),
      ...lines.warnings,
    ];
    const missed = thresholdLines(judgement.shortfalls);
    const { failed } = judgement;
    const { unjudged } = options;
    const messages = { warnings: newWarnings(noticed, said), missed, failed, isWarned, unjudged };
    if (last !== undefined) {
      await writeRound(report, last, messages, valueOf, colors, host);
    } else await writeSummary(report, outputs, messages, colors, host);
    return unmetNames(judgement);
  };
}

function singleMap(map: MeasuredMap): CoverageMap {
  if (map instanceof ApiMaps) throw new TypeError("Several APIs were measured, and one expected.");
  return map;
}

function severalMaps(map: MeasuredMap): ApiMaps {
  if (map instanceof ApiMaps) return map;
  throw new TypeError("One API was measured, and several expected.");
}

/** Leaves out the warnings that were already printed, and remembers these. */
function newWarnings(warnings: readonly string[], said: Set<string> | undefined): string[] {
  const fresh = warnings.filter((warning) => said?.has(warning) !== true);
  said?.clear();
  for (const warning of warnings) said?.add(warning);
  return fresh;
}
