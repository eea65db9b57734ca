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
import {
  isIri,
  isIriReference,
  isJsonPointer,
  isRelativeJsonPointer,
  isUri,
  isUriReference,
} from "./formats/iri.ts";

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

/** `uri-template`: that of RFC 6570, section 2, of any level. */
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

/** `date-time`: that of RFC 3339, section 5.6. */
function isDateTime(text: string): boolean {
  const separator = text[10];
  return (separator === "T" || separator === "t") && isDate(text.slice(0, 10)) &&
    isTime(text.slice(11));
}

/** `duration`: that of RFC 3339, appendix A. */
function isDuration(text: string): boolean {
  if (!text.startsWith("P")) return false;
  if (text.endsWith("W")) return /^P\d+W$/.test(text);
  const separator = text.indexOf("T");
  if (separator < 0) return DURATION_DATE.test(text.slice(1));
  return (separator === 1 || DURATION_DATE.test(text.slice(1, separator))) &&
    DURATION_TIME.test(text.slice(separator + 1));
}

/** The assertion of a value of the `format` keyword. */
export interface Format {
  /** The types it applies to, as a set of the bits in `json_type.ts`. */
  readonly types: number;
  readonly test: (value: string | number) => boolean;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

function ofText(test: (text: string) => boolean): Format {
  return { types: STRING, test: (value) => typeof value === "string" && test(value) };
}

/** Integers from `-limit` up to but not including `limit`, as far as a number can tell. */
function ofIntegers(limit: number): Format {
  // Above 2^53 the greatest integer of the format and `limit` are one and the same number.
  const greatest = Number.isSafeInteger(limit) ? limit - 1 : limit;
  return {
    types: ANY_NUMBER,
    test: (value) =>
      Number.isInteger(value) && Number(value) >= -limit && Number(value) <= greatest,
  };
}

/** Base64 of RFC 4648, section 4, with its padding. */
function isBase64(text: string): boolean {
  const data = text.replace(/={1,2}$/, "");
  return text.length % 4 === 0 && !/[^a-zA-Z\d+/]/.test(data);
}

/** The formats that covtool checks; no test takes more than time in proportion to the text. */
export const formats: ReadonlyMap<string, Format> = new Map([
  ["date-time", ofText(isDateTime)],
  ["date", ofText(isDate)],
  ["time", ofText(isTime)],
  ["duration", ofText(isDuration)],
  ["email", ofText(isEmail)],
  ["idn-email", ofText(isIdnEmail)],
  ["hostname", ofText(isHostname)],
  ["host-name", ofText(isHostname)],
  ["idn-hostname", ofText(isIdnHostname)],
  ["ipv4", ofText(isIpv4)],
  ["ip-address", ofText(isIpv4)],
  ["ipv6", ofText(isIpv6)],
  ["ip", ofText((text) => isIpv4(text) || isIpv6(text))],
  ["uri", ofText(isUri)],
  ["uri-reference", ofText(isUriReference)],
  ["iri", ofText(isIri)],
  ["iri-reference", ofText(isIriReference)],
  ["uri-template", ofText(isUriTemplate)],
  ["uuid", ofText((text) => UUID.test(text))],
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((version): [string, Format] => [
    `uuid${version}`,
    ofText((text) => UUID.test(text) && text[14] === String(version)),
  ]),
  ["json-pointer", ofText(isJsonPointer)],
  ["relative-json-pointer", ofText(isRelativeJsonPointer)],
  // JSON Schema asks for ECMA-262, and RFC 9485 for nothing looser than its `u` flag.
  ["regex", ofText((text) => isRegExp(text, "u"))],
  ["byte", ofText(isBase64)],
  ["int32", ofIntegers(2 ** 31)],
  ["int64", ofIntegers(2 ** 63)],
]);
