import { findSimilar } from "@optique/core/suggestion";
import { REPORT_FORMATS } from "../report/reporters.ts";
import { sentenceList } from "../report/wording/amounts.ts";
import { optionFlags } from "../run/options/option.ts";
import { optionsIn } from "../run/options/options.ts";
import { COMMAND_GROUPS, type CommandName } from "./command_groups.ts";
import { COMMAND_NAMES, findCommand } from "./commands.ts";

const UNEXPECTED = /^Unexpected (?:option or subcommand|option or argument): (\S+?)\.(?: |$)/;

const OPTIONS_OF_ALL: readonly string[] = ["--help", "--version"];

/** An argument that needs no quotes in any shell. */
const PLAIN = /^[\w./:=@%+,-]+$/;

/** Maximum length of the arguments that a message repeats, in characters. */
const MAX_REPEATED = 60;

export function usageSentences(problem: string, args: readonly string[]): string {
  const line = problem.trim().replace(/\s*\n\s*/g, " ");
  const name = findCommand(args[0]);
  const unexpected = UNEXPECTED.exec(line)?.[1];
  if (unexpected !== undefined) {
    return name === undefined
      ? withoutCommand(unexpected, args)
      : unexpectedArgument(unexpected, name);
  }
  // The line already lists the choices.
  return /Did you mean|Choose /.test(line) ? line : `${line} ${helpCommand(name)}`;
}

function helpCommand(command: string | undefined): string {
  return `See covtool ${command === undefined ? "" : `${command} `}--help.`;
}

function unexpectedArgument(unexpected: string, command: CommandName): string {
  const option = unexpected.replace(/=.*$/, ""); // without a value, which would make similar names harder to find
  const others = COMMAND_NAMES.filter((name) => name !== command);
  const owners = others.filter((name) => optionNames(name).includes(option));
  if (owners.length > 0) {
    return `${option} is an option of ${commandList(owners)}, not of covtool ${command}. ${
      helpCommand(command)
    }`;
  }
  const problem = unexpected.startsWith("-")
    ? `Unknown option ${unexpected}.`
    : `Unexpected argument "${unexpected}".`;
  const format = REPORT_FORMATS.find((known) => `--${known}` === option);
  if (format !== undefined && command !== "convert") {
    return `${problem} Did you mean --format ${format}?`;
  }
  const [own] = findSimilar(option, optionNames(command));
  if (own !== undefined) return `${problem} Did you mean ${own}?`;
  const [foreign] = findSimilar(option, others.flatMap(optionNames));
  if (foreign === undefined) return `${problem} ${helpCommand(command)}`;
  const having = others.filter((name) => optionNames(name).includes(foreign));
  return `${problem} Did you mean ${foreign}, an option of ${commandList(having)}?`;
}

function withoutCommand(unexpected: string, args: readonly string[]): string {
  if (!unexpected.startsWith("-")) {
    const [command] = findSimilar(unexpected, COMMAND_NAMES);
    if (command !== undefined) {
      return `Unknown command "${unexpected}". Did you mean ${command}?`;
    }
    return /[./\\]/.test(unexpected)
      ? `No command given. Did you mean ${meantCommands(args)}?`
      : `Unknown command "${unexpected}". ${helpCommand(undefined)}`;
  }
  const option = unexpected.replace(/=.*$/, "");
  const owners = COMMAND_NAMES.filter((name) => optionNames(name).includes(option));
  const [owner] = owners;
  if (owner !== undefined) {
    return `No command given. ${option} is an option of ${
      commandList(owners)
    }: write covtool ${owner} ${option} …`;
  }
  const [similar] = findSimilar(option, OPTIONS_OF_ALL);
  return `Unknown option ${unexpected}. ${
    similar === undefined ? helpCommand(undefined) : `Did you mean ${similar}?`
  }`;
}

function meantCommands(args: readonly string[]): string {
  const end = args.indexOf("--");
  if (end >= 0) {
    // The arguments after -- are a command to measure.
    return ["run", "proxy"].map((name) => `covtool ${name} ${repeated(args)}`).join(" or ");
  }
  return `covtool report ${repeated(args.length === 1 ? [...args, "TRAFFIC"] : args)}`;
}

/** The arguments as typed; only the first if they are long or need quotes. */
function repeated(args: readonly string[]): string {
  const text = args.join(" ");
  if (text.length <= MAX_REPEATED && args.every((arg) => PLAIN.test(arg))) return text;
  const [first = ""] = args;
  return PLAIN.test(first) ? `${first} …` : "…";
}

function optionNames(command: CommandName): readonly string[] {
  return optionsIn(COMMAND_GROUPS[command]).flatMap(({ name, option }) => {
    const { on, off } = optionFlags(name, option);
    return [...on, ...off];
  });
}

function commandList(names: readonly string[]): string {
  return sentenceList(names.map((name) => `covtool ${name}`));
}
