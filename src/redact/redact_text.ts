import { maskEnds, maskText } from "./mask_text.ts";
import { isTokenLike, type NameKind, nameKind } from "./secret_names.ts";

/** A quick test before the two expressions below. */
const HINT = /assword\s|(?:ass(?:phrase|code)|secret|token|key) (?:is|was|(?:re)?set|changed) /i;
/** A sentence such as `the password is …`. The limits of lengths bound the backtracking for each name. */
const SENTENCE =
  /(?<![\w-])(?:pass(?:word|phrase|code)|(?:access|api|private|secret)[ -]key|secret|token)(?: (?:is|was)(?: now| still)?| (?:(?:is|was) )?(?:set|reset|changed) to) ["'`]?([^\s"'`]{6,200})/gi;
/** Descriptions of a secret, rather than the secret itself: `sha256`, `32-byte`, `8-64`. */
const NOT_SECRET =
  /^(?:(?:aes|argon|base|ed|es|hs|md|oauth|pbkdf|ps|rs|rsa|sha|utf)[-_]?\d|\d+[-–]?(?:bits?|bytes?|char(?:acter)?s?|days?|digits?|hours?|minutes?|seconds?)(?![A-Za-z0-9])|[\d.,–-]+$|https?:)/i;
/** An entry of `.netrc`, a sequence of words. */
const NETRC =
  /(?<![\w.-])((?:machine\s{1,8}\S{1,255}|default)((?:\s{1,8}(?:login|account)\s{1,8}\S{1,255}){0,2})\s{1,8}password\s{1,8})(\S{1,255})(?=(\s{1,8}(?:login|account)\s)?)/g;

/** Masks secrets that are the next word after their name: in sentences if they have a digit, and in `.netrc`. */
export function redactProse(text: string): string {
  if (!HINT.test(text)) return text;
  const redacted = maskEnds(
    text,
    SENTENCE,
    ([value = ""]) => isTokenLike(value) && !NOT_SECRET.test(value) ? value : undefined,
  );
  return maskEnds(
    redacted,
    NETRC,
    ([, before, value, after]) => before !== "" || after !== undefined ? value : undefined,
  );
}

/** The user and password of curl. The limits of lengths bound the backtracking for each letter. */
const CURL_USER =
  /(?<![\w-])(?:-[A-Za-z]{0,8}[uU]|--(?:proxy-)?user)(?:[ \t]{1,8}|=)?(?:"([^\s":]{1,200}:)([^"\r\n]+)|'([^\s':]{1,200}:)([^'\r\n]+)|([^\s"':]{1,200}:)([^\s"']+))/g;

export function redactCommands(text: string): string {
  if (!/\bcurl\b/i.test(text)) return text;
  return maskEnds(text, CURL_USER, ([user, password, quoted, other, , bare]) =>
    // The colon is that of a URL (`https://…`), not one between user and password.
    user === undefined && quoted === undefined && /^\/\//.test(bare ?? "")
      ? undefined
      : password ?? other ?? bare);
}

/** An XML element within other text, with or without escapes. */
const ELEMENT =
  /((?:<|&lt;)(?:[\w-]{1,40}:)?([A-Za-z_][\w.-]{0,80})(?:\s[^<>&]{0,400})?(?:>|&gt;))([^<>&\r\n]{1,4000})(?=(?:<|&lt;)\/)/g;

