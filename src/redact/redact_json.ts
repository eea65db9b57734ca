import { skipSpace } from "../values/parse_json.ts";
import { secretVariables } from "./redact_text.ts";
import { maskText, type Rules } from "./mask_text.ts";
import { isCardNumber } from "./secret_shapes.ts";
import { isTokenLike, type NameKind } from "./secret_names.ts";

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;
/** Literals, and types and variables of GraphQL, which aren't secret. */
const WORD = /^(?:true|false|null|undefined|(?:String|ID|Int|Float|Boolean)!?|\$.*)$/;
/** The members with the name and with the value, in objects that represent a pair. */
const NAME_MEMBER =
  /^(?:attribute|config|env|field|header|input|metadata|option|param|parameter|prop|property|setting|var|variable)?(?:field|header|id|k|key|label|n|name|parameter)$/;
const VALUE_MEMBER =
  /^(?:attribute|config|current|default|env|field|header|initial|input|new|option|param|parameter|prop|property|setting|string|var|variable)?(?:contents?|data|default|text|v|val|values?)$/;
/** A cache of the roles of members, because names repeat. */
const ROLES = new Map<string, "name" | "value" | undefined>();
const MAX_ROLES = 2000;

/** Lists that alternate names and values: arguments of commands and calls, raw headers of servers. */
const LISTS: ReadonlySet<string> = new Set(
  "args arguments argv cmd command params rawHeaders".split(" "),
);
/** A name in such a list, such as a command-line option. */
const LISTED_NAME = /^-{0,2}\w[\w.-]{0,60}$/;

interface Level {
  readonly isObject: boolean;
  /** True if its members are the variables of a GraphQL query. */
  readonly isVariables: boolean;
  readonly isSecret: boolean;
  /** In an object: the name of the current member. */
  name: string;
  kind: NameKind;
  /** True if a member contains a secret name; it counts if the object is a pair of name and value. */
  hasSecretName: boolean;
  /** True if its `path` leads to a secret; it counts if the object is an operation of JSON Patch or SCIM. */
  hasSecretPath: boolean;
  isOperation: boolean;
  readonly list: "pair" | "flat" | "path" | "name" | undefined;
  /** In a list: the number of commas so far, and (`previousKind`) the kind of the item before the comma, read as a name. */
  commas: number;
  previousKind: NameKind;
  /** The values of the pair, as ranges in the list of all values. */
  ranges: [from: number, to: number][] | undefined;
}

interface Value {
  readonly start: number;
  readonly end: number;
  kind: NameKind;
}

const NO_VARIABLES: ReadonlyMap<string, NameKind> = new Map();

/**
 * Masks the values of secret names in JSON, including those of pairs (`{"name": "password", "value": "…"}`), and
 * secrets within other texts. The rest keeps its bytes: large numbers, repeated names, white space, and text that isn't
 * JSON. Also works on sequences of JSON, truncated bodies, and text that resembles JSON, such as GraphQL queries.
 */
export function redactJson(text: string, rules: Rules): string {
  const variables = text.includes('"variables"') && text.includes("$")
    ? secretVariables(text)
    : NO_VARIABLES;
  let redacted = "";
  let copied = 0;
  for (const { start, end, kind } of readValues(text, rules, variables)) {
    const token = text.slice(start, end);
    const masked = redactToken(token, kind, rules);
    if (masked === token) continue;
    redacted += text.slice(copied, start) + masked;
    copied = end;
  }
  return copied === 0 ? text : redacted + text.slice(copied);
}

