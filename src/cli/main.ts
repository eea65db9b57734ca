import { Ansis } from "ansis";
import { withoutCommands } from "../report/text/without_commands.ts";
import { wrapText } from "../report/text/text_width.ts";
import type { RunCommand } from "./command.ts";
import { saidText } from "../run/said_text.ts";
import { errorSentences } from "../run/error_sentences.ts";
import { sayExit } from "../run/exit_line.ts";
import type { Host } from "../run/host.ts";
import { splitProgram } from "./split_program.ts";
import { spreadLists } from "./spread_lists.ts";
import { readCommand } from "./read_command.ts";
import { isColored, outputWidth } from "../run/terminal.ts";

/**
 * Runs covtool with the arguments after the program's name.
 *
 * @returns the exit code: 0; 1 if a requirement is not met or something went wrong, which is then printed on standard
 * error in a sentence or two. The last line distinguishes the two.
 */
export async function main(args: readonly string[], host: Host): Promise<number> {
  try {
    const { own, program } = splitProgram(args.length === 0 ? ["--help"] : args);
    const run = await readArguments(spreadLists(own), host);
    return run === undefined ? 0 : await run(host, program);
  } catch (error) {
    // The arguments may be what is wrong, so the option is looked for without reading them.
    const option = args.includes("--no-color") ? false : args.includes("--color") || undefined;
    const colors = new Ansis(isColored(option, host.variables, host.stderr) ? 1 : 0);
    const text = `Error: ${saidText(errorSentences(error))}`;
    // On a terminal words stay whole; logs keep one line, which is easier to search.
    const lines = host.stderr.isTerminal
      ? wrapText(text, outputWidth(host.variables, host.stderr))
      : [text];
    const red = lines.join("\n").replace(/^Error:/, colors.red.bold("Error:"));
    await host.stderr.write(`${withoutCommands(red)}\n`);
    return await sayExit(1, "error", host);
  }
}

/** The function that runs the command; undefined if help or the version was asked for and printed. */
async function readArguments(
  args: readonly string[],
  host: Host,
): Promise<RunCommand | undefined> {
  const run = await readCommand(args);
  if (run !== undefined) return run;
  const { readCommandLine } = await import("./read_command_line.ts");
  return await readCommandLine(args, host);
}
