import { type KeywordAdvice, keywordTable } from "../../values/keyword_table.ts";
import { formatAmount, sentenceList, shortened } from "./amounts.ts";
import { tryParseJson } from "../../values/parse_json.ts";

/** The kinds of gaps, in the order of reports. */
export const GAP_KINDS = ["operation", "parameter", "keyword", "example", "response"] as const;

export type GapKind = typeof GAP_KINDS[number];

/** The outcomes that a keyword with these counts lacks. Null if it lacks none. */
export function missingOutcomes(valid: number, invalid: number): Missing | null {
  if (valid > 0) return invalid > 0 ? null : "invalid";
  return invalid > 0 ? "valid" : "both";
}

export const GAP_WORDS: Readonly<Record<GapKind, { readonly gap: string; readonly fate: string }>> =
  {
    operation: { gap: "operation", fate: "never called" },
    parameter: { gap: "parameter", fate: "never sent" },
    keyword: { gap: "keyword", fate: "not fully covered" },
    example: { gap: "example", fate: "never used" },
    response: { gap: "response", fate: "never returned" },
  };

export const MISSING_WORDS: Readonly<Record<Missing, string>> = {
  both: "not covered",
  valid: "never passed",
  invalid: "never failed",
};

/** What a keyword lacks and what to send, as the end of a sentence. `text` is from `keywordText`, null if unknown. */
export function keywordWording(keyword: string, text: string | null, missing: Missing): string {
  const hint = keywordAdvice(keyword, text, missing);
  // Without the keyword's value, the advice would only repeat what is missing.
  return withAdvice(MISSING_WORDS[missing], hint === GENERAL_ADVICE[missing] ? "" : hint);
}

/** What to send for a documented status that was never returned, as the end of a sentence. */
export function responseWording(status: string): string {
  return withAdvice("was never returned", statusAdvice(status));
}

function withAdvice(fate: string, hint: string): string {
  return hint === "" ? fate : `${fate}: ${asClause(hint)}`;
}

export type Missing = "valid" | "invalid" | "both";

const MAX_LISTED = 3;
const MAX_VALUE = 48;

/** Advice if the keyword's value is unknown, or the keyword table has no advice. */
const GENERAL_ADVICE: Readonly<Record<Missing, string>> = {
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

function shortJson(value: unknown): string {
  return shortened(JSON.stringify(value) ?? "", MAX_VALUE);
}

function writeList(value: unknown, conjunction: string): string | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const listed = value.slice(0, MAX_LISTED).map(shortJson);
  if (value.length > MAX_LISTED) listed.push(formatAmount(value.length - MAX_LISTED, "other"));
  return sentenceList(listed, conjunction);
}

/** Writers for a value within a sentence, by kind of placeholder. They return null if the value doesn't fit. */
const FILLERS: Readonly<Record<string, (value: unknown, detail: string) => string | null>> = {
  value: shortJson,
  text: (value) => typeof value === "string" ? value : null,
  types: (value) =>
    sentenceList([value].flat().map((name) => TYPES[String(name)] ?? String(name)), "or"),
  list: writeList,
  count: (value, detail) => {
    const [one = "", many = `${one}s`] = detail.split("|");
    return typeof value === "number" ? formatAmount(value, one, many) : null;
  },
};

/** Fills a value into a sentence. Null if the value is unknown or doesn't fit. */
function fillSentence(sentence: string, value: unknown): string | null {
  let complete = true;
  const text = sentence.replace(/\{(\w+)(?::([^}]*))?\}/g, (_, kind: string, detail = "") => {
    const filler = value === undefined ? null : FILLERS[kind]?.(value, detail) ?? null;
    if (filler === null) complete = false;
    return filler ?? "";
  });
  return complete ? text : null;
}

function adviceSentence(advice: Omit<KeywordAdvice, "when">, missing: Missing): string {
  if (missing !== "both") return advice[missing];
  if (advice.both !== undefined) return advice.both;
  return `${advice.valid.slice(0, -1)}, then ${asClause(advice.invalid.replace(/^Send /, ""))}.`;
}

