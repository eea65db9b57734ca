import { formatMessage } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";
import type { Json } from "../../values/json.ts";

/**
 * The kind of an option's value in files and in plain JavaScript: its check, its wording in messages, and its JSON
 * Schema.
 */
export interface OptionKind {
  /** Continues "must be": `a percentage from 0 to 100`. */
  readonly what: string;
  /** True for values of this kind. The values of a list are checked one by one. */
  readonly isRight: (value: unknown) => boolean;
  /** JSON Schema of one value. */
  readonly schema: Readonly<Record<string, Json>>;
  /** True if the option takes a list. A single value is short for a list of one. */
  readonly isList?: boolean;
  /** The part of a value that is a path: all of it, all unless it is a URL, or what follows the equals sign. */
  readonly path?: "all" | "unless_url" | "after_equals";
  /** Reads a value as the command line does (default: the value itself). */
  readonly parser?: () => ValueParser<"sync", unknown>;
}

/** Text that must not be empty. */
export const TEXT: OptionKind = {
  what: "a non-empty string",
  isRight: (value) => typeof value === "string" && value !== "",
  schema: { type: "string", minLength: 1 },
};

/** The path of a file or folder. */
export const PATH: OptionKind = { ...TEXT, path: "all" };

/** The path or URL of a file. */
export const LOCATION: OptionKind = { ...TEXT, path: "unless_url" };

/** On or off. */
export const SWITCH: OptionKind = {
  what: "true or false",
  isRight: (value) => typeof value === "boolean",
  schema: { type: "boolean" },
};

/** A percentage. */
export const PERCENTAGE: OptionKind = {
  what: "a percentage from 0 to 100",
  isRight: (value) => typeof value === "number" && value >= 0 && value <= 100,
  schema: { type: "number", minimum: 0, maximum: 100 },
};

/** A whole number between two others. */
export function integerFrom(minimum: number, maximum: number): OptionKind {
  return {
    what: `an integer from ${minimum} to ${maximum}`,
    isRight: (value) =>
      Number.isInteger(value) && Number(value) >= minimum &&
      Number(value) <= maximum,
    schema: { type: "integer", minimum, maximum },
  };
}

/** A number of bytes, alone or with a unit. */
export function sizeOf(parser: () => ValueParser<"sync", number>): OptionKind {
  return {
    what: 'a number of bytes, or a size such as "10M"',
    isRight: (value) =>
      typeof value === "string" ? /^\d/.test(value) : Number.isInteger(value) && Number(value) >= 0,
    schema: {
      anyOf: [
        { type: "integer", minimum: 0 },
        { type: "string", pattern: "^\\d+ *([kKmMgG])?([iI]?[bB])?$" },
      ],
    },
    parser,
  };
}

/** Text that the command line checks further. */
export function textOf(parser: () => ValueParser<"sync", unknown>): OptionKind {
  return { ...TEXT, parser };
}

/** A list, or one value alone. */
export function listOf(kind: OptionKind): OptionKind {
  return {
    ...kind,
    what: kind.isRight("text") ? "a string or a list of strings" : `${kind.what}, or a list`,
    isList: true,
  };
}

/**
 * The error in the value of an option, as a sentence that names the option; undefined if the value is valid.
 *
 * @example
 * ```ts
 * import { optionProblem, PERCENTAGE } from "./option_kind.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(optionProblem("failUnder", PERCENTAGE, 80), undefined);
 * assert.equal(
 *   optionProblem("failUnder", PERCENTAGE, "80"),
 *   "failUnder must be a percentage from 0 to 100.",
 * );
 * ```
 */
export function optionProblem(name: string, kind: OptionKind, value: unknown): string | undefined {
  const values = itemsOf(kind, value);
  if (!values.every((item) => kind.isRight(item))) return `${name} must be ${kind.what}.`;
  for (const item of values) {
    if (typeof item === "object") continue; // it is no text to parse
    const result = kind.parser?.().parse(String(item));
    if (result?.success === false) {
      const reason = formatMessage(result.error, { quotes: false }).replace(/\s*\n\s*/g, " ");
      return `${name}: ${reason}`;
    }
  }
  return undefined;
}

/**
 * The value of an option as the command line reads it: a list has what each of its values says.
 *
 * @param value Is right, as {@linkcode optionProblem} says.
 */
export function readOption(kind: OptionKind, value: unknown): unknown {
  const read = (item: unknown): unknown => {
    if (typeof item === "object") return item;
    const result = kind.parser?.().parse(String(item));
    return result?.success === true ? result.value : item;
  };
  return kind.isList === true ? itemsOf(kind, value).map(read) : read(value);
}

function itemsOf(kind: OptionKind, value: unknown): readonly unknown[] {
  return kind.isList === true ? [value].flat() : [value];
}
