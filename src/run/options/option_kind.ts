import type { Json } from "../../values/json.ts";

/** What a shell completes a value with: a text, or files of some kinds. */
export type Completion =
  | { readonly text: string; readonly description?: string }
  | { readonly extensions: readonly string[] | undefined; readonly prefix?: string };

/**
 * A kind of values: how text of the command line is read and completed, and the check, the wording in messages and the
 * JSON Schema of values in files and in plain JavaScript.
 */
export interface OptionKind<Value = unknown> {
  readonly metavar: string;
  /**
   * Reads text.
   *
   * @throws {TypeError} with a sentence.
   */
  readonly read: (text: string) => Value;
  readonly complete?: (prefix: string) => Iterable<Completion>;
  /** Continues "must be": `a percentage from 0 to 100`. */
  readonly what: string;
  /** The same for a list (default: from {@linkcode OptionKind.what}). */
  readonly whatList?: string;
  /** True for values of this kind in files; what a text says is left to {@linkcode OptionKind.read}. */
  readonly isRight: (value: unknown) => boolean;
  readonly schema: Readonly<Record<string, Json>>;
  /** TypeScript type of one value in the options of test runners (default: `string`). */
  readonly type?: string;
  /** The part of a value that is a path: all of it, all unless it is a URL, or what follows the equals sign. */
  readonly path?: "all" | "unless_url" | "after_equals";
}

/** Text that must not be empty in files. */
export function text(metavar: string): OptionKind<string> {
  return readText(metavar, (input) => input);
}

/** Text that means something else. */
export function readText<Value>(
  metavar: string,
  read: (text: string) => Value,
): OptionKind<Value> {
  return {
    metavar,
    read,
    what: "a non-empty string",
    isRight: (value) => typeof value === "string" && value !== "",
    schema: { type: "string", minLength: 1 },
  };
}

/** Text that stays as it is once it was checked. */
export function checkedText(metavar: string, check: (text: string) => unknown): OptionKind<string> {
  return readText(metavar, (input) => {
    check(input);
    return input;
  });
}

/** The path of a file or folder. Shells complete it from the file system. */
export function path(metavar: string, extensions?: readonly string[]): OptionKind<string> {
  return {
    ...readText(metavar, (input) => {
      if (input === "") throw new TypeError(`Expected a path, but got ${shownInput(input)}.`);
      return input;
    }),
    path: "all",
    complete: () => [{ extensions }],
  };
}

/** What was given, in words where a reader would see nothing, as of a variable that isn't set. */
export function shownInput(input: string): string {
  return input.trim() === "" ? "an empty text" : input;
}

/** On or off; the flags of the command line say which. */
export const SWITCH: OptionKind<boolean> = {
  metavar: "",
  read: Boolean,
  what: "true or false",
  isRight: (value) => typeof value === "boolean",
  schema: { type: "boolean" },
  type: "boolean",
};

export function integer(
  metavar: string,
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
): OptionKind<number> {
  const english = (limit: number): string => limit.toLocaleString("en");
  return {
    metavar,
    read(input) {
      if (!/^-?\d+$/.test(input)) {
        throw new TypeError(`Expected a valid integer, but got ${shownInput(input)}.`);
      }
      const value = Number(input);
      if (value < minimum) {
        const least = english(minimum);
        throw new TypeError(
          `Expected a value greater than or equal to ${least}, but got ${shownInput(input)}.`,
        );
      }
      if (value > maximum) {
        const most = english(maximum);
        throw new TypeError(
          `Expected a value less than or equal to ${most}, but got ${shownInput(input)}.`,
        );
      }
      return value;
    },
    what: `an integer from ${minimum} to ${maximum}`,
    isRight: (value) =>
      Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
    schema: { type: "integer", minimum, maximum },
    type: "number",
  };
}

/** The error in the value of an option, as a sentence that names the option; undefined if the value is valid. */
export function optionProblem(
  name: string,
  { isList, kind }: { readonly isList: boolean; readonly kind: OptionKind },
  value: unknown,
): string | undefined {
  const values = isList ? [value].flat() : [value];
  if (!values.every((item) => kind.isRight(item))) {
    return `${name} must be ${isList ? listWording(kind) : kind.what}.`;
  }
  try {
    for (const item of values) readValue(kind, item);
    return undefined;
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : error}`;
  }
}

/** The wording of a list of such values in messages: `a string or a list of strings`. */
export function listWording({ what, whatList, isRight }: OptionKind): string {
  return whatList ?? (isRight("text") ? "a string or a list of strings" : `${what}, or a list`);
}

/** Reads a value of a file or of plain JavaScript, where text means what it does on the command line. */
export function readValue(kind: OptionKind, value: unknown): unknown {
  return typeof value === "string" ? kind.read(value) : value;
}
