import { defaultFileName } from "../report/reporters.ts";
import { exitUnlessMet } from "../run/exit_line.ts";
import type { Host } from "../run/host.ts";
import { measure } from "../run/measure.ts";
import { chooseOutputs, type Output } from "../run/outputs.ts";
import { preparePublish } from "../run/publish.ts";
import { thresholdsOf } from "../run/publish_options.ts";
import type { MergeOptions } from "./merge_options.ts";
import { writeHits } from "./write_hits.ts";

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
  if (isSumAlone(outputs, given)) {
    await writeHits(await measure(given, host), host);
    return 0;
  }
  const publish = await preparePublish(outputs, given, traffic, host);
  return await exitUnlessMet(await publish(await measure(given, host)), host);
}

/** True if nothing is asked for but the sum on standard output, as by an engine that merges what others have counted. */
function isSumAlone(outputs: readonly Output[], options: MergeOptions): boolean {
  const { apis, baseline, failOn } = options;
  const asked = [...Object.values(thresholdsOf(options)), baseline, apis];
  return outputs.every(({ format, path }) => format === "hits" && path === undefined) &&
    failOn.flat().length === 0 && asked.every((value) => value === undefined);
}
