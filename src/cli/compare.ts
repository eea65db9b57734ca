import type { MeasuredApi } from "../coverage_map/measured_api.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { joinSections, textLines } from "../report/blocks/text_blocks.ts";
import { buildUsageReport } from "../report/build/build_usage_report.ts";
import { withoutCommands } from "../report/text/plain_text.ts";
import type { UsageReport } from "../report/usage/usage_report.ts";
import { USAGE_REPORTERS, type UsageFormat } from "../report/usage/usage_reporters.ts";
import { usageSummary } from "../report/usage/usage_wording.ts";
import { usageError } from "../run/command_error.ts";
import { checkCompareFailOn } from "../run/compare_fail_on.ts";
import { exitCodeFor } from "../run/exit_code.ts";
import { type Host, layoutFor } from "../run/host.ts";
import { checkStandardInput } from "../run/load_apis.ts";
import { reportTime } from "../run/make_report.ts";
import { measure, type Measurement } from "../run/measure.ts";
import { chooseOutputsAmong, guardedReports } from "../run/outputs.ts";
import { writePieces } from "../run/publish.ts";
import { fileSections, requirementLines, warningLines } from "../run/write_summary.ts";
import type { Configured } from "./command_groups.ts";

const SIDES = [["tests", "traffic of tests"], ["production", "production traffic"]] as const;

export async function compare(options: Configured<"compare">, host: Host): Promise<number> {
  if (options.apis !== undefined) {
    throw usageError(
      `covtool compare is for one API, and ${options.schema} has several. Name the description: covtool compare SCHEMA --tests … --production …`,
    );
  }
  for (const [name, what] of SIDES) {
    if (options[name].length > 0) continue;
    throw usageError(
      `No ${what} given. Name recordings, logs or hits with --${name}. See covtool compare --help.`,
    );
  }
  const { compareFormats, compareOutput } = options;
  const outputs = chooseOutputsAmong(compareFormats, compareOutput, USAGE_REPORTERS, "html");
  const guard = new OutputGuard(guardedReports(outputs));
  const inputs = [...options.tests, ...options.production];
  await guard.check([options.schema, options.config, ...inputs, ...options.env]);
  checkStandardInput(inputs);
  const tests = await measure({ ...options, traffic: options.tests }, host);
  const production = await measure({
    ...options,
    basePath: options.productionBasePath ?? options.basePath,
    traffic: options.production,
  }, host);
  const map = onlyApi(tests);
  await guard.check([
    ...map.documentUrls,
    ...tests.recordings ?? [],
    ...production.recordings ?? [],
  ]);
  const report = buildUsageReport(map, onlyApi(production), options.title, reportTime(host));
  for (const { format, path } of outputs) await writeUsage(report, format, path, options, host);
  const failed = checkCompareFailOn(options.compareFailOn.flat(), report);
  const warnings = [
    ...tests.warnings.map((warning) => `Tests: ${warning}`),
    ...production.warnings.map((warning) => `Production: ${warning}`),
    ...unmatchedWarnings(report),
  ];
  const layout = layoutFor(host, options.color);
  const isShown = outputs.some(({ path }) => path === undefined);
  const said = joinSections([
    ...(isShown ? [] : usageSummary(report))
      .map((blocks) => textLines(blocks, { ...layout, wraps: true })),
    warningLines(warnings, layout),
    ...fileSections(outputs, layout.width),
    ...requirementLines({ missedThresholds: [], failedConditions: failed }, layout),
  ]);
  await host.stderr.write(withoutCommands(said));
  return await exitCodeFor(failed.map(({ condition }) => condition), host);
}

async function writeUsage(
  report: UsageReport,
  format: UsageFormat,
  path: string | undefined,
  { color }: Configured<"compare">,
  host: Host,
): Promise<void> {
  const reporter = USAGE_REPORTERS.find(({ name }) => name === format);
  if (reporter === undefined) throw new TypeError(`Unknown format ${format}.`);
  const layout = layoutFor(host, color, path === undefined ? host.stdout : null);
  const pieces = reporter.write(report, layout);
  await writePieces(pieces, path, reporter.log, host);
}

function onlyApi({ map: { apis: [only] } }: Measurement): MeasuredApi {
  if (only === undefined) throw new TypeError("No API was measured.");
  return only.map;
}

/** A side without matching requests usually points to a mistake in the options. */
function unmatchedWarnings(report: UsageReport): string[] {
  const options = { tests: "--base-path", production: "--production-base-path" };
  return (["tests", "production"] as const).filter((side) => report[side].matched === 0).map((
    side,
  ) => `No request of ${side} matches an operation. Look at --${side} and ${options[side]}.`);
}
