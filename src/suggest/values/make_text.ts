import { formats } from "../../schema/formats.ts";
import { compilePattern } from "../../schema/pattern.ts";
import { findText } from "../../schema/pattern/find_text.ts";
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
  const isRight = testOf(facts, admits);
  for (const text of candidates(facts)) if (isRight(text)) return text;
  const { patterns: accepts, notPatterns: refuses } = facts;
  if (accepts.length + refuses.length === 0) return undefined;
  return findText({ accepts, refuses, minLength, maxLength, admits: isRight });
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

function* candidates(facts: Facts): Generator<string> {
  const { minLength, maxLength, notFormats } = facts;
  const wanted = Math.max(minLength, Math.min(4, maxLength));
  for (const name of facts.formats) yield* formatTexts(name, minLength, maxLength);
  for (const name of notFormats) {
    for (const text of formatTexts(name, 0, Infinity)) yield `${text}!`;
  }
  if (notFormats.length > 0) yield* ODD;
  yield fitted("text", wanted);
  for (let number = 1; number <= 200; number++) {
    yield fitted(`text${number}`, Math.min(Math.max(minLength, 5), maxLength));
  }
  yield "";
  for (let code = 97; code <= 122; code++) yield String.fromCharCode(code);
  for (const text of ODD) yield fitted(text, Math.max(minLength, text.length));
}

/** A text of exactly so many characters, that ends as it did. */
function fitted(text: string, length: number): string {
  return text.length >= length
    ? text.slice(text.length - length)
    : text.slice(0, 1).repeat(length - text.length) + text;
}
