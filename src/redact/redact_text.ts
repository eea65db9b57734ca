import { maskText } from "./mask_text.ts";
import { isTokenLike, nameKind } from "./secret_names.ts";

/** A name with a sign after it; runs of one kind follow those of another, so the time is in proportion to the text. */
const NAMED =
  /(?<![\w$.-])-{0,2}([A-Za-z_][\w.-]{0,80})(["'\\\]]{0,4}[ \t]{0,8}(?::|=>?)[ \t]{0,8})/g;
/** The words that may come between a name and its secret. */
const SCHEME = /(?:bearer|basic|token|digest|negotiate|apikey) +/iy;
/** Values after a name that aren't secrets: types of GraphQL, and missing values. */
const PLAIN =
  /^(?:(?:String|ID|Int|Float|Boolean|Password|Token)!?|true|false|null|none|undefined|\$.*)$/;
/** Names whose secret continues after spaces and commas. */
const LONG_HEADER = /(?:cookie|authorization|mnemonic|phrase)$/i;
/** The end of a line of YAML whose value is on the following lines, and the mark of a block of text. */
const BLOCK = /([|>][+-]?\d?[+-]?)?[ \t]{0,8}\r?\n/y;
/** Longer blocks aren't tokens, so that blocks within each other are not read to their ends again and again. */
const LONGEST_TOKEN = 4200;
/** One line of YAML without a name, with nothing but a word. */
const WORD_LINE = /[ \t]*(?:- +)?([^\s:|>{[-]\S*)[ \t]*(?:\r?\n|$)/y;
/** A name and its value on two lines of YAML. */
const PAIR =
  /^([ \t]{0,80}(?:- {1,8})?(?:name|key):[ \t]{1,8}["']?([\w.-]{1,80})["']?[ \t]{0,8}\r?\n[ \t]{1,80}value:[ \t]{1,8})(\S.*)$/gm;
const LINE_END = /["'\r\n]/g;
const UNQUOTED = /[^\s"'`<>,;(){}[\]&\\|]+/y;

/**
 * Masks what follows a secret name in text: `password=…`, `token: "…"`, headers, arguments of GraphQL.
 *
 * @example
 * ```ts
 * import { redactAssignments } from "./redact_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(
 *   redactAssignments('mutation { login(user: "ada", password: "Lovelace1") { id } }'),
 *   'mutation { login(user: "ada", password: "Aaaaaaaa1") { id } }',
 * );
 * ```
 */
export function redactAssignments(text: string): string {
  let redacted = "";
  let copied = 0;
  NAMED.lastIndex = 0;
  for (let match = NAMED.exec(text); match !== null; match = NAMED.exec(text)) {
    const kind = nameKind(match[1] ?? "");
    if (kind === "harmless") continue;
    const block = (match[2] ?? "").includes(":")
      ? blockAt(text, match.index, kind === "secret" ? Infinity : LONGEST_TOKEN)
      : undefined;
    if (block !== undefined) {
      const [from, to] = block;
      const value = text.slice(from, to);
      if (kind === "secret" || isTokenLike(value.trim())) {
        redacted += text.slice(copied, from) + maskText(value);
        copied = to;
        NAMED.lastIndex = to;
      }
      continue;
    }
    SCHEME.lastIndex = NAMED.lastIndex;
    const start = NAMED.lastIndex + (SCHEME.exec(text)?.[0].length ?? 0);
    const [from, to] = valueAt(
      text,
      start,
      (match[2] ?? "").includes(":") && LONG_HEADER.test(match[1] ?? ""),
    );
    const value = text.slice(from, to);
    if (value === "" || (from === start && PLAIN.test(value))) continue;
    if (kind === "secret" || isTokenLike(value)) {
      redacted += text.slice(copied, from) + maskText(value);
      copied = to;
      NAMED.lastIndex = to;
    }
  }
  NAMED.lastIndex = 0;
  return copied === 0 ? text : redacted + text.slice(copied);
}

/**
 * Masks the values of pairs in YAML, as variables of containers are written.
 *
 * @example
 * ```ts
 * import { redactPairs } from "./redact_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(redactPairs("- name: DB_PASSWORD\n  value: pw1\n"), "- name: DB_PASSWORD\n  value: aa1\n");
 * ```
 */
export function redactPairs(text: string): string {
  if (!text.includes("value:")) return text;
  return text.replace(
    PAIR,
    (pair, start: string, name: string, value: string) =>
      nameKind(name) === "secret" ? start + maskText(value) : pair,
  );
}

/** The range of the value that begins here, without its quotes. */
function valueAt(text: string, start: number, isLine: boolean): [from: number, to: number] {
  for (const quote of ['"""', '\\"', '"', "'", "`"]) {
    if (!text.startsWith(quote, start)) continue;
    const from = start + quote.length;
    return [from, endOfQuoted(text, from, quote)];
  }
  if (isLine) {
    LINE_END.lastIndex = start;
    return [start, LINE_END.exec(text)?.index ?? text.length];
  }
  UNQUOTED.lastIndex = start;
  return [start, start + (UNQUOTED.exec(text)?.[0].length ?? 0)];
}

/** A value whose quote never ends continues to the end of the text, which may have been cut. */
function endOfQuoted(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(quote, at)) return at;
    if (text.charCodeAt(at) === 0x5c) at++;
  }
  return text.length;
}

/** The range of the lines of a value in YAML that begins on the line below its name. */
function blockAt(
  text: string,
  name: number,
  longest: number,
): [from: number, to: number] | undefined {
  BLOCK.lastIndex = NAMED.lastIndex;
  const mark = BLOCK.exec(text);
  if (mark === null) return undefined;
  const from = BLOCK.lastIndex;
  const lineStart = text.lastIndexOf("\n", name) + 1;
  const indent = indentAt(text, lineStart);
  let to = from;
  while (to < text.length && to - from < longest) {
    let end: number;
    if (mark[1] === undefined) {
      // Lines with more than a word are other names, or prose.
      const isItem = text.startsWith("- ", to + indent);
      WORD_LINE.lastIndex = to;
      if ((indentAt(text, to) <= indent && !isItem) || WORD_LINE.exec(text) === null) break;
      end = WORD_LINE.lastIndex;
      if (/:[ \t]*\r?\n?$/.test(text.slice(Math.max(to, end - 12), end))) break;
    } else {
      const newline = text.indexOf("\n", to);
      end = newline < 0 ? text.length : newline + 1;
      if (indentAt(text, to) <= indent && text.slice(to, end).trim() !== "") break;
    }
    to = end;
  }
  return to === from ? undefined : [from, to];
}

function indentAt(text: string, line: number): number {
  let at = line;
  while (text[at] === " " || text[at] === "\t") at++;
  return at - line;
}
