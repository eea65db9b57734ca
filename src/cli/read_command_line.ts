import { runParserSync } from "@optique/core/facade";
import { formatMessage, lineBreak, message, text } from "@optique/core/message";
import { findSimilar } from "@optique/core/suggestion";
import { extractOptionNames } from "@optique/core/usage";
import { VERSION } from "../version.ts";
import type { RunCommand } from "./command.ts";
import { CommandError } from "./command_error.ts";
import { COMMAND_NAMES, commands } from "./commands.ts";
import type { Host } from "./host.ts";
import { isColored, outputWidth } from "./terminal.ts";

/** Columns beyond which lines of help get hard to read. */
const WIDEST_HELP = 100;
/** Columns for the longest option in the help. */
const TERM_WIDTH = 34;

/**
 * Reads arguments of all kinds: commands, and what is asked about them.
 *
 * @returns What runs the command; undefined where help, the version or a completion script was all that was asked for.
 * @throws {CommandError} that says what is wrong with the arguments.
 */
export async function readCommandLine(
  args: readonly string[],
  host: Host,
): Promise<RunCommand | undefined> {
  let isShown = false;
  const show = (): void => {
    isShown = true;
  };
  const shown: string[] = [];
  const run = runParserSync(commands, "covtool", args, {
    brief: message`Measures how much of an API (OpenAPI 2.0 to 3.2) tests really exercise.`,
    footer: message`Begin with:${lineBreak()}${text("  covtool report openapi.yaml traffic.json")}
${lineBreak()}${lineBreak()}The options of a command: covtool COMMAND --help`,
    usageLine: [{ type: "literal", value: "COMMAND ..." }],
    help: { option: { names: ["-h", "--help"] }, command: { hidden: "help" }, onShow: show },
    version: {
      value: `covtool ${VERSION}`,
      option: { names: ["-V", "--version"] },
      onShow: show,
    },
    completion: { command: true, onShow: show },
    aboveError: "none",
    colors: isColored(undefined, host.variables, host.stdout),
    maxWidth: Math.min(WIDEST_HELP, outputWidth(host.variables, host.stdout)),
    termWidth: TERM_WIDTH,
    stdout: (text) => shown.push(text.replace(/ +$/gm, "")),
    stderr: () => {},
    onError: (_code, error) => {
      throw new CommandError(usageSentences(formatMessage(error, { quotes: false }), args[0]));
    },
  });
  for (const text of shown) await host.stdout.write(text + "\n");
  return isShown ? undefined : run;
}

/** The library's message on one line, with a hint what to do: the nearest name, or where the names stand. */
function usageSentences(text: string, command: string | undefined): string {
  const line = text.trim().replace(/\s*\n\s*/g, " ");
  const unexpected = /^Unexpected (?:option or subcommand|option or argument): (\S+?)\.(?: |$)/
    .exec(line)?.[1];
  const isKnown = command !== undefined && COMMAND_NAMES.includes(command);
  if (unexpected === undefined || (isKnown && line.includes("Did you mean"))) {
    return line.includes("Did you mean")
      ? line
      : `${line} See covtool ${isKnown ? `${command} ` : ""}--help.`;
  }
  const isOption = unexpected.startsWith("-");
  const names = isKnown
    ? extractOptionNames(commands.usage)
    : isOption
    ? ["--help", "--version"]
    : COMMAND_NAMES;
  const missing = isKnown
    ? `Unexpected option or argument: ${unexpected}.`
    : `There is no ${isOption ? "option" : "command"} ${unexpected}.`;
  // With a value behind it, nothing would be near.
  const [nearest] = findSimilar(unexpected.replace(/=.*$/, ""), names);
  return nearest === undefined
    ? `${missing} See covtool ${isKnown ? `${command} ` : ""}--help.`
    : `${missing} Did you mean ${nearest}?`;
}
