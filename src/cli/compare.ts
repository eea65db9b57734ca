import { USAGE_REPORTERS } from "../report/usage/usage_reporters.ts";
import { CommandError } from "../run/command_error.ts";
import { compareUsage } from "../run/compare/compare_usage.ts";
import { exitCodeFor } from "../run/exit_code.ts";
import type { Host } from "../run/host.ts";
import { chooseOutputsAmong } from "../run/outputs.ts";
import type { Configured } from "./command_groups.ts";

/** `covtool compare`: compares what production uses with what tests exercise. */
export async function compare(options: Configured<"compare">, host: Host): Promise<number> {
  if (options.apis !== undefined) {
    throw new CommandError(
      `covtool compare is for one API, and ${options.schema} has several. Name the description: covtool compare SCHEMA --tests … --production …`,
    );
  }
  for (
    const [name, what] of [["tests", "traffic of tests"], [
      "production",
      "production traffic",
    ]] as const
  ) {
    if (options[name].length > 0) continue;
    throw new CommandError(
      `No ${what} given. Name recordings, logs or hits with --${name}. See covtool compare --help.`,
    );
  }
  const { compareFormats, compareOutput } = options;
  const outputs = chooseOutputsAmong(compareFormats, compareOutput, USAGE_REPORTERS, "html");
  return await exitCodeFor(await compareUsage(outputs, options, host), host);
}
