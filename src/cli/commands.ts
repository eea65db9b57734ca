import { or } from "@optique/core/constructs";
import { convertCommand } from "./convert_command.ts";
import { proxyCommand } from "./proxy_command.ts";
import { reportCommand } from "./report_command.ts";
import { runCommand } from "./run_command.ts";

/** The names of the commands. */
export const COMMAND_NAMES: readonly string[] = ["report", "run", "proxy", "convert"];

/** Every command of covtool: reading its options gives what runs it. */
export const commands = or(reportCommand, runCommand, proxyCommand, convertCommand);
