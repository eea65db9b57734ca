import { or } from "@optique/core/constructs";
import type { Parser } from "@optique/core/parser";
import { checkCommand } from "./check_command.ts";
import type { RunCommand } from "./command.ts";
import { compareCommand } from "./compare_command.ts";
import { convertCommand } from "./convert_command.ts";
import { initCommand } from "./init_command.ts";
import { mergeCommand } from "./merge_command.ts";
import { probeCommand } from "./probe_command.ts";
import { proxyCommand } from "./proxy_command.ts";
import { recordHitsCommand } from "./record_hits_command.ts";
import { reportCommand } from "./report_command.ts";
import { runCommand } from "./run_command.ts";
import { suggestCommand } from "./suggest_command.ts";

/** The commands by their names. */
export const COMMANDS: Readonly<Record<string, Parser<"sync", RunCommand, unknown>>> = {
  report: reportCommand,
  run: runCommand,
  proxy: proxyCommand,
  merge: mergeCommand,
  "record-hits": recordHitsCommand,
  compare: compareCommand,
  suggest: suggestCommand,
  probe: probeCommand,
  convert: convertCommand,
  init: initCommand,
  check: checkCommand,
};

/** The names of the commands. */
export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

/** Every command of covtool: reading its options gives what runs it. */
export const commands = or(
  reportCommand,
  runCommand,
  proxyCommand,
  mergeCommand,
  recordHitsCommand,
  compareCommand,
  suggestCommand,
  probeCommand,
  convertCommand,
  initCommand,
  checkCommand,
);
