import { exitCodeFor } from "../run/exit_code.ts";
import type { Host } from "../run/host.ts";
import { measure, type Measurement } from "../run/measure.ts";
import { chooseOutputs } from "../run/outputs.ts";
import { preparePublish } from "../run/publish.ts";
import type { Configured } from "./command_groups.ts";

export async function report(options: Configured<"report">, host: Host): Promise<number> {
  const outputs = chooseOutputs(options.formats, options.output);
  const inputs = [...options.traffic, ...options.env];
  const publish = await preparePublish(outputs, options, inputs, host);
  return await exitCodeFor(await publish(await measureReport(options, host)), host);
}

/** Measures, and checks that the description has the gaps of --gap. */
export async function measureReport(
  options: Configured<"report">,
  host: Host,
): Promise<Measurement> {
  const measured = await measure(options, host);
  if (options.gap.length > 0) {
    const { checkGaps } = await import("../coverage_map/list_gaps.ts");
    try {
      checkGaps(measured.map, options.gap);
    } catch (error) {
      throw (await import("./suggest.ts")).suggestError(error);
    }
  }
  return measured;
}
