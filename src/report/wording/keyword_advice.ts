import { type KeywordAdvice, keywordTable } from "../../values/keyword_table.ts";
import { formatAmount, sentenceList } from "./amounts.ts";

/** Outcomes of a keyword that were never seen. */
export type Missing = "valid" | "invalid" | "both";

/** Names and values in a sentence are listed up to here. */
const LISTED = 3;

/** Longer texts are cut within a sentence. */
const LENGTH = 48;

/** Advice for keywords whose value is not known, or that the table has none for. */
export const GENERAL_ADVICE: Readonly<Record<Missing, string>> = {
  valid: "Send a valid value.",
  invalid: "Send an invalid value.",
  both: "Send a valid and an invalid value.",
};

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
};

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > LENGTH ? `${text.slice(0, LENGTH).toWellFormed()}…` : text;
}

function listOf(value: unknown, conjunction: string): string | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const listed = value.slice(0, LISTED).map(shown);
  if (value.length > LISTED) listed.push(formatAmount(value.length - LISTED, "other"));
  return sentenceList(listed, conjunction);
}

/** The text of a value in a sentence, by kind; null if the value does not fit there. */
const FILLERS: Readonly<Record<string, (value: unknown, detail: string) => string | null>> = {
  value: shown,
  text: (value) => typeof value === "string" ? value : null,
  types: (value) =>
    sentenceList([value].flat().map((name) => TYPES[String(name)] ?? String(name)), "or"),
  list: listOf,
  count: (value, detail) => {
    const [one = "", many = `${one}s`] = detail.split("|");
    return typeof value === "number" ? formatAmount(value, one, many) : null;
  },
};

/** A sentence with the value in it; null if that is not known, or does not fit. */
function filled(sentence: string, value: unknown): string | null {
  let complete = true;
  const text = sentence.replace(/\{(\w+)(?::([^}]*))?\}/g, (_, kind: string, detail = "") => {
    const filler = value === undefined ? null : FILLERS[kind]?.(value, detail) ?? null;
    if (filler === null) complete = false;
    return filler ?? "";
  });
  return complete ? text : null;
}

function sentenceFor(advice: Omit<KeywordAdvice, "when">, missing: Missing): string {
  if (missing !== "both") return advice[missing];
  if (advice.both !== undefined) return advice.both;
  const second = advice.invalid.replace(/^Send /, "");
  return `${advice.valid.slice(0, -1)}, then ${second.charAt(0).toLowerCase()}${second.slice(1)}`;
}

/** The value of a keyword; undefined if its text was cut or is not known. */
function parse(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // The text was cut.
    return undefined;
  }
}

/**
 * Advice on what to send to cover the missing outcomes of a keyword, as a sentence.
 *
 * @param text Its value, as `keywordText` wrote it; null if that is not known.
 *
 * @example
 * ```ts
 * import { keywordAdvice } from "./keyword_advice.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(keywordAdvice("maximum", "100", "invalid"), "Send more than 100.");
 * assert.equal(keywordAdvice("format", '"date"', "both"), "Send a valid and an invalid date.");
 * ```
 */
export function keywordAdvice(keyword: string, text: string | null, missing: Missing): string {
  const value = parse(text);
  const advice: KeywordAdvice = keywordTable.get(keyword)?.advice ?? GENERAL_ADVICE;
  const special = advice.when?.[value === undefined ? "unknown" : JSON.stringify(value)];
  const candidates: Omit<KeywordAdvice, "when">[] = [
    special ?? advice,
    advice.when?.["unknown"] ?? GENERAL_ADVICE,
    GENERAL_ADVICE,
  ];
  for (const candidate of candidates) {
    const sentence = filled(sentenceFor(candidate, missing), value);
    if (sentence !== null) return sentence;
  }
  return GENERAL_ADVICE[missing];
}

/** A sentence of advice as the end of another one: `send more than 100`. */
export function asClause(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}