function readValues(text: string, rules: Rules, variables: ReadonlyMap<string, NameKind>): Value[] {
  const values: Value[] = [];
  const levels: Level[] = [];
  const secretRanges: [from: number, to: number][] = [];
  let level: Level | undefined;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) {
      if (level?.isObject === true && memberRole(level.name) === "value") {
        beginPair(level, values.length);
      }
      level = {
        isObject: code === 0x7b,
        list: code === 0x7b ? undefined : listIn(level),
        isVariables: level?.isObject === true && level.name === "variables",
        hasSecretPath: false,
        isOperation: false,
        commas: 0,
        previousKind: "harmless",
        isSecret: level?.isSecret === true || level?.kind === "secret",
        name: "",
        kind: "harmless",
        hasSecretName: false,
        ranges: undefined,
      };
      levels.push(level);
      at++;
    } else if (code === 0x7d || code === 0x5d) {
      endMember(level, values);
      if (level?.ranges !== undefined && isPair(level)) secretRanges.push(...level.ranges);
      levels.pop();
      const inner = level;
      level = levels.at(-1);
      if (level !== undefined && inner?.isObject === false) {
        level.hasSecretPath ||= inner.hasSecretPath;
        level.hasSecretName ||= inner.hasSecretName;
      }
      at++;
    } else if (code === 0x2c) {
      endMember(level, values);
      if (level?.isObject === true) level.kind = "harmless";
      else if (level !== undefined) beginItem(level, values);
      at++;
    } else if (code === QUOTE || code === APOSTROPHE || isBareCharacter(code)) {
      const end = isBareCharacter(code) ? endOfBareText(text, at) : endOfString(text, at, code);
      const colon = skipSpace(text, end);
      if (level?.isObject === true && text.charCodeAt(colon) === 0x3a) {
        endMember(level, values);
        level.name = readToken(text.slice(at, end));
        level.kind = (level.isVariables ? variables.get(level.name) : undefined) ??
          rules.kind(level.name);
        at = colon + 1;
      } else {
        addValue(text, at, end, level, values, rules);
        at = end;
      }
    } else at++;
  }
  markSecret(values, secretRanges);
  return values;
}

function addValue(
  text: string,
  start: number,
  end: number,
  level: Level | undefined,
  values: Value[],
  rules: Rules,
): void {
  if (level?.isObject === false) {
    if (level.list !== undefined && level.kind === "harmless") {
      const name = readToken(text.slice(start, Math.min(end, start + 80)));
      if (level.list === "path") level.hasSecretPath ||= rules.kind(name) === "secret";
      else if (level.list === "name") level.hasSecretName ||= rules.kind(name) === "secret";
      else if (text.charCodeAt(start) === QUOTE && LISTED_NAME.test(name)) {
        level.previousKind = rules.kind(name);
      }
    }
  } else if (level !== undefined) {
    if (level.name === "op") level.isOperation = true;
    else if (level.name === "path" && end - start < 200) {
      // A JSON Pointer, or a path of SCIM.
      level.hasSecretPath = readToken(text.slice(start, end)).split(/[/.]/)
        .some((name) => rules.kind(name) === "secret");
    }
    const role = memberRole(level.name);
    if (role === "value") beginPair(level, values.length);
    else if (role === "name" && text.charCodeAt(start) === QUOTE && end - start < 200) {
      level.hasSecretName ||= rules.kind(readToken(text.slice(start, end))) !== "harmless";
    }
  }
  const kind = level === undefined ? "harmless" : level.isSecret ? "secret" : level.kind;
  values.push({ start, end, kind });
}

function listIn(parent: Level | undefined): Level["list"] {
  if (parent === undefined) return undefined;
  if (!parent.isObject) return "pair";
  if (LISTS.has(parent.name)) return "flat";
  if (parent.name === "path") return "path";
  return memberRole(parent.name) === "name" ? "name" : undefined;
}

function memberRole(name: string): "name" | "value" | undefined {
  if (ROLES.has(name)) return ROLES.get(name);
  const plain = name.length > 30 ? "" : name.toLowerCase().replace(/[-_]/g, "");
  const role = NAME_MEMBER.test(plain) ? "name" : VALUE_MEMBER.test(plain) ? "value" : undefined;
  if (ROLES.size >= MAX_ROLES) ROLES.clear();
  ROLES.set(name, role);
  return role;
}

