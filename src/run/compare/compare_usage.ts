import type { MeasuredApi } from "../../coverage_map/measured_api.ts";
import { OutputGuard } from "../../files/output_guard.ts";
import { joinSections, textLines } from "../../report/blocks/text_blocks.ts";
import { buildUsageReport } from "../../report/build/build_usage_report.ts";
import { withoutCommands } from "../../report/text/plain_text.ts";
import type { UsageReport } from "../../report/usage/usage_report.ts";
import { USAGE_REPORTERS, type UsageFormat } from "../../report/usage/usage_reporters.ts";
import { usageSummary } from "../../report/usage/usage_wording.ts";
import { CommandError } from "../command_error.ts";
import type { Unmet } from "../exit_code.ts";
import { type Host, layoutFor } from "../host.ts";
import type { Description } from "../load_apis.ts";
import { reportTime } from "../make_report.ts";
import { measure, type Measurement } from "../measure.ts";
import type { GivenValues, OptionValues } from "../options/options.ts";
import { guardedReports, type Output } from "../outputs.ts";
import { writeChunks } from "../publish.ts";
import { fileSections, requirementLines, warningLines } from "../write_summary.ts";
import { checkCompareFailOn } from "./compare_fail_on.ts";

type CompareOptions =
  & Description
  & OptionValues<"title" | "usageSides" | "usageThresholds" | "plainColor">
  & GivenValues<"recordingOptions" | "hits" | "performance">;

/** Measures the traffic of tests and that of production by one description, and writes the comparison. */
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
    ...map.documentUrls,
    ...tests.recordings ?? [],
    ...production.recordings ?? [],
  ]);
  const report = buildUsageReport(map, single(production), options.title, reportTime(host));
  for (const { format, path } of outputs) await writeUsage(report, format, path, options, host);
  const failed = checkCompareFailOn(options.compareFailOn.flat(), report);
  const warnings = [
    ...sideWarnings("Tests", tests),
    ...sideWarnings("Production", production),
    ...nothingMatched(report),
  ];
  const layout = layoutFor(host, options.color);
  const isShown = outputs.some(({ path }) => path === undefined);
  const said = joinSections([
    ...(isShown ? [] : usageSummary(report))
      .map((blocks) => textLines(blocks, { ...layout, wraps: true })),
    warningLines(warnings, layout),
    ...fileSections(outputs, layout.width),
    ...requirementLines({ missed: [], failed }, layout),
  ]);
  await host.stderr.write(withoutCommands(said));
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
  const layout = layoutFor(host, color, path === undefined ? host.stdout : null);
  const chunks = reporter.write(report, layout);
  await writeChunks(chunks, path, reporter.log, host);
}

function single({ map: { apis: [only] } }: Measurement): MeasuredApi {
  if (only === undefined) throw new TypeError("No API was measured.");
  return only.map;
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
