import { runParserSync } from "@optique/core/facade";
import { formatMessage, lineBreak, message, text } from "@optique/core/message";
import { VERSION } from "../values/version.ts";
import type { RunCommand } from "./command.ts";
import { CommandError } from "../run/command_error.ts";
import { commands } from "./commands.ts";
import type { Host } from "../run/host.ts";
import { isColored, outputWidth } from "../run/terminal.ts";
import { usageSentences } from "./usage_sentences.ts";

/** Columns beyond which lines of help get hard to read. */
const WIDEST_HELP = 100;
/** Columns for the longest option in the help. */
const TERM_WIDTH = 34;

/**
 * Reads arguments of all kinds: commands, and what is asked about them.
 *
 * @returns the function that runs the command; undefined if only help, the version or a completion script was asked for.
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
    footer: message`Get started:${lineBreak()}${text("  covtool report openapi.yaml traffic.json")}
${lineBreak()}${lineBreak()}Options of a command: covtool COMMAND --help`,
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
      throw new CommandError(usageSentences(formatMessage(error, { quotes: false }), args));
    },
  });
  for (const text of shown) await host.stdout.write(text + "\n");
  return isShown ? undefined : run;
}
