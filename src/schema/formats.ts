import { isRegExp } from "./pattern.ts";
import { ANY_NUMBER, STRING } from "../values/json_type.ts";
import {
  isEmail,
  isHostname,
  isIdnEmail,
  isIdnHostname,
  isIpv4,
  isIpv6,
} from "./formats/hostname.ts";

// The apostrophe is allowed by erratum 6937 of RFC 6570.
const NOT_LITERAL =
  /[^!#$%&'()*+,\-./\w:;=?@[\]~\u{a0}-\u{d7ff}\u{e000}-\u{fdcf}\u{fdf0}-\u{ffef}\u{10000}-\u{10ffff}]/u;
const BROKEN_ESCAPE = /%(?![\da-fA-F]{2})/;
const OPERATOR = /^[+#./;?&=,!@|]/;
const MODIFIER = /(?:\*|:[1-9]\d{0,3})$/;
const NOT_NAME = /[^\w.%]|^\.|\.$|\.\.|^$/;

function isExpression(text: string): boolean {
  return text.replace(OPERATOR, "").split(",").every((variable) => {
    const name = variable.replace(MODIFIER, "");
    return !NOT_NAME.test(name) && !BROKEN_ESCAPE.test(name);
  });
}

/** `uri-template`: RFC 6570, section 2, all levels. */
function isUriTemplate(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("{", at);
    const literal = text.slice(at, open < 0 ? text.length : open);
    if (NOT_LITERAL.test(literal) || BROKEN_ESCAPE.test(literal)) return false;
    if (open < 0) return true;
    const close = text.indexOf("}", open);
    if (close < 0 || !isExpression(text.slice(open + 1, close))) return false;
    at = close + 1;
  }
  return true;
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME =
  /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:[zZ]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const DURATION_DATE = /^(?:\d+D|\d+M(?:\d+D)?|\d+Y(?:\d+M(?:\d+D)?)?)$/;
const DURATION_TIME = /^(?:\d+S|\d+M(?:\d+S)?|\d+H(?:\d+M(?:\d+S)?)?)$/;

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** `date`: the `full-date` of RFC 3339, section 5.6. */
function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** `time`: the `full-time` of RFC 3339, section 5.6. A leap second can only be at 23:59:60 UTC. */
function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [, hour, minute, second, sign, offsetHour = "0", offsetMinute = "0"] = match;
  if (second !== "60") return true;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  const utc = Number(hour) * 60 + Number(minute) - offset;
  return (utc + 1440) % 1440 === 1439;
}

/** `date-time`: RFC 3339, section 5.6. */
function isDateTime(text: string): boolean {
  const separator = text[10];
  return (separator === "T" || separator === "t") && isDate(text.slice(0, 10)) &&
    isTime(text.slice(11));
}

/** `duration`: RFC 3339, appendix A. */
function isDuration(text: string): boolean {
  if (!text.startsWith("P")) return false;
  if (text.endsWith("W")) return /^P\d+W$/.test(text);
  const separator = text.indexOf("T");
  if (separator < 0) return DURATION_DATE.test(text.slice(1));
  return (separator === 1 || DURATION_DATE.test(text.slice(1, separator))) &&
    DURATION_TIME.test(text.slice(separator + 1));
}

export interface Format {
  /** The types that the format applies to, as bits of `json_type.ts`. */
  readonly types: number;
  readonly test: (value: string | number) => boolean;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

function textFormat(test: (text: string) => boolean): Format {
  return { types: STRING, test: (value) => typeof value === "string" && test(value) };
}

/** Integers from `-limit` up to but not including `limit`, within the precision of numbers. */
function integerFormat(limit: number): Format {
  // Above 2^53, `limit - 1` is the same number as `limit`.
  const greatest = Number.isSafeInteger(limit) ? limit - 1 : limit;
  return {
    types: ANY_NUMBER,
    test: (value) =>
      Number.isInteger(value) && Number(value) >= -limit && Number(value) <= greatest,
  };
}

/** `byte`: Base64 (RFC 4648, section 4) with padding. */
function isBase64(text: string): boolean {
  const data = text.replace(/={1,2}$/, "");
  return text.length % 4 === 0 && !/[^a-zA-Z\d+/]/.test(data);
}

const RELATIVE_PREFIX = /^(?:0|[1-9]\d*)(?:#$|(?:[+-](?:0|[1-9]\d*))?(?![\d#+-]))/;

/** `json-pointer`: RFC 6901, section 3. */
function isJsonPointer(text: string): boolean {
  return text === "" || (text.startsWith("/") && !/~(?![01])/.test(text));
}

/** `relative-json-pointer`: draft-bhutton-relative-json-pointer-00, section 3. */
function isRelativeJsonPointer(text: string): boolean {
  const match = RELATIVE_PREFIX.exec(text)?.[0];
  return match !== undefined && isJsonPointer(text.slice(match.length));
}

// RFC 3986, appendix B. Each part excludes the character that ends it, so that there is no backtracking.
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$/;
const SCHEME = /^[a-zA-Z][a-zA-Z\d+.-]*$/;
const FUTURE_ADDRESS = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

/** The non-ASCII characters that RFC 3987, section 2.2, adds, which exclude the last two of each plane. */
const UCS = "\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}" +
  Array.from({ length: 14 }, (_, index) => {
    const plane = (index + 1).toString(16);
    return `\\u{${plane}${plane === "e" ? "1000" : "0000"}}-\\u{${plane}fffd}`;
  }).join("");
const PRIVATE = "\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}";

type Grammar = ReturnType<typeof createGrammar>;

function createGrammar(more: string, moreInQuery: string) {
  const none = (extra: string): RegExp => new RegExp(`[^\\w.~!$&'()*+,;=%${extra}${more}\\-]`, "u");
  return {
    notUserinfo: none(":"),
    notHost: none(""),
    notPath: none(":@\\/"),
    notQuery: none(`:@\\/?${moreInQuery}`),
    notFragment: none(":@\\/?"),
  };
}

let asciiGrammar: Grammar | undefined;
let unicodeGrammar: Grammar | undefined;

function isAuthority(text: string, grammar: Grammar): boolean {
  const at = text.indexOf("@");
  if (at >= 0 && grammar.notUserinfo.test(text.slice(0, at))) return false;
  const place = text.slice(at + 1);
  const colon = place.startsWith("[") ? place.indexOf("]") + 1 : place.indexOf(":");
  const host = colon < 0 ? place : place.slice(0, colon);
  const port = colon < 0 ? "" : place.slice(colon);
  if (!/^(?::\d*)?$/.test(port)) return false;
  if (!host.startsWith("[")) return !place.startsWith("[") && !grammar.notHost.test(host);
  const address = host.slice(1, -1);
  return isIpv6(address) || FUTURE_ADDRESS.test(address);
}

function isReference(text: string, absolute: boolean, grammar: Grammar): boolean {
  const match = PARTS.exec(text);
  if (match === null || BROKEN_ESCAPE.test(text)) return false;
  const [, scheme, authority, path = "", query = "", fragment = ""] = match;
  if (scheme === undefined) {
    if (absolute) return false;
    // A colon in the first segment would make what precedes it a scheme.
    if (authority === undefined && /^[^/]*:/.test(path)) return false;
  } else if (!SCHEME.test(scheme)) return false;
  if (authority !== undefined && !isAuthority(authority, grammar)) return false;
  return !grammar.notPath.test(path) && !grammar.notQuery.test(query) &&
    !grammar.notFragment.test(fragment);
}

/** `uri` and `uri-reference`: the `URI` and the `URI-reference` of RFC 3986, appendix A. */
function isUri(text: string, absolute: boolean): boolean {
  return isReference(text, absolute, asciiGrammar ??= createGrammar("", ""));
}

/** `iri` and `iri-reference`: the `IRI` and the `IRI-reference` of RFC 3987, section 2.2. */
function isIri(text: string, absolute: boolean): boolean {
  return isReference(text, absolute, unicodeGrammar ??= createGrammar(UCS, PRIVATE));
}

/** The formats that covtool checks, each in time linear in the text. */
export const formats: ReadonlyMap<string, Format> = new Map([
  ["date-time", textFormat(isDateTime)],
  ["date", textFormat(isDate)],
  ["time", textFormat(isTime)],
  ["duration", textFormat(isDuration)],
  ["email", textFormat(isEmail)],
  ["idn-email", textFormat(isIdnEmail)],
  ["hostname", textFormat(isHostname)],
  ["host-name", textFormat(isHostname)],
  ["idn-hostname", textFormat(isIdnHostname)],
  ["ipv4", textFormat(isIpv4)],
  ["ip-address", textFormat(isIpv4)],
  ["ipv6", textFormat(isIpv6)],
  ["ip", textFormat((text) => isIpv4(text) || isIpv6(text))],
  ["uri", textFormat((text) => isUri(text, true))],
  ["uri-reference", textFormat((text) => isUri(text, false))],
  ["iri", textFormat((text) => isIri(text, true))],
  ["iri-reference", textFormat((text) => isIri(text, false))],
  ["uri-template", textFormat(isUriTemplate)],
  ["uuid", textFormat((text) => UUID.test(text))],
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((version): [string, Format] => [
    `uuid${version}`,
    textFormat((text) => UUID.test(text) && text[14] === String(version)),
  ]),
  ["json-pointer", textFormat(isJsonPointer)],
  ["relative-json-pointer", textFormat(isRelativeJsonPointer)],
  // JSON Schema requires ECMA-262, and RFC 9485 a syntax at least as strict as its `u` flag.
  ["regex", textFormat((text) => isRegExp(text, "u"))],
  ["byte", textFormat(isBase64)],
  ["int32", integerFormat(2 ** 31)],
  ["int64", integerFormat(2 ** 63)],
]);
