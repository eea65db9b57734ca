import { sentenceList } from "../../report/wording/amounts.ts";
import { editsBetween } from "../../values/nearest_name.ts";
import { type OptionKind, SWITCH } from "./option_kind.ts";

/** An option of commands, test runners and the config file. */
export interface Option<Value = unknown> {
  readonly kind: OptionKind;
  readonly help: string;
  /** True for a list: it can be repeated, and files can have one value alone. */
  readonly isList: boolean;
  /** True for an argument, which help shows by the metavar of its kind. */
  readonly isArgument?: boolean;
  /** True for a flag: `--color`. */
  readonly isFlag?: boolean;
  /** The form of a flag that help shows: with `--no-`, or both (default: without; only config files need the other). */
  readonly shown?: "negative" | "both";
  readonly missing?: string;
  /** True if only test runners and the config file have it. */
  readonly isOfRunners?: boolean;
  /** Short name on the command line: `-o`. */
  readonly short?: string;
  /** Name in files and, in kebab case, on the command line (default: its own); false if only the command line has it. */
  readonly key?: string | false;
  readonly flag?: string;
  /** Another name in files and on the command line. */
  readonly alias?: string;
  /** The text about the key in config files, where the help does not fit. */
  readonly keyHelp?: string;
  /** The text about the option of test runners, where the help does not fit. */
  readonly runnerHelp?: string;
  /** True if each of several APIs can have its own. */
  readonly perApi?: boolean;
  readonly judges?: boolean;
  /** The value where neither the command line nor a file has one. */
  readonly byDefault: Value;
}

/** Options below one heading of help. */
export interface OptionGroup<
  Options extends Readonly<Record<string, Option>> = Readonly<Record<string, Option>>,
> {
  /** Undefined for what stands above all headings. */
  readonly heading: string | undefined;
  /** The mapping of the config file that has these options (default: the file itself); false if it has none of them. */
  readonly section: "proxy" | "compare" | false | undefined;
  readonly options: Options;
}

/** Puts options below a heading. */
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

type More = Partial<Omit<Option, "kind" | "help" | "isList" | "byDefault">>;

export function one<Value>(
  kind: OptionKind<Value>,
  help: string,
  more: More = {},
): Option<Value | undefined> {
  return { kind, help, isList: false, byDefault: undefined, ...more };
}

/** An option with one value, which has a default. */
export function withDefault<Value>(
  byDefault: Value,
  option: Option<Value | undefined>,
): Option<Value> {
  return { ...option, byDefault };
}

/** An option that can be repeated. */
export function many<Value>(
  kind: OptionKind<Value>,
  help: string,
  more: More = {},
): Option<readonly Value[]> {
  return { kind, help, isList: true, byDefault: [], ...more };
}

/** A flag that turns something on; only config files need `--no-` before it. */
export function toggle(help: string, more: More = {}): Option<boolean> {
  return { kind: SWITCH, help, isList: false, isFlag: true, byDefault: false, ...more };
}

export function negatable(help: string, more: More = {}): Option<boolean | undefined> {
  return { ...toggle(help, more), shown: "both", byDefault: undefined };
}

export function argument<Value>(
  kind: OptionKind<Value>,
  help: string,
  more?: More,
): Option<Value | undefined> {
  return { ...one(kind, help, more), isArgument: true };
}

/** All arguments that are left. */
export function rest<Value>(
  kind: OptionKind<Value>,
  help: string,
  more?: More,
): Option<readonly Value[]> {
  return { ...many(kind, help, more), isArgument: true };
}

export interface Flags {
  /** The option, or what turns it on. */
  readonly on: readonly string[];
  readonly off: readonly string[];
}

/** The name of a key on the command line: `failUnder` as `--fail-under`. */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The flags of an option. Whatever a config file sets can be set to the opposite, too, with a flag that help may hide. */
export function optionFlags(name: string, option: Option): Flags {
  if (option.isArgument || option.isOfRunners) return { on: [], off: [] };
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

/** As many letters of a name have to be right for the rest of it to be guessed. */
const FEWEST_LETTERS = 3;
/** A name in which more letters are wrong, or more than half of them, means nothing that could be guessed. */
const MOST_WRONG = 3;

/**
 * The error for a value that isn't one of the choices, with the one that was probably meant.
 *
 * @param noun What the value should have named: `format`.
 * @param choices The names, in the order in which they are shown.
 * @param meanings Other words that people use, with the names that they mean.
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
  // Short names are half alike by chance: "yaml" and "html". People get the first letter right, or all others.
  // Of several that are as near, the first in the list is the most usual.
  const [similar] = choices
    .map((name) => ({ name, wrong: editsBetween(input, name.toLowerCase()) }))
    .filter(({ name, wrong }) =>
      wrong <= Math.min(MOST_WRONG, input.length / 2) && (wrong <= 1 || name[0] === input[0])
    )
    .sort((one, other) => one.wrong - other.wrong);
  if (similar !== undefined) return similar.name;
  // "params" for "parameters": the beginning of the name, perhaps with an s for many.
  const stem = input.replace(/s$/, "");
  return stem.length < FEWEST_LETTERS ? undefined : choices.find((name) => name.startsWith(stem));
}
