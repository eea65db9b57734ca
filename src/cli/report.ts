import { exitUnlessMet } from "../run/exit_line.ts";
import type { Host } from "../run/host.ts";
import { measure } from "../run/measure.ts";
import { chooseOutputs } from "../run/outputs.ts";
import { preparePublish } from "../run/publish.ts";
import type { ReportOptions } from "./report_options.ts";

/**
 * `covtool report`: measures recorded traffic against a description and writes the reports.
 *
 * @returns the exit code: 1 where a threshold is not met or a condition fails the run.
 * @throws {CommandError} and the errors of loading and reading, each with a sentence for the user.
 */
export async function report(options: ReportOptions, host: Host): Promise<number> {
  const outputs = chooseOutputs(options.formats, options.output);
  const publish = await preparePublish(
    outputs,
    options,
    [...options.traffic, ...options.env],
    host,
  );
  return await exitUnlessMet(await publish(await measure(options, host)), host);
}