/** Begins an item: in a list of two items, the first names the second; in a flat list, any item can name the next. */
function beginItem(level: Level, values: readonly Value[]): void {
  level.commas++;
  level.kind = "harmless";
  if (level.list === "flat") level.kind = level.previousKind;
  else if (level.list === "pair" && level.commas === 1 && level.previousKind === "secret") {
    beginPair(level, values.length);
  }
  level.previousKind = "harmless";
}

function isPair({ isObject, commas, hasSecretName, hasSecretPath, isOperation }: Level): boolean {
  return isObject ? hasSecretName || (isOperation && hasSecretPath) : commas === 1;
}

function beginPair(level: Level, from: number): void {
  level.ranges ??= [];
  const last = level.ranges.at(-1);
  if (last === undefined || last[1] >= 0) level.ranges.push([from, -1]);
}

function endMember(level: Level | undefined, values: readonly Value[]): void {
  const last = level?.ranges?.at(-1);
  if (last !== undefined && last[1] < 0) last[1] = values.length;
}

/** Marks the values of all ranges as secret in one pass, because ranges can be nested. */
function markSecret(values: Value[], ranges: readonly (readonly [number, number])[]): void {
  if (ranges.length === 0) return;
  const changes = new Map<number, number>();
  for (const [from, to] of ranges) {
    changes.set(from, (changes.get(from) ?? 0) + 1);
    changes.set(to, (changes.get(to) ?? 0) - 1);
  }
  let open = 0;
  for (const [index, value] of values.entries()) {
    open += changes.get(index) ?? 0;
    if (open > 0) value.kind = "secret";
  }
}

function redactToken(token: string, kind: NameKind, rules: Rules): string {
  if (!/^["']/.test(token)) {
    const isSecret = kind === "secret" || (token.length >= 14 && isCardNumber(token));
    if (!isSecret || WORD.test(token)) return token;
    return /[.eE+]/.test(token) && /^-?[\d.eE+-]+$/.test(token)
      ? token.replace(/\d/g, "1")
      : maskText(token);
  }
  if (kind === "secret") return maskString(token);
  // Shorter texts are never recognized as secrets by their shape.
  if (token.length < 8) return token;
  const content = readToken(token);
  if (kind === "perhaps" && isTokenLike(content)) return maskString(token);
  const redacted = rules.value(content);
  if (redacted === content) return token;
  if (token.startsWith("'")) return `'${redacted}'`;
  const string = JSON.stringify(redacted);
  return isClosed(token) ? string : string.slice(0, -1);
}

function isClosed(token: string): boolean {
  return token.length > 1 && token.endsWith(token[0] ?? "");
}

function readToken(token: string): string {
  if (!/^["']/.test(token)) return token;
  const inner = isClosed(token) ? token.slice(1, -1) : token.slice(1);
  if (inner.includes("\\") && token.startsWith('"')) {
    try {
      return String(JSON.parse(`"${inner}"`));
    } catch {
      // The text isn't valid JSON, and is used as it is.
    }
  }
  return inner;
}

function maskString(token: string): string {
  try {
    return JSON.stringify(maskText(JSON.parse(token) as string));
  } catch {
    return maskText(token);
  }
}

/** Returns the end of a string; without a closing quote, the end of the body, which may be truncated. */
function endOfString(text: string, start: number, quote: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === BACKSLASH) at++;
    // An apostrophe without a second one on the line isn't a quote.
    else if (code === 0x0a && quote === APOSTROPHE) return start + 1;
  }
  return quote === APOSTROPHE ? start + 1 : text.length;
}

function endOfBareText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isBareCharacter(code) && code !== 0x2e && code !== 0x2b) return at;
  }
  return text.length;
}

function isBareCharacter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === 0x24;
}
