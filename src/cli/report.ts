import { exitCodeFor, type Host } from "../run/host.ts";
import { measure } from "../run/measure.ts";
import { chooseOutputs } from "../run/outputs.ts";
import { preparePublish } from "../run/publish.ts";
import type { Configured } from "./command_groups.ts";

/** `covtool report`: measures recorded traffic against a description and writes the reports. */
export async function report(options: Configured<"report">, host: Host): Promise<number> {
  const outputs = chooseOutputs(options.formats, options.output);
  const publish = await preparePublish(
    outputs,
    options,
    [...options.traffic, ...options.env],
    host,
  );
  return await exitCodeFor(await publish(await measure(options, host)), host);
}
