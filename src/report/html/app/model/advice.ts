import type { Missing } from "./operation_gaps.ts";
import { sentenceList } from "./words.ts";

/** Names and values in a sentence are listed up to here. */
const LISTED = 3;

/** Longer texts are cut within a sentence. */
const LENGTH = 48;

/** What to send so that the keyword passes, and what so that it fails. */
interface Ways {
  readonly valid: string;
  readonly invalid: string;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > LENGTH ? `${text.slice(0, LENGTH).toWellFormed()}…` : text;
}

function listOf(values: readonly unknown[], word: string): string {
  const listed = values.slice(0, LISTED).map(shown);
  if (values.length > LISTED) return `${listed.join(", ")}, …`;
  return listed.length < 2
    ? listed.join("")
    : `${listed.slice(0, -1).join(", ")} ${word} ${listed.at(-1)}`;
}

function amount(value: unknown, one: string, many = `${one}s`): string {
  return `${shown(value)} ${value === 1 ? one : many}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

function typeNames(value: unknown): string[] {
  const names = Array.isArray(value) ? value : [value];
  return names.map((name) => TYPES[String(name)] ?? String(name));
}

function ofType(value: unknown): Ways {
  const names = typeNames(value);
  const invalid = String(value) === "string"
    ? "send something other than text"
    : `send what is not ${names.length > 1 ? `any of ${sentenceList(names)}` : names.join("")}`;
  return { valid: `send ${names.join(" or ")}`, invalid };
}

function ofRequired(value: unknown): Ways {
  const names = Array.isArray(value) ? value : [];
  return {
    valid: names.length > 0 ? `send ${listOf(names, "and")} together` : "send all that is required",
    invalid: names.length > 0 ? `leave out ${listOf(names, "or")}` : "leave out what is required",
  };
}

function ofEnum(value: unknown): Ways {
  return {
    valid: Array.isArray(value) && value.length > 0
      ? `send ${listOf(value, "or")}`
      : "send one of the listed values",
    invalid: "send a value that is not listed",
  };
}

/** The closing keywords and those that hold a schema for what is left over. */
function ofRest(value: unknown, what: string): Ways {
  return value === false
    ? {
      valid: `send no ${what} beyond the declared`,
      invalid: `send ${what} that are not declared`,
    }
    : { valid: `send further ${what} that fit`, invalid: `send further ${what} that do not fit` };
}

const ABOVE: Ways = { valid: "send a number within the bound", invalid: "send the bound itself" };

function waysOf(keyword: string, value: unknown): Ways | null {
  const known = value !== undefined;
  switch (keyword) {
    case "type":
      return known ? ofType(value) : null;
    case "enum":
      return ofEnum(value);
    case "const":
      return known
        ? { valid: `send ${shown(value)}`, invalid: `send anything but ${shown(value)}` }
        : null;
    case "nullable":
      return { valid: "send null", invalid: "send something other than null" };
    case "multipleOf":
      return {
        valid: `send a multiple of ${shown(value)}`,
        invalid: `send a number that is no multiple of ${shown(value)}`,
      };
    case "maximum":
      return { valid: `send at most ${shown(value)}`, invalid: `send more than ${shown(value)}` };
    case "minimum":
      return { valid: `send at least ${shown(value)}`, invalid: `send less than ${shown(value)}` };
    case "exclusiveMaximum":
      return typeof value === "number"
        ? { valid: `send less than ${value}`, invalid: `send ${value} or more` }
        : ABOVE;
    case "exclusiveMinimum":
      return typeof value === "number"
        ? { valid: `send more than ${value}`, invalid: `send ${value} or less` }
        : ABOVE;
    case "maxLength":
      return {
        valid: `send at most ${amount(value, "character")}`,
        invalid: `send more than ${amount(value, "character")}`,
      };
    case "minLength":
      return {
        valid: `send at least ${amount(value, "character")}`,
        invalid: value === 1 ? "send empty text" : `send fewer than ${amount(value, "character")}`,
      };
    case "pattern":
      return {
        valid: `send text that matches ${String(value)}`,
        invalid: `send text that does not match ${String(value)}`,
      };
    case "format":
      return {
        valid: `send a well-formed ${String(value)}`,
        invalid: `send what is no well-formed ${String(value)}`,
      };
    case "maxItems":
      return {
        valid: `send at most ${amount(value, "item")}`,
        invalid: `send more than ${amount(value, "item")}`,
      };
    case "minItems":
      return {
        valid: `send at least ${amount(value, "item")}`,
        invalid: value === 1 ? "send an empty list" : `send fewer than ${amount(value, "item")}`,
      };
    case "uniqueItems":
      return { valid: "send items that differ", invalid: "send the same item twice" };
    case "contains":
      return {
        valid: "send a list with an item that fits",
        invalid: "send a list without an item that fits",
      };
    case "maxContains":
      return {
        valid: `send at most ${amount(value, "item")} that fit`,
        invalid: `send more than ${amount(value, "item")} that fit`,
      };
    case "minContains":
      return {
        valid: `send at least ${amount(value, "item")} that fit`,
        invalid: `send fewer than ${amount(value, "item")} that fit`,
      };
    case "maxProperties":
      return {
        valid: `send at most ${amount(value, "property", "properties")}`,
        invalid: `send more than ${amount(value, "property", "properties")}`,
      };
    case "minProperties":
      return {
        valid: `send at least ${amount(value, "property", "properties")}`,
        invalid: `send fewer than ${amount(value, "property", "properties")}`,
      };
    case "required":
      return ofRequired(value);
    case "additionalProperties":
    case "unevaluatedProperties":
      return ofRest(value, "properties");
    case "additionalItems":
    case "unevaluatedItems":
      return ofRest(value, "items");
    default:
      return composedWays(keyword, value);
  }
}

function composedWays(keyword: string, value: unknown): Ways | null {
  switch (keyword) {
    case "properties":
    case "patternProperties":
      return {
        valid: "send properties that all fit",
        invalid: "send a property that does not fit",
      };
    case "propertyNames":
      return {
        valid: "send property names that fit",
        invalid: "send a property name that does not fit",
      };
    case "items":
    case "prefixItems":
      return value === false ? ofRest(value, "items") : {
        valid: "send items that all fit",
        invalid: "send an item that does not fit",
      };
    case "dependentRequired":
    case "dependentSchemas":
    case "dependencies":
      return {
        valid: "send what a property asks for along with it",
        invalid: "send a property without what it asks for",
      };
    case "allOf":
      return { valid: "send what fits all of them", invalid: "send what one of them refuses" };
    case "anyOf":
      return { valid: "send what fits one of them", invalid: "send what fits none of them" };
    case "oneOf":
      return {
        valid: "send what fits exactly one of them",
        invalid: "send what fits none of them, or several",
      };
    case "not":
      return { valid: "send what it does not describe", invalid: "send what it describes" };
    case "if":
      return { valid: "send what meets the condition", invalid: "send what does not meet it" };
    case "then":
    case "else":
      return {
        valid: "send what fits in this case",
        invalid: "send what does not fit in this case",
      };
    default:
      return null;
  }
}

/** The value of a keyword out of its text; undefined where it was cut or is not known. */
function parse(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // The text was cut.
    return undefined;
  }
}

/** Keywords that can be spoken of without their value. */
const NEED_VALUE = new Set([
  ...["multipleOf", "maximum", "minimum", "maxLength", "minLength", "pattern", "format"],
  ...["maxItems", "minItems", "maxContains", "minContains", "maxProperties", "minProperties"],
]);

/**
 * What to send so that a keyword is seen the way that is missing, as the end of a sentence.
 *
 * @param text What the keyword says, as `keywordText` wrote it; null where that is not known.
 * @returns Empty where there is nothing sensible to say.
 *
 * @example
 * ```ts
 * import { advice } from "./advice.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(advice("maximum", "100", "invalid"), "send more than 100");
 * assert.equal(advice("maximum", "100", "both"), "send at most 100, and more than 100");
 * ```
 */
export function advice(keyword: string, text: string | null, missing: Missing): string {
  const value = parse(text);
  if (value === undefined && NEED_VALUE.has(keyword)) return "";
  const ways = waysOf(keyword, value);
  if (ways === null) return "";
  if (missing !== "both") return ways[missing];
  const second = ways.invalid.startsWith("send ")
    ? ways.invalid.slice("send ".length)
    : ways.invalid;
  return `${ways.valid}, and ${second}`;
}
