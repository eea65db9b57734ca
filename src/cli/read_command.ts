import type { Parser } from "@optique/core/parser";
import type { RunCommand } from "./command.ts";
import { readPlainReport } from "./plain_report.ts";

/**
 * Reads the arguments of one command, if they are right. Putting the options of all commands together, and what tells
 * about them, takes longer than some runs, and no such run needs it. Plain runs of `covtool report` don't need the library
 * that reads options either.
 *
 * @returns the function that runs the command; undefined for help and for wrong arguments.
 */
export async function readCommand(args: readonly string[]): Promise<RunCommand | undefined> {
  const plain = readPlainReport(args);
  if (plain !== undefined) return plain;
  const parser = await parserOf(args[0]);
  if (parser === undefined) return undefined;
  const { parseSync } = await import("@optique/core/parser");
  const result = parseSync(parser, args);
  return result.success ? result.value : undefined;
}

async function parserOf(
  name: string | undefined,
): Promise<Parser<"sync", RunCommand, unknown> | undefined> {
  switch (name) {
    case "report":
      return (await import("./report_command.ts")).reportCommand;
    case "run":
      return (await import("./run_command.ts")).runCommand;
    case "proxy":
      return (await import("./proxy_command.ts")).proxyCommand;
    case "merge":
      return (await import("./merge_command.ts")).mergeCommand;
    case "record-hits":
      return (await import("./record_hits_command.ts")).recordHitsCommand;
    case "compare":
      return (await import("./compare_command.ts")).compareCommand;
    case "suggest":
      return (await import("./suggest_command.ts")).suggestCommand;
    case "probe":
      return (await import("./probe_command.ts")).probeCommand;
    case "init":
      return (await import("./init_command.ts")).initCommand;
    case "check":
      return (await import("./check_command.ts")).checkCommand;
    case "convert":
      return (await import("./convert_command.ts")).convertCommand;
    default:
      return undefined;
  }
}
