import { maskText } from "./mask_text.ts";
import { isTokenLike, nameKind } from "./secret_names.ts";

/** A name with a sign behind it; runs of one kind follow those of another, so the time is in proportion to the text. */
const NAMED =
  /(?<![\w$.-])-{0,2}([A-Za-z_][\w.-]{0,80})(["'\\\]]{0,4}[ \t]{0,8}(?::|=>?)[ \t]{0,8})/g;
/** What may stand between a name and its secret: how it is used. */
const SCHEME = /(?:bearer|basic|token|digest|negotiate|apikey) +/iy;
/** What stands behind a name and is no secret: types of GraphQL, and what is not there. */
const PLAIN =
  /^(?:(?:String|ID|Int|Float|Boolean|Password|Token)!?|true|false|null|none|undefined|\$.*)$/;
/** Headers whose secret goes on behind spaces and commas. */
const LONG_HEADER = /(?:cookie|authorization)$/i;
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

/** Where the value that begins here stands, without its quotes. */
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

/** A value whose quote never ends goes on to the end of the text, which may have been cut. */
function endOfQuoted(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(quote, at)) return at;
    if (text.charCodeAt(at) === 0x5c) at++;
  }
  return text.length;
}
