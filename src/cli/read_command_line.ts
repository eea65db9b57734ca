import { or } from "@optique/core/constructs";
import { runParserSync } from "@optique/core/facade";
import { formatMessage, lineBreak, type Message, text } from "@optique/core/message";
import { map } from "@optique/core/modifiers";
import { type Parser, parseSync } from "@optique/core/parser";
import { command } from "@optique/core/primitives";
import { CommandError } from "../run/command_error.ts";
import { type Host, isColored, outputWidth } from "../run/host.ts";
import { VERSION } from "../values/version.ts";
import { COMMAND_GROUPS, type CommandName } from "./command_groups.ts";
import { type Command, COMMAND_NAMES, COMMANDS, findCommand } from "./commands.ts";
import { optionParser } from "./option_parser.ts";
import { usageSentences } from "./usage_sentences.ts";

export interface CommandLine {
  readonly name: CommandName;
  readonly given: Readonly<Record<string, unknown>>;
}

/** Columns beyond which lines of help get hard to read. */
const WIDEST_HELP = 100;
/** Columns for the longest option in the help. */
const TERM_WIDTH = 34;

/** Reads arguments of all kinds; undefined if only help, the version or a completion script was asked for. */
export async function readCommandLine(
  args: readonly string[],
  host: Host,
): Promise<CommandLine | undefined> {
  // A value may look like an option that asks for help: report --title --help
  const named = findCommand(args[0]);
  const result = named === undefined ? undefined : parseSync(commandParser(named), args);
  if (result?.success) return result.value;
  let isShown = false;
  const show = (): void => {
    isShown = true;
  };
  const shown: string[] = [];
  const line = runParserSync(commandsParser(), "covtool", args, {
    brief: [text("Measures how much of an API (OpenAPI 2.0 to 3.2) tests really exercise.")],
    footer: lines([
      "Get started:",
      "  covtool report openapi.yaml traffic.json",
      "",
      "Options of a command: covtool COMMAND --help",
      "Errors of any command as JSON: --errors json",
    ]),
    usageLine: [{ type: "literal", value: "COMMAND ..." }],
    help: { option: { names: ["-h", "--help"] }, command: { hidden: "help" }, onShow: show },
    version: { value: `covtool ${VERSION}`, option: { names: ["-V", "--version"] }, onShow: show },
    completion: { command: true, onShow: show },
    aboveError: "none",
    colors: isColored(undefined, host.variables, host.stdout),
    maxWidth: Math.min(WIDEST_HELP, outputWidth(host.variables, host.stdout)),
    termWidth: TERM_WIDTH,
    stdout: (text) => shown.push(text.replace(/ +$/gm, "")),
    stderr: () => {},
    onError: (_code, error) => {
      const sentences = usageSentences(formatMessage(error, { quotes: false }), args);
      throw new CommandError(sentences, undefined, { code: "usage" });
    },
  });
  for (const text of shown) await host.stdout.write(text + "\n");
  return isShown ? undefined : line;
}

type CommandParser = Parser<"sync", CommandLine, unknown>;

function commandsParser(): CommandParser {
  // The types of this many parsers are lost on the way.
  return (or as unknown as (...parsers: readonly CommandParser[]) => CommandParser)(
    ...COMMAND_NAMES.map(commandParser),
  );
}

function commandParser(name: CommandName): CommandParser {
  const { brief, description, usage, examples }: Pick<Command, keyof typeof COMMANDS[CommandName]> =
    COMMANDS[name];
  return command(
    name,
    map(optionParser(COMMAND_GROUPS[name]), (given): CommandLine => ({ name, given })),
    {
      brief: [text(brief)],
      description: [text(description)],
      ...(usage !== undefined && {
        usageLine: usage.map((word) =>
          /^\[OPTION|^--/.test(word)
            ? { type: "literal", value: word } as const
            : { type: "argument", metavar: word as "VALUE" } as const // none is empty
        ),
      }),
      footer: lines(["Examples:", ...examples.map((example) => `  ${example}`)]),
    },
  );
}

function lines(texts: readonly string[]): Message {
  return texts.flatMap((line, index) => [...(index > 0 ? [lineBreak()] : []), text(line)]);
}