export function redactElements(text: string): string {
  if (!/(?:<|&lt;)\//.test(text)) return text;
  return maskNamed(text, ELEMENT);
}

/** Masks the values, in the third group of a pattern, of the secret names in its second group. */
function maskNamed(text: string, pattern: RegExp): string {
  return maskEnds(
    text,
    pattern,
    ([, name = "", value]) => nameKind(name) === "secret" ? value : undefined,
  );
}

/** A GraphQL argument whose value is a variable; it can be preceded by escapes of JSON. */
const ARGUMENT =
  /(?:\\[nrt]|(?<![\w$]))([A-Za-z_]\w{0,80})(?:\s|\\[nrt]){0,8}:(?:\s|\\[nrt]){0,8}\$(\w{1,80})/g;

export function secretVariables(text: string): ReadonlyMap<string, NameKind> {
  const variables = new Map<string, NameKind>();
  for (const [, argument = "", variable = ""] of text.matchAll(ARGUMENT)) {
    const kind = nameKind(argument);
    if (kind !== "harmless" && variables.get(variable) !== "secret") variables.set(variable, kind);
  }
  return variables;
}

/** The default of a GraphQL variable: quoted text, with or without the escapes of JSON. */
const DEFAULT =
  /(\$(\w{1,80})\s{0,8}:\s{0,8}\[?\w{1,80}[\]! ]{0,8}=\s{0,8}("""|\\?"))((?:[^"\\]|\\[^"])*)/g;

/** Masks the defaults of variables that have secret names, or are passed to arguments with secret names. */
export function redactDefaults(text: string): string {
  if (!text.includes("$")) return text;
  let variables: ReadonlyMap<string, NameKind> | undefined;
  return maskEnds(text, DEFAULT, ([, name = "", , value]) => {
    variables ??= secretVariables(text);
    return nameKind(name) === "secret" || variables.get(name) === "secret" ? value : undefined;
  });
}

/** A name before `:` or `=`. Adjacent repetitions have no characters in common, so the time is linear in the text. */
const NAMED =
  /(?<![\w$.-])-{0,2}([A-Za-z_][\w.-]{0,80})(["'\\\]]{0,4}[ \t]{0,8}(?::|=>?)[ \t]{0,8})/g;
/** Words that can be between a name and its secret. */
const SCHEME = /(?:bearer|basic|token|digest|negotiate|apikey) +/iy;
/** Values that aren't secret: types and variables of GraphQL, literals and missing values. */
const PLAIN =
  /^(?:(?:String|ID|Int|Float|Boolean|Password|Token)!?|true|false|null|none|undefined|\$.*)$/;
/** Names whose secret continues after spaces and commas. */
const LONG_HEADER = /(?:cookie|authorization|mnemonic|phrase)$/i;
/** The end of a YAML line whose value is on the following lines, with the indicator of a block scalar. */
const BLOCK = /([|>][+-]?\d?[+-]?)?[ \t]{0,8}\r?\n/y;
/** Longer blocks aren't tokens. The limit avoids reading nested blocks to their ends again and again. */
const MAX_TOKEN_LENGTH = 4200;
/** A YAML line with a single word, and without a key. */
const WORD_LINE = /[ \t]*(?:- +)?([^\s:|>{[-]\S*)[ \t]*(?:\r?\n|$)/y;
const PAIR =
  /^([ \t]{0,80}(?:- {1,8})?(?:name|key):[ \t]{1,8}["']?([\w.-]{1,80})["']?[ \t]{0,8}\r?\n[ \t]{1,80}value:[ \t]{1,8})(\S.*)$/gm;
const LINE_END = /["'\r\n]/g;
const UNQUOTED = /[^\s"'`<>,;(){}[\]&\\|]+/y;

/** Masks the values after secret names in text: `password=…`, `token: "…"`, headers, arguments of GraphQL. */
export function redactAssignments(text: string): string {
  let redacted = "";
  let copied = 0;
  NAMED.lastIndex = 0;
  for (let match = NAMED.exec(text); match !== null; match = NAMED.exec(text)) {
    const kind = nameKind(match[1] ?? "");
    if (kind === "harmless") continue;
    const hasColon = match[2]?.includes(":") === true;
    let range = hasColon
      ? blockAt(text, match.index, kind === "secret" ? Infinity : MAX_TOKEN_LENGTH)
      : undefined;
    const isBlock = range !== undefined;
    if (range === undefined) {
      SCHEME.lastIndex = NAMED.lastIndex;
      const start = NAMED.lastIndex + (SCHEME.exec(text)?.[0].length ?? 0);
      range = valueAt(text, start, hasColon && LONG_HEADER.test(match[1] ?? ""));
      if (range[0] === range[1] || (range[0] === start && PLAIN.test(text.slice(...range)))) {
        continue;
      }
    }
    const [from, to] = range;
    const value = text.slice(from, to);
    if (kind !== "secret" && !isTokenLike(isBlock ? value.trim() : value)) continue;
    redacted += text.slice(copied, from) + maskText(value);
    copied = to;
    NAMED.lastIndex = to;
  }
  NAMED.lastIndex = 0;
  return copied === 0 ? text : redacted + text.slice(copied);
}

/** Masks the values of name-value pairs in YAML, such as the environment variables of containers. */
export function redactPairs(text: string): string {
  if (!text.includes("value:")) return text;
  return maskNamed(text, PAIR);
}

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

/** Returns the end of quoted text; without a closing quote, the end of the text, which may be truncated. */
function endOfQuoted(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(quote, at)) return at;
    if (text.charCodeAt(at) === 0x5c) at++;
  }
  return text.length;
}

/** Returns the range of a YAML value that begins on the line after its key. */
function blockAt(
  text: string,
  name: number,
  maxLength: number,
): [from: number, to: number] | undefined {
  BLOCK.lastIndex = NAMED.lastIndex;
  const mark = BLOCK.exec(text);
  if (mark === null) return undefined;
  const from = BLOCK.lastIndex;
  const lineStart = text.lastIndexOf("\n", name) + 1;
  const indent = indentAt(text, lineStart);
  let to = from;
  while (to < text.length && to - from < maxLength) {
    let end: number;
    if (mark[1] === undefined) {
      // Lines with more than one word are other keys, or prose.
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
