import { defaultFileName } from "../report/reporters.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import { printSentences } from "../run/error_sentences.ts";
import { exitCodeFor } from "../run/exit_code.ts";
import type { Host } from "../run/host.ts";
import { measure, type Measurement } from "../run/measure.ts";
import { chooseOutputs, type Output } from "../run/outputs.ts";
import { preparePublish } from "../run/publish.ts";
import { chosenThresholds } from "../run/publish_options.ts";
import type { Configured } from "./command_groups.ts";

export async function mergeHits(options: Configured<"merge">, host: Host): Promise<number> {
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
  return await exitCodeFor(await publish(await measure(given, host)), host);
}

/** True if only the sum on standard output is wanted, as by a data processing engine that merges partial counts. */
function isSumAlone(outputs: readonly Output[], options: Configured<"merge">): boolean {
  const { apis, baseline, failOn } = options;
  const asked = [...Object.values(chosenThresholds(options)), baseline, apis];
  return outputs.every(({ format, path }) => format === "hits" && path === undefined) &&
    failOn.flat().length === 0 && asked.every((value) => value === undefined);
}

/** Writes hits to standard output. Makes no report, which for a large description could take longer than counting. */
export async function writeHits({ map, warnings }: Measurement, host: Host): Promise<void> {
  await host.stdout.write(new TextDecoder().decode(map.exportHits()));
  const { recorded, matched } = map.traffic();
  await printSentences(host, [
    ...warnings.map((warning) => `Warning: ${warning}`),
    `${formatAmount(recorded, "request")}: ${matched} matched, ${recorded - matched} unmatched`,
  ]);
}
