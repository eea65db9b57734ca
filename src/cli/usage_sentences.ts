import { findSimilar } from "@optique/core/suggestion";
import { extractOptionNames } from "@optique/core/usage";
import { REPORT_FORMATS } from "../report/reporters.ts";
import { COMMAND_NAMES, COMMANDS } from "./commands.ts";

const UNEXPECTED = /^Unexpected (?:option or subcommand|option or argument): (\S+?)\.(?: |$)/;

/** Options that stand before any command. */
const OPTIONS_OF_ALL: readonly string[] = ["--help", "--version"];

/** An argument that needs no quotes in any shell. */
const PLAIN = /^[\w./:=@%+,-]+$/;

/** A line that repeats arguments stays this short. */
const MOST_REPEATED = 60;

/**
 * Says on one line what is wrong with arguments and what to do: the name that was probably meant, the command that has
 * the option, or where the names stand.
 *
 * @param problem What the library that reads the arguments says.
 * @param args All arguments.
 */
export function usageSentences(problem: string, args: readonly string[]): string {
  const line = problem.trim().replace(/\s*\n\s*/g, " ");
  const name = COMMAND_NAMES.find((known) => known === args[0]);
  const unexpected = UNEXPECTED.exec(line)?.[1];
  if (unexpected !== undefined) {
    return name === undefined
      ? withoutCommand(unexpected, args)
      : unexpectedArgument(unexpected, name);
  }
  // The names to choose from stand in the line already.
  return /Did you mean|Choose /.test(line) ? line : `${line} ${helpOf(name)}`;
}

function helpOf(command: string | undefined): string {
  return `See covtool ${command === undefined ? "" : `${command} `}--help.`;
}

function unexpectedArgument(unexpected: string, command: string): string {
  const option = unexpected.replace(/=.*$/, ""); // with a value behind it, nothing would be near
  const others = COMMAND_NAMES.filter((name) => name !== command);
  const owners = others.filter((name) => optionsOf(name).includes(option));
  if (owners.length > 0) {
    return `${option} is an option of ${commandList(owners)}, not of covtool ${command}. ${
      helpOf(command)
    }`;
  }
  const problem = `Unexpected ${
    unexpected.startsWith("-") ? "option" : "argument"
  }: ${unexpected}.`;
  const format = REPORT_FORMATS.find((known) => `--${known}` === option);
  if (format !== undefined && command !== "convert") {
    return `${problem} Did you mean --format ${format}?`;
  }
  const [own] = findSimilar(option, optionsOf(command));
  if (own !== undefined) return `${problem} Did you mean ${own}?`;
  const [foreign] = findSimilar(option, others.flatMap(optionsOf));
  if (foreign === undefined) return `${problem} ${helpOf(command)}`;
  const having = others.filter((name) => optionsOf(name).includes(foreign));
  return `${problem} Did you mean ${foreign}, an option of ${commandList(having)}?`;
}

/** What stands first is no command: a slip in its name, an option, or the files of a command that was left out. */
function withoutCommand(unexpected: string, args: readonly string[]): string {
  if (!unexpected.startsWith("-")) {
    const [command] = findSimilar(unexpected, COMMAND_NAMES);
    if (command !== undefined) {
      return `There is no command ${unexpected}. Did you mean ${command}?`;
    }
    return looksLikeFile(unexpected)
      ? `No command is given. Did you mean ${meantCommands(args)}?`
      : `There is no command ${unexpected}. ${helpOf(undefined)}`;
  }
  const option = unexpected.replace(/=.*$/, "");
  const owners = COMMAND_NAMES.filter((name) => optionsOf(name).includes(option));
  const [owner] = owners;
  if (owner !== undefined) {
    return `No command is given. ${option} is an option of ${
      commandList(owners)
    }: write covtool ${owner} ${option} …`;
  }
  const [similar] = findSimilar(option, OPTIONS_OF_ALL);
  return `There is no option ${unexpected}. ${
    similar === undefined ? helpOf(undefined) : `Did you mean ${similar}?`
  }`;
}

function looksLikeFile(argument: string): boolean {
  return /[./\\]/.test(argument);
}

function meantCommands(args: readonly string[]): string {
  const end = args.indexOf("--");
  if (end >= 0) {
    // Whoever names a command to run wants the traffic of that command.
    return ["run", "proxy"].map((name) => `covtool ${name} ${repeated(args)}`).join(" or ");
  }
  return `covtool report ${repeated(args.length === 1 ? [...args, "TRAFFIC"] : args)}`;
}

/** The arguments as somebody would type them; only the first where they are many, or need quotes. */
function repeated(args: readonly string[]): string {
  const text = args.join(" ");
  if (text.length <= MOST_REPEATED && args.every((arg) => PLAIN.test(arg))) return text;
  const [first = ""] = args;
  return PLAIN.test(first) ? `${first} …` : "…";
}

function optionsOf(command: string): readonly string[] {
  const parser = COMMANDS[command];
  return parser === undefined ? [] : [...extractOptionNames(parser.usage)];
}

function commandList(names: readonly string[]): string {
  const all = names.map((name) => `covtool ${name}`);
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}
