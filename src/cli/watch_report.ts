import { STANDARD_INPUT } from "../files/file_identity.ts";
import type { Report } from "../report/report.ts";
import { CommandError } from "../run/command_error.ts";
import type { Host } from "../run/host.ts";
import { measure } from "../run/measure.ts";
import { chooseOutputs } from "../run/outputs.ts";
import { preparePublish } from "../run/publish.ts";
import { configPath } from "./config_path.ts";
import { configuredReport } from "./configured.ts";
import type { GivenReportOptions, ReportOptions } from "./report_options.ts";
import { type Round, watch, type WatchOptions } from "./watch.ts";

/**
 * `covtool report --watch`: measures whenever a recording, the description or the config file changes.
 *
 * @param session How it ends, if not on Ctrl+C.
 * @returns the exit code of the last measurement.
 * @throws {CommandError} where the options are wrong from the start.
 */
export async function watchReport(
  given: GivenReportOptions,
  host: Host,
  session: Pick<WatchOptions, "until" | "onRound"> = {},
): Promise<number> {
  const { traffic, color, title, suggestions } = configuredReport(given);
  if (traffic.includes(STANDARD_INPUT)) {
    throw new CommandError(
      "Standard input can only be read once, so it can't be watched. Name files, folders or patterns.",
    );
  }
  const config = configPath(given);
  const settings = config === undefined ? [] : [config];
  const said = new Set<string>();
  return await watch(
    () => roundOf(configuredReport(given), settings, said, host),
    settings,
    { ...session, color, title, suggestions },
    host,
  );
}

function roundOf(
  options: ReportOptions,
  settings: readonly string[],
  said: Set<string>,
  host: Host,
): Round {
  const { apis = [options], traffic, env } = options;
  const outputs = chooseOutputs(options.formats, options.output);
  return {
    inputs: [
      ...[...settings, ...apis.map(({ schema }) => schema), ...traffic, ...env].filter(isFile),
      ...apis.flatMap(({ baseline }) => baseline ?? []),
    ],
    outputs: outputs.map(({ path }) => path),
    measure: async (since) => {
      const publish = await preparePublish(outputs, options, [...traffic, ...env], host);
      const measured = await measure(options, host);
      let reports: readonly Report[] = [];
      const onReports = (made: readonly Report[]): void => {
        reports = made;
      };
      const unmet = await publish({ ...measured, since, said, onReports });
      return { map: measured.map, reports, unmet };
    },
  };
}

function isFile(location: string): boolean {
  return !/^https?:/i.test(location);
}
