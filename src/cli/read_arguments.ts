import { optionFlags } from "../run/options/option.ts";
import { type GroupName, type NamedOption, optionsIn } from "../run/options/options.ts";

interface Flag {
  readonly name: string;
  readonly isList: boolean;
  /** The value of a flag that takes no text. Undefined if it takes one. */
  readonly switched: boolean | undefined;
  readonly read: (text: string) => unknown;
}

/** Reads arguments that are clearly valid. Undefined for help and errors, which need the slow-loading option parser. */
export function readArguments(
  groups: readonly GroupName[],
  args: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  const options = optionsIn(groups);
  const flags = new Map(options.flatMap(flagEntries));
  const texts: string[] = [];
  const given: Record<string, unknown> = {};
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (isText(arg)) {
      texts.push(arg);
      continue;
    }
    const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
    const flag = flags.get(equals < 0 ? arg : arg.slice(0, equals));
    if (flag === undefined || !flag.isList && Object.hasOwn(given, flag.name)) return undefined;
    if (flag.switched !== undefined) {
      if (equals >= 0) return undefined;
      given[flag.name] = flag.switched;
      continue;
    }
    const text = equals < 0 ? args[++index] : arg.slice(equals + 1);
    if (text === undefined || !isText(text) || !add(given, flag, text)) return undefined;
  }
  for (const { name, option: { isArgument, isList, kind: { read }, missing } } of options) {
    if (!isArgument) continue;
    const taken = texts.splice(0, isList ? texts.length : 1);
    if (!taken.every((text) => add(given, { name, isList, read }, text))) return undefined;
    if (missing !== undefined && taken.length === 0) return undefined;
  }
  return texts.length === 0 ? given : undefined;
}

function flagEntries({ name, option }: NamedOption): [string, Flag][] {
  const { on, off } = optionFlags(name, option);
  const { isList, isFlag, kind: { read } } = option;
  return [
    ...on.map((flag): [string, Flag] => [
      flag,
      { name, isList, read, switched: isFlag ? true : undefined },
    ]),
    ...off.map((flag): [string, Flag] => [flag, { name, isList, read, switched: false }]),
  ];
}

/** Adds the value of a text. False if the text may be invalid. */
function add(
  given: Record<string, unknown>,
  { name, isList, read }: Pick<Flag, "name" | "isList" | "read">,
  text: string,
): boolean {
  try {
    const value = read(text);
    given[name] = isList ? [...given[name] as unknown[] ?? [], value] : value;
    return true;
  } catch {
    return false; // the option parser reports what is wrong, and where
  }
}

function isText(arg: string): boolean {
  return arg !== "" && (arg === "-" || !arg.startsWith("-"));
}
