import { Ansis } from "ansis";
import { OutputGuard } from "../../files/output_guard.ts";
import { USAGE_REPORTERS, type UsageFormat } from "../../report/usage/usage_reporters.ts";
import type { UsageReport } from "../../report/usage/usage_report.ts";
import { usageSummaryLines } from "../../report/usage/usage_text_report.ts";
import { withoutCommands } from "../../report/text/without_commands.ts";
import { wrapText } from "../../report/text/text_width.ts";
import { ApiMaps } from "../../coverage_map/api_maps.ts";
import type { CoverageMap } from "../../coverage_map/coverage_map.ts";
import { CommandError } from "../command_error.ts";
import type { Unmet } from "../exit_line.ts";
import type { Host } from "../host.ts";
import type { Description } from "../load_map.ts";
import { measure, type Measurement } from "../measure.ts";
import { guardedReports, type Output } from "../outputs.ts";
import { reportTime } from "../report_time.ts";
import { saidText } from "../said_text.ts";
import { isColored, outputWidth } from "../terminal.ts";
import { writeChunks } from "../write_report.ts";
import { joinSections, requirementLines, warningLines } from "../write_summary.ts";
import { checkCompareFailOn, type CompareCondition } from "./compare_fail_on.ts";

/** Options of a comparison. */
export interface CompareOptions extends Description {
  /** Recordings and hits of tests: files, folders, patterns, and `-`. */
  readonly tests: readonly string[];
  /** Logs, recordings and hits of production, likewise. */
  readonly production: readonly string[];
  /** The base path of production's traffic (default: that of the description). */
  readonly productionBasePath: string | undefined;
  /** The title of the report (default: the description's). */
  readonly title: string | undefined;
  readonly env?: readonly string[] | undefined;
  readonly logFormat?: string | undefined;
  readonly carry?: boolean | undefined;
  readonly jobs?: number | undefined;
  /** The conditions that fail the run, one list per option. */
  readonly compareFailOn: readonly (readonly CompareCondition[])[];
  /** Uses colours; undefined lets environment and terminal decide. */
  readonly color: boolean | undefined;
}

/**
 * Measures the traffic of tests and that of production by one description, and writes the comparison.
 *
 * @param outputs The reports to write.
 * @returns the conditions that fail the run.
 * @throws {CommandError} and the errors of loading and reading, each with a sentence for the user.
 */
export async function compareUsage(
  outputs: readonly Output<UsageFormat>[],
  options: CompareOptions,
  host: Host,
): Promise<Unmet> {
  const guard = new OutputGuard(guardedReports(outputs));
  await guard.check([options.schema, ...options.tests, ...options.production]);
  if ([...options.tests, ...options.production].filter((name) => name === "-").length > 1) {
    throw new CommandError("Standard input can only be read once. Remove the extra -.");
  }
  const tests = await measure({ ...options, traffic: options.tests }, host);
  const production = await measure({
    ...options,
    basePath: options.productionBasePath ?? options.basePath,
    traffic: options.production,
  }, host);
  const map = single(tests);
  await guard.check([
    ...map.documentUrls(),
    ...tests.recordings ?? [],
    ...production.recordings ?? [],
  ]);
  const report = map.compareUsage(single(production), {
    title: options.title,
    generatedAt: reportTime(host),
  });
  for (const { format, path } of outputs) await writeUsage(report, format, path, options, host);
  const failed = checkCompareFailOn(options.compareFailOn.flat(), report);
  const warnings = [
    ...sideWarnings("Tests", tests),
    ...sideWarnings("Production", production),
    ...nothingMatched(report),
  ];
  const { variables, stderr } = host;
  const width = outputWidth(variables, stderr);
  const colors = new Ansis(isColored(options.color, variables, stderr) ? 1 : 0);
  const isShown = outputs.some(({ path }) => path === undefined);
  const said = joinSections([
    isShown ? [] : usageSummaryLines(report, width, colors),
    warningLines(warnings, width, colors),
    outputs.flatMap(({ path }) =>
      path === undefined ? [] : wrapText(saidText(`Report: ${path}`), width)
    ),
    ...requirementLines({ warnings: [], missed: [], failed, isWarned: false }, width, colors),
  ]);
  await stderr.write(withoutCommands(said));
  return failed.map(({ condition }) => condition);
}

async function writeUsage(
  report: UsageReport,
  format: UsageFormat,
  path: string | undefined,
  { color }: CompareOptions,
  host: Host,
): Promise<void> {
  const reporter = USAGE_REPORTERS.find(({ name }) => name === format);
  if (reporter === undefined) throw new TypeError(`Unknown format ${format}.`);
  const stream = path === undefined ? host.stdout : undefined;
  const chunks = reporter.write(report, {
    width: outputWidth(host.variables, stream),
    colored: isColored(color, host.variables, stream),
  });
  await writeChunks(chunks, path, reporter.log, host);
}

function single({ map }: Measurement): CoverageMap {
  if (map instanceof ApiMaps) throw new TypeError("Several APIs were measured, and one expected.");
  return map;
}

function sideWarnings(side: string, { warnings }: Measurement): string[] {
  return warnings.map((warning) => `${side}: ${warning}`);
}

/** A side without requests that match is a mistake more often than a finding. */
function nothingMatched(report: UsageReport): string[] {
  return (["tests", "production"] as const).filter((side) => report[side].matched === 0).map((
    side,
  ) =>
    side === "tests"
      ? "No request of tests matches an operation. Look at --tests and --base-path."
      : "No request of production matches an operation. Look at --production and --production-base-path."
  );
}
