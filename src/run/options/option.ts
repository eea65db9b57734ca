import { sentenceList } from "../../report/wording/amounts.ts";
import { editsBetween } from "../../values/nearest_name.ts";
import { type OptionKind, SWITCH } from "./option_kind.ts";

export interface Option<Value = unknown> {
  readonly kind: OptionKind;
  readonly help: string;
  /** True if the option can be repeated; files can have a list or a single value. */
  readonly isList: boolean;
  /** True for an argument; help shows the metavar of its kind. */
  readonly isArgument?: boolean;
  readonly isFlag?: boolean;
  /** The form of a flag in help: with `--no-`, or both (default: without; only config files need the negative form). */
  readonly shown?: "negative" | "both";
  readonly missing?: string;
  /** True for options of test runners and the config file only. */
  readonly isRunnerOnly?: boolean;
  /** The short name on the command line: `-o`. */
  readonly short?: string;
  /** The name in files and, in kebab case, on the command line (default: its own); false for the command line only. */
  readonly key?: string | false;
  readonly flag?: string;
  readonly alias?: string;
  /** The help for config files (default: `help`). */
  readonly keyHelp?: string;
  /** The help for test runners (default: `help`). */
  readonly runnerHelp?: string;
  /** True if each of several APIs can have its own value. */
  readonly perApi?: boolean;
  readonly judges?: boolean;
  readonly byDefault: Value;
}

export interface OptionGroup<
  Options extends Readonly<Record<string, Option>> = Readonly<Record<string, Option>>,
> {
  /** Undefined for options above all headings. */
  readonly heading: string | undefined;
  /** The mapping of the config file with these options (default: the file itself); false if it has none of them. */
  readonly section: "proxy" | "compare" | false | undefined;
  readonly options: Options;
}

export function group<const Options extends Readonly<Record<string, Option>>>(
  heading: string | undefined,
  options: Options,
  section?: "proxy" | "compare" | false,
): OptionGroup<Options> {
  if (section !== false) return { heading, section, options };
  const all: unknown = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, { ...option, key: false }]),
  );
  return { heading, section, options: all as Options }; // the values are of the same types
}

type OptionSettings = Partial<Omit<Option, "kind" | "help" | "isList" | "byDefault">>;

export function one<Value>(
  kind: OptionKind<Value>,
  help: string,
  more: OptionSettings = {},
): Option<Value | undefined> {
  return { kind, help, isList: false, byDefault: undefined, ...more };
}

export function withDefault<Value>(
  byDefault: Value,
  option: Option<Value | undefined>,
): Option<Value> {
  return { ...option, byDefault };
}

export function many<Value>(
  kind: OptionKind<Value>,
  help: string,
  more: OptionSettings = {},
): Option<readonly Value[]> {
  return { kind, help, isList: true, byDefault: [], ...more };
}

/** A flag that turns something on; help doesn't show its negative form `--no-`, which only config files need. */
export function toggle(help: string, more: OptionSettings = {}): Option<boolean> {
  return { kind: SWITCH, help, isList: false, isFlag: true, byDefault: false, ...more };
}

export function negatable(help: string, more: OptionSettings = {}): Option<boolean | undefined> {
  return { ...toggle(help, more), shown: "both", byDefault: undefined };
}

export function argument<Value>(
  kind: OptionKind<Value>,
  help: string,
  more?: OptionSettings,
): Option<Value | undefined> {
  return { ...one(kind, help, more), isArgument: true };
}

export function rest<Value>(
  kind: OptionKind<Value>,
  help: string,
  more?: OptionSettings,
): Option<readonly Value[]> {
  return { ...many(kind, help, more), isArgument: true };
}

export interface Flags {
  /** The names of the option, or the flags that turn it on. */
  readonly on: readonly string[];
  readonly off: readonly string[];
}

/** Returns the name of a key on the command line: `--fail-under` for `failUnder`. */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns the flags of an option. Each value of a config file can be reverted by a flag, which help may not show. */
export function optionFlags(name: string, option: Option): Flags {
  if (option.isArgument || option.isRunnerOnly) return { on: [], off: [] };
  const { key = name, flag = key === false ? name : key, short, alias, shown } = option;
  const long = flagName(flag);
  const on = [short ?? [], long, alias === undefined ? [] : flagName(alias)].flat();
  const off = option.isFlag ? [`--no-${long.slice(2)}`] : [];
  if (key !== false || shown === "both") return { on, off };
  return shown === "negative" ? { on: [], off } : { on, off: [] };
}

export function optionKeys(name: string, { key = name, alias }: Option): string[] {
  return key === false ? [] : [key, alias ?? []].flat();
}

/** The fewest letters at the start of a name by which it is guessed. */
const MIN_LETTERS = 3;
/** The most wrong letters in a name that is guessed; at most half of its letters may be wrong. */
const MAX_WRONG = 3;

/**
 * Returns the error message for a value that isn't one of the choices, with the choice that was probably meant.
 *
 * @param noun The kind of thing that the value should name: `format`.
 * @param choices The names, in the order in which they are shown.
 * @param meanings Other words that users may try, with the names that they mean.
 */
export function unknownChoice(
  noun: string,
  input: string,
  choices: readonly string[],
  meanings: Readonly<Record<string, string>> = {},
): string {
  const meant = nearest(input.trim().toLowerCase(), choices, meanings);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  const names = sentenceList(choices, "or");
  return `Unknown ${noun} "${input}".${hint} Choose ${names}.`;
}

function nearest(
  input: string,
  choices: readonly string[],
  meanings: Readonly<Record<string, string>>,
): string | undefined {
  if (Object.hasOwn(meanings, input)) return meanings[input];
  // Short names are half equal by chance, as "yaml" and "html". Users get the first letter right, or all others.
  // Of equally near names, the first in the list is taken: it is the most usual one.
  const [similar] = choices
    .map((name) => ({ name, wrong: editsBetween(input, name.toLowerCase()) }))
    .filter(({ name, wrong }) =>
      wrong <= Math.min(MAX_WRONG, input.length / 2) && (wrong <= 1 || name[0] === input[0])
    )
    .sort((one, other) => one.wrong - other.wrong);
  if (similar !== undefined) return similar.name;
  // "params" for "parameters": the beginning of a name, possibly with a plural s.
  const stem = input.replace(/s$/, "");
  return stem.length < MIN_LETTERS ? undefined : choices.find((name) => name.startsWith(stem));
}
