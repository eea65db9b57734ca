import { formats } from "../../schema/formats.ts";
import { compilePattern } from "../../schema/pattern.ts";
import { searchText } from "../../schema/pattern/find_text.ts";
import { lengthsOf } from "../../schema/pattern/length_range.ts";
import { STRING } from "../../values/json_type.ts";
import type { Facts } from "./facts.ts";
import { formatTexts } from "./format_texts.ts";

/** Longer texts are not made. */
const MAX_LENGTH = 200_000;

/** Texts that many formats refuse, each for another reason. */
const ODD = ["not valid", "%", "{", "(", "\\", "~2", "?", "-", "é", "a b", "", "//[", "\u0000"];

/**
 * A text that keeps all demands; undefined if none was found.
 *
 * @param admits Any other demand.
 */
export function makeText(facts: Facts, admits: (text: string) => boolean): string | undefined {
  const { minLength, maxLength } = facts;
  if (minLength > maxLength || minLength > MAX_LENGTH || maxLength < 0) return undefined;
  const { patterns: accepts, notPatterns: refuses } = facts;
  if (accepts.some((source) => isOutside(source, facts))) return undefined;
  const isRight = testOf(facts, admits);
  for (const text of plainTexts(facts)) if (isRight(text)) return text;
  if (accepts.length + refuses.length > 0) {
    const found = searchText({ accepts, refuses, minLength, maxLength, admits: isRight });
    if (found.text !== undefined || found.isEmpty) return found.text;
  }
  for (const text of moreTexts(facts)) if (isRight(text)) return text;
  return undefined;
}

/** True if all texts that an expression matches are too short or too long. */
function isOutside(source: string, { minLength, maxLength }: Facts): boolean {
  const { min, max } = lengthsOf(source);
  return min > maxLength || max < minLength;
}

function testOf(facts: Facts, admits: (text: string) => boolean): (text: string) => boolean {
  const { minLength, maxLength } = facts;
  const accepts = facts.patterns.map((source) => compilePattern(source));
  const refuses = facts.notPatterns.map((source) => compilePattern(source));
  return (text) => {
    const length = Array.from(text).length;
    return length >= minLength && length <= maxLength &&
      facts.formats.every((name) => hasFormat(text, name)) &&
      !facts.notFormats.some((name) => hasFormat(text, name)) &&
      accepts.every((test) => test(text) === true) &&
      refuses.every((test) => test(text) === false) && admits(text);
  };
}

function hasFormat(text: string, name: string): boolean {
  const format = formats.get(name);
  return format === undefined || (format.types & STRING) === 0 || format.test(text);
}

/** The texts that come to mind first. */
function* plainTexts(facts: Facts): Generator<string> {
  const { minLength, maxLength, notFormats } = facts;
  for (const name of facts.formats) yield* formatTexts(name, minLength, maxLength);
  for (const name of notFormats) {
    for (const text of formatTexts(name, 0, Infinity)) yield `${text}!`;
  }
  if (notFormats.length > 0) yield* ODD;
  yield fitted("text", Math.max(minLength, Math.min(4, maxLength)));
  for (let number = 1; number <= FEW; number++) yield numbered(number, facts);
}

/** Others, for where those are excluded. */
function* moreTexts(facts: Facts): Generator<string> {
  for (let number = FEW + 1; number <= MANY; number++) yield numbered(number, facts);
  yield "";
  for (let code = 97; code <= 122; code++) yield String.fromCharCode(code);
  for (const text of ODD) yield fitted(text, Math.max(facts.minLength, text.length));
}

/** The number of texts that differ in a number at their end, before and after patterns are looked at. */
const FEW = 3;
const MANY = 200;

function numbered(number: number, { minLength, maxLength }: Facts): string {
  return fitted(`text${number}`, Math.min(Math.max(minLength, 5), maxLength));
}

/** A text of exactly so many characters, that ends as it did. */
function fitted(text: string, length: number): string {
  return text.length >= length
    ? text.slice(text.length - length)
    : text.slice(0, 1).repeat(length - text.length) + text;
}
