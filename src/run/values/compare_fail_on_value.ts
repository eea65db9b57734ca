import { message, text } from "@optique/core/message";
import type { ValueParser, ValueParserResult } from "@optique/core/valueparser";
import {
  COMPARE_FAIL_ON_KINDS,
  type CompareCondition,
  compareConditionText,
} from "../compare/compare_fail_on.ts";
import { unknownChoice } from "./unknown_choice.ts";

const NAMES: readonly string[] = COMPARE_FAIL_ON_KINDS.map(({ name }) => name);
const MEANINGS: Readonly<Record<string, string>> = Object.fromEntries(
  COMPARE_FAIL_ON_KINDS.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name])),
);
const PERCENT = /^(\d+(?:\.\d*)?|\.\d+)%?$/;

/** The value of `--fail-on` of `covtool compare`: conditions with commas between them, some with a percentage. */
export function compareFailOnValue(): ValueParser<"sync", readonly CompareCondition[]> {
  return {
    mode: "sync",
    metavar: "KIND",
    placeholder: [],
    parse(input) {
      const conditions: CompareCondition[] = [];
      for (const part of input.split(",")) {
        const result = parseCondition(part.trim().toLowerCase());
        if (!result.success) return result;
        conditions.push(result.value);
      }
      return { success: true, value: conditions };
    },
    format: (value) => value.map(compareConditionText).join(","),
    *suggest(prefix) {
      const comma = prefix.lastIndexOf(",") + 1;
      for (const { name, description } of COMPARE_FAIL_ON_KINDS) {
        if (!name.startsWith(prefix.slice(comma))) continue;
        yield {
          kind: "literal",
          text: prefix.slice(0, comma) + name,
          description: message`${text(description)}`,
        };
      }
    },
  };
}

function parseCondition(condition: string): ValueParserResult<CompareCondition> {
  const equals = condition.indexOf("=");
  const name = equals < 0 ? condition : condition.slice(0, equals);
  const kind = COMPARE_FAIL_ON_KINDS.find((known) => known.name === name);
  if (kind === undefined) {
    return { success: false, error: unknownChoice("condition", name, NAMES, MEANINGS) };
  }
  if (equals < 0) return { success: true, value: { kind: name } };
  const argument = condition.slice(equals + 1);
  if (kind.takesPercent !== true) {
    return { success: false, error: message`${name} takes no value, but got ${argument}.` };
  }
  const percent = Number(PERCENT.exec(argument)?.[1] ?? Number.NaN);
  return percent <= 100 ? { success: true, value: { kind: name, percent } } : {
    success: false,
    error: message`Expected a percentage from 0 to 100 after ${`${name}=`}, but got ${argument}.`,
  };
}
