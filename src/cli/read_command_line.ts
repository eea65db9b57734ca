import { merge, object, or } from "@optique/core/constructs";
import { runParserSync } from "@optique/core/facade";
import { formatMessage, lineBreak, type Message, text } from "@optique/core/message";
import { map, multiple, optional } from "@optique/core/modifiers";
import { type Parser, parseSync, type Suggestion } from "@optique/core/parser";
import { argument, command, flag, negatableFlag, option } from "@optique/core/primitives";
import type { ValueParser } from "@optique/core/valueparser";
import { usageError } from "../run/command_error.ts";
import { type Host, isColored, outputWidth } from "../run/host.ts";
import { type Option, optionFlags } from "../run/options/option.ts";
import type { Completion, OptionKind } from "../run/options/option_kind.ts";
import { type GroupName, GROUPS, optionsIn } from "../run/options/options.ts";
import { VERSION } from "../values/version.ts";
import { COMMAND_GROUPS, type CommandName } from "./command_groups.ts";
import { type Command, COMMAND_NAMES, COMMANDS, findCommand } from "./commands.ts";
import { usageSentences } from "./usage_sentences.ts";

export interface CommandLine {
  readonly name: CommandName;
  readonly given: Readonly<Record<string, unknown>>;
}

/** Longer lines are hard to read. */
const MAX_HELP_WIDTH = 100;
/** Columns reserved for options in the help. */
const TERM_WIDTH = 34;

/** Parses any arguments. Undefined if they only ask for help, the version or a completion script. */
export async function readCommandLine(
  args: readonly string[],
  host: Host,
): Promise<CommandLine | undefined> {
  // First without the option --help: in `report --title --help`, it is a value.
  const named = findCommand(args[0]);
  const result = named === undefined ? undefined : parseSync(commandParser(named), args);
  if (result?.success) return result.value;
  let isShown = false;
  const show = (): void => void (isShown = true);
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
    maxWidth: Math.min(MAX_HELP_WIDTH, outputWidth(host.variables, host.stdout)),
    termWidth: TERM_WIDTH,
    stdout: (text) => shown.push(text.replace(/ +$/gm, "")),
    stderr: () => {},
    onError: (_code, error) => {
      throw usageError(usageSentences(formatMessage(error, { quotes: false }), args));
    },
  });
  for (const text of shown) await host.stdout.write(quietInZsh(text) + "\n");
  return isShown ? undefined : line;
}

/** Makes the completion script quiet in zsh, which would print the variables that the script declares in a loop. */
function quietInZsh(script: string): string {
  return script.replace(/^#compdef .+\n.+\{\n/, "$&  setopt local_options typeset_silent\n");
}

type CommandParser = Parser<"sync", CommandLine, unknown>;

function commandsParser(): CommandParser {
  // TypeScript can't infer the type of this many alternatives.
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
            : { type: "argument", metavar: word as "VALUE" } as const // usage words aren't empty
        ),
      }),
      footer: lines(["Examples:", ...examples.map((example) => `  ${example}`)]),
    },
  );
}

function lines(texts: readonly string[]): Message {
  return texts.flatMap((line, index) => [...(index > 0 ? [lineBreak()] : []), text(line)]);
}

type AnyParser = Parser<"sync", unknown, unknown>;
type Fields = Record<string, AnyParser>;
type OptionName = `--${string}`;

/** Field name prefix for flags that help doesn't show. */
const HIDDEN = "hidden ";

export function optionParser(
  groups: readonly GroupName[],
): Parser<"sync", Readonly<Record<string, unknown>>, unknown> {
  const parts = groups.map((group) => {
    const fields: Fields = {};
    for (const { name, option } of optionsIn([group])) {
      fields[name] = fieldParser(name, option);
      const opposite = hiddenFlag(name, option);
      if (opposite !== undefined) fields[HIDDEN + name] = opposite;
    }
    const { heading } = GROUPS[group];
    return heading === undefined ? object(fields) : object(heading, fields);
  });
  // TypeScript can't infer the type of this many parts; `givenValues()` takes it from the table.
  const all = (merge as unknown as (...parts: readonly AnyParser[]) => AnyParser)(
    object({}),
    ...parts,
  );
  return map(all, (values) => givenValues(values as Readonly<Record<string, unknown>>, groups));
}

function fieldParser(name: string, given: Option): AnyParser {
  const { kind, isList, isArgument, isFlag, missing, shown } = given;
  const description = sentence(given.help);
  if (isArgument) {
    const one = argument(valueParser(kind), { description });
    if (!isList) return optional(one);
    return missing === undefined
      ? multiple(one)
      : multiple(one, { min: 1, errors: { tooFew: sentence(missing) } });
  }
  const { on, off } = optionFlags(name, given);
  const positive = on as readonly OptionName[];
  const [negative = "--"] = off as readonly OptionName[];
  if (!isFlag) {
    const [first = "--", ...others] = positive;
    const one = option(...[first, ...others], valueParser(kind), { description });
    return isList ? multiple(one) : optional(one);
  }
  if (shown === "both") {
    return optional(negatableFlag({ positive: positive[0] ?? "--", negative }, { description }));
  }
  return shown === "negative"
    ? option(negative, { description })
    : option(...[positive[0] ?? "--", ...positive.slice(1)], { description });
}

function hiddenFlag(name: string, option: Option): AnyParser | undefined {
  if (!option.isFlag || option.shown === "both") return undefined;
  const { on, off } = optionFlags(name, option);
  const [unseen] = (option.shown === "negative" ? on : off) as readonly OptionName[];
  return unseen === undefined ? undefined : multiple(flag(unseen, { hidden: true }));
}

function valueParser(kind: OptionKind): ValueParser<"sync", unknown> {
  const { metavar, read, complete } = kind;
  return {
    mode: "sync",
    metavar: metavar as "VALUE", // every kind has a non-empty metavar
    placeholder: "",
    parse(input) {
      try {
        return { success: true, value: read(input) };
      } catch (error) {
        return { success: false, error: sentence(error instanceof Error ? error.message : "") };
      }
    },
    format: String,
    ...(complete !== undefined && {
      *suggest(prefix: string): Iterable<Suggestion> {
        for (const completion of complete(prefix)) yield suggestion(completion, prefix);
      },
    }),
  };
}

function suggestion(completion: Completion, pattern: string): Suggestion {
  if ("text" in completion) {
    const { text, description } = completion;
    return {
      kind: "literal",
      text,
      ...(description !== undefined && { description: sentence(description) }),
    };
  }
  const { extensions, prefix } = completion;
  return {
    kind: "file",
    type: "file",
    pattern,
    ...(prefix !== undefined && { prefix }),
    ...(extensions !== undefined && { extensions }),
  };
}

function sentence(words: string): Message {
  return [text(words)];
}

function givenValues(
  values: Readonly<Record<string, unknown>>,
  groups: readonly GroupName[],
): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = {};
  for (const { name, option: { isFlag, shown } } of optionsIn(groups)) {
    const value = values[name];
    const isOpposite = Array.isArray(values[HIDDEN + name]) &&
      (values[HIDDEN + name] as readonly unknown[]).length > 0;
    if (isFlag && shown !== "both") {
      const isOn = shown !== "negative";
      if (value === true) given[name] = isOn;
      else if (isOpposite) given[name] = !isOn;
    } else if (value !== undefined && !(Array.isArray(value) && value.length === 0)) {
      given[name] = value;
    }
  }
  return given;
}
