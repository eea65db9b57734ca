import type { Json } from "../../values/json.ts";

/** A completion of a value in a shell: a text, or files with some extensions. */
export type Completion =
  | { readonly text: string; readonly description?: string }
  | { readonly extensions: readonly string[] | undefined; readonly prefix?: string };

/**
 * A kind of values: reads and completes text of the command line; has the check, the wording in messages and the JSON
 * Schema for values in files and in plain JavaScript.
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
  readonly requirement: string;
  /** Continues "must be" for a list (default: derived from {@linkcode OptionKind.requirement}). */
  readonly listRequirement?: string;
  /** True for values of this kind in files; the content of texts is checked by {@linkcode OptionKind.read}. */
  readonly accepts: (value: unknown) => boolean;
  readonly schema: Readonly<Record<string, Json>>;
  /** The TypeScript type of a value in the options of test runners (default: `string`). */
  readonly type?: string;
  /** The part of a value that is a path: all of it, all unless it is a URL, or the part after the equals sign. */
  readonly path?: "all" | "unless_url" | "after_equals";
}

/** A text, which must not be empty in files. */
export function text(metavar: string): OptionKind<string> {
  return readText(metavar, (input) => input);
}

export function readText<Value>(
  metavar: string,
  read: (text: string) => Value,
): OptionKind<Value> {
  return {
    metavar,
    read,
    requirement: "a non-empty string",
    accepts: (value) => typeof value === "string" && value !== "",
    schema: { type: "string", minLength: 1 },
  };
}

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

/** Returns an input for messages; in words if it is blank, such as from a variable that isn't set. */
export function shownInput(input: string): string {
  return input.trim() === "" ? "an empty text" : input;
}

export const SWITCH: OptionKind<boolean> = {
  metavar: "",
  read: Boolean,
  requirement: "true or false",
  accepts: (value) => typeof value === "boolean",
  schema: { type: "boolean" },
  type: "boolean",
};

export function integer(
  metavar: string,
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
): OptionKind<number> {
  return {
    metavar,
    read(input) {
      if (!/^-?\d+$/.test(input)) {
        throw new TypeError(`Expected a valid integer, but got ${shownInput(input)}.`);
      }
      const value = Number(input);
      if (value >= minimum && value <= maximum) return value;
      const limit = value < minimum
        ? `greater than or equal to ${minimum.toLocaleString("en")}`
        : `less than or equal to ${maximum.toLocaleString("en")}`;
      throw new TypeError(`Expected a value ${limit}, but got ${shownInput(input)}.`);
    },
    requirement: `an integer from ${minimum} to ${maximum}`,
    accepts: (value) =>
      Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
    schema: { type: "integer", minimum, maximum },
    type: "number",
  };
}

/** Returns the error in an option's value, as a sentence that names the option; undefined if it is valid. */
export function optionProblem(
  name: string,
  { isList, kind }: { readonly isList: boolean; readonly kind: OptionKind },
  value: unknown,
): string | undefined {
  const values = isList ? [value].flat() : [value];
  if (!values.every((item) => kind.accepts(item))) {
    return `${name} must be ${isList ? listWording(kind) : kind.requirement}.`;
  }
  try {
    for (const item of values) readValue(kind, item);
    return undefined;
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : error}`;
  }
}

/** Returns the wording for a list of such values in messages: `a string or a list of strings`. */
export function listWording({ requirement, listRequirement, accepts }: OptionKind): string {
  return listRequirement ??
    (accepts("text") ? "a string or a list of strings" : `${requirement}, or a list`);
}

/** Reads a value from a file or from plain JavaScript; texts are read as on the command line. */
export function readValue(kind: OptionKind, value: unknown): unknown {
  return typeof value === "string" ? kind.read(value) : value;
}
