import { message, text } from "@optique/core/message";
import type { ValueParser, ValueParserResult } from "@optique/core/valueparser";
import { FAIL_ON_KINDS, type FailOnCondition, usualConditions } from "../fail_on.ts";
import { unknownChoice } from "./unknown_choice.ts";

const NAMES: readonly string[] = FAIL_ON_KINDS.map(({ name }) => name);
const MEANINGS: Readonly<Record<string, string>> = Object.fromEntries(
  FAIL_ON_KINDS.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name])),
);

/** The value of `--fail-on`: conditions with commas between them, some with an argument: `decrease=keywords`. */
export function failOnValue(): ValueParser<"sync", readonly FailOnCondition[]> {
  return {
    mode: "sync",
    metavar: "KIND",
    placeholder: [],
    parse(input) {
      const conditions: FailOnCondition[] = [];
      for (const part of input.split(",")) {
        const result = parseCondition(part.trim().toLowerCase());
        if (!result.success) return result;
        conditions.push(result.value);
      }
      return { success: true, value: conditions };
    },
    format: (value) => value.map(({ kind }) => kind).join(","),
    *suggest(prefix) {
      const comma = prefix.lastIndexOf(",") + 1;
      const before = prefix.slice(0, comma);
      for (const kind of FAIL_ON_KINDS) {
        for (const condition of usualConditions(kind)) {
          if (!condition.startsWith(prefix.slice(comma))) continue;
          yield {
            kind: "literal",
            text: before + condition,
            description: message`${text(kind.description)}`,
          };
        }
      }
    },
  };
}

function parseCondition(text: string): ValueParserResult<FailOnCondition> {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  const kind = FAIL_ON_KINDS.find((known) => known.name === name);
  if (kind === undefined) {
    return { success: false, error: unknownChoice("condition", name, NAMES, MEANINGS) };
  }
  if (equals < 0) return { success: true, value: { kind: name } };
  const argument = text.slice(equals + 1);
  if (kind.argument === undefined) {
    return { success: false, error: message`${name} takes no value, but got ${argument}.` };
  }
  const { metavar, choices } = kind.argument;
  return choices.includes(argument)
    ? { success: true, value: { kind: name, argument } }
    : { success: false, error: unknownChoice(metavar.toLowerCase(), argument, choices) };
}