/** What to send to cover the missing outcomes, as a sentence. `text` is from `keywordText`, null if unknown. */
export function keywordAdvice(keyword: string, text: string | null, missing: Missing): string {
  // Undefined if the text is unknown or was cut.
  const value = text === null ? undefined : tryParseJson(text);
  const advice: KeywordAdvice = keywordTable.get(keyword)?.advice ?? GENERAL_ADVICE;
  const special = advice.when?.[value === undefined ? "unknown" : JSON.stringify(value)];
  return fillSentence(adviceSentence(special ?? advice, missing), value) ??
    fillSentence(adviceSentence(advice.when?.["unknown"] ?? GENERAL_ADVICE, missing), value) ??
    GENERAL_ADVICE[missing];
}

/** Turns a sentence of advice into the end of another sentence: `send more than 100`. */
export function asClause(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}

type CoverageState = "full" | "partial" | "none";

export const STATE_WORDS: Readonly<Record<CoverageState, string>> = {
  full: "full",
  partial: "partial",
  none: "not covered",
};

const MAX_KEYWORD_TEXT = 240;

/** The value of a keyword as JSON, cut if it is long. Undefined if there is no value to show. */
export function keywordText(value: unknown): string | undefined {
  return value === undefined ? undefined : shortened(JSON.stringify(value), MAX_KEYWORD_TEXT);
}

const STATUSES: Readonly<Record<string, string>> = {
  "200": "OK",
  "201": "Created",
  "202": "Accepted",
  "204": "No Content",
  "206": "Partial Content",
  "301": "Moved Permanently",
  "302": "Found",
  "303": "See Other",
  "304": "Not Modified",
  "307": "Temporary Redirect",
  "308": "Permanent Redirect",
  "400": "Bad Request",
  "401": "Unauthorized",
  "402": "Payment Required",
  "403": "Forbidden",
  "404": "Not Found",
  "405": "Method Not Allowed",
  "406": "Not Acceptable",
  "408": "Request Timeout",
  "409": "Conflict",
  "410": "Gone",
  "412": "Precondition Failed",
  "413": "Content Too Large",
  "415": "Unsupported Media Type",
  "422": "Unprocessable Content",
  "423": "Locked",
  "429": "Too Many Requests",
  "500": "Internal Server Error",
  "501": "Not Implemented",
  "502": "Bad Gateway",
  "503": "Service Unavailable",
  "504": "Gateway Timeout",
};

/** Explains a response status: by its reason phrase, or the statuses that a range or `default` covers. */
export function statusText(status: string): string {
  if (status === "default") return "every other status";
  const range = /^([1-5])XX$/i.exec(status)?.[1];
  return range === undefined ? STATUSES[status] ?? "" : `any other ${range}00 to ${range}99`;
}

const STATUS_ADVICE: Readonly<Record<string, string>> = {
  "400": "Send an invalid request.",
  "401": "Leave out the credentials.",
  "402": "Send a request without a payment.",
  "403": "Send a request as a user without permission.",
  "404": "Request something that doesn't exist.",
  "405": "Use another method.",
  "406": "Accept only another media type.",
  "409": "Send a request that conflicts with the current state.",
  "410": "Request something that was deleted.",
  "412": "Send a precondition that fails.",
  "413": "Send a body that is too large.",
  "415": "Send the body as another media type.",
  "422": "Send a well-formed request that can't be processed.",
  "423": "Change something that is locked.",
  "429": "Exceed the rate limit.",
};

/** Advice on how to get a response, as a sentence. Empty if that depends on the API. */
export function statusAdvice(status: string): string {
  if (/^4XX$/i.test(status)) return "Send an invalid request.";
  return STATUS_ADVICE[status] ?? (/^5(XX|\d\d)$/i.test(status) ? "Make the server fail." : "");
}
