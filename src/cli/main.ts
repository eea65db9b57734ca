import { withoutCommands } from "../report/text/plain_text.ts";
import { wrapText } from "../report/text/text_width.ts";
import { CommandError, usageError } from "../run/command_error.ts";
import { describeError, errorSentences, sanitizeMessage } from "../run/error_sentences.ts";
import { printExitReason } from "../run/exit_code.ts";
import { type Host, layoutFor } from "../run/host.ts";
import { COMMAND_GROUPS, type CommandName } from "./command_groups.ts";
import { type Command, COMMANDS, findCommand } from "./commands.ts";
import { readArguments } from "./read_arguments.ts";

/** Runs covtool. Returns the exit code: 1 if a requirement isn't met or an error occurred. The last line says why. */
export async function main(args: readonly string[], host: Host): Promise<number> {
  const { format, args: own } = takeErrorFormat(args);
  try {
    if (format !== "json" && format !== "text") {
      throw usageError(`--errors: Unknown format ${JSON.stringify(format)}. Choose json or text.`);
    }
    const run = await readCommand(own.length === 0 ? ["--help"] : own, host);
    return run === undefined ? 0 : await run(host);
  } catch (error) {
    if (format === "json") {
      await host.stderr.write(`${JSON.stringify(describeError(error))}\n`);
      return 1;
    }
    if (error instanceof CommandError && error.isPrinted) {
      return await printExitReason(1, "error", host);
    }
    // The error may be about the arguments themselves, so this doesn't parse them.
    const option = args.includes("--no-color") ? false : args.includes("--color") || undefined;
    const { colors, width } = layoutFor(host, option);
    const text = `Error: ${sanitizeMessage(errorSentences(error))}`;
    // On a terminal, lines wrap at words. Logs keep one long line, which is easier to search.
    const lines = host.stderr.isTerminal ? wrapText(text, width) : [text];
    const red = lines.join("\n").replace(/^Error:/, colors.red.bold("Error:"));
    await host.stderr.write(`${withoutCommands(red)}\n`);
    return await printExitReason(1, "error", host);
  }
}

/** Removes `--errors FORMAT` from the arguments. It also applies to errors in the other arguments. */
function takeErrorFormat(args: readonly string[]) {
  const end = args.indexOf("--");
  const at = args.findIndex((arg, index) =>
    /^--errors(?:=|$)/.test(arg) && (end < 0 || index < end)
  );
  if (at < 0) return { format: "text", args };
  const [, value] = args[at]?.split("=") ?? [];
  const after = value === undefined ? at + 2 : at + 1;
  return { format: value ?? args[at + 1] ?? "", args: args.toSpliced(at, after - at) };
}

type RunCommand = (host: Host) => Promise<number>;

export async function readCommand(
  args: readonly string[],
  host: Host,
): Promise<RunCommand | undefined> {
  const name = findCommand(args[0]);
  // The program after `--` is split off first, or it could be read as the description.
  const end = name !== undefined && COMMANDS[name].runsProgram ? args.indexOf("--") : -1;
  const program = end < 0 ? [] : args.slice(end + 1);
  if (end >= 0 && program.length === 0) {
    throw usageError("There is no command after --. If it comes from a variable, that is empty.");
  }
  const own = expandVariadic(name, end < 0 ? args : args.slice(0, end));
  const given = name && readArguments(COMMAND_GROUPS[name], own.slice(1));
  if (name !== undefined && given !== undefined) return runner(name, given, program);
  const { readCommandLine } = await import("./read_command_line.ts");
  const line = await readCommandLine(own, host);
  return line && runner(line.name, line.given, program);
}

function runner(
  name: CommandName,
  given: Readonly<Record<string, unknown>>,
  program: readonly string[],
): RunCommand {
  const command: Command = COMMANDS[name];
  const words = [given["command"] ?? [], program].flat();
  return (host) => command.run(words.length === 0 ? given : { ...given, command: words }, host);
}

/** Turns `--tests a b` into `--tests a --tests b`: shells expand a pattern to several arguments. */
function expandVariadic(name: CommandName | undefined, args: readonly string[]): readonly string[] {
  const { variadic }: Pick<Command, "variadic"> = name === undefined ? {} : COMMANDS[name];
  if (variadic === undefined) return args;
  const expanded: string[] = [];
  let list: string | undefined;
  for (const arg of args) {
    const isOption = arg.startsWith("-") && arg !== "-";
    if (isOption) list = variadic.includes(arg) ? arg : undefined;
    else if (list !== undefined && expanded.at(-1) !== list) expanded.push(list);
    expanded.push(arg);
  }
  return expanded;
}
