import { defaultFileName } from "../report/reporters.ts";
import { exitUnlessMet } from "../run/exit_line.ts";
import type { Host } from "../run/host.ts";
import { measure } from "../run/measure.ts";
import { chooseOutputs } from "../run/outputs.ts";
import { preparePublish } from "../run/publish.ts";
import type { MergeOptions } from "./merge_options.ts";

/**
 * `covtool merge`: adds up hits files, and writes the sum and the reports of it.
 *
 * @returns the exit code: 1 where a threshold is not met or a condition fails the run.
 * @throws {CommandError} and the errors of loading and reading, each with a sentence for the user.
 */
export async function mergeHits(options: MergeOptions, host: Host): Promise<number> {
  const { traffic, mergedOutput } = options;
  const isNamed = options.formats.some(({ format }) => format === "hits");
  const merged = mergedOutput === undefined && isNamed
    ? []
    : [{ format: "hits", path: mergedOutput ?? defaultFileName("hits") } as const];
  const formats = [...merged, ...options.formats];
  const outputs = chooseOutputs(formats, undefined);
  const given = { ...options, formats, output: undefined };
  const publish = await preparePublish(outputs, given, traffic, host);
  return await exitUnlessMet(await publish(await measure(given, host)), host);
}
