import { ANY_NUMBER, STRING } from "../values/json_type.ts";
import { isIpv4, isIpv6 } from "./formats/addresses.ts";
import { isDate, isDateTime, isDuration, isTime } from "./formats/dates.ts";
import { isEmail, isIdnEmail } from "./formats/email.ts";
import { isHostname, isIdnHostname } from "./formats/hostname.ts";
import { isIri, isIriReference, isUri, isUriReference } from "./formats/iri.ts";
import { isJsonPointer, isRelativeJsonPointer } from "./formats/pointers.ts";
import { isUriTemplate } from "./formats/uri_template.ts";

/** The assertion of a value of the `format` keyword. */
export interface Format {
  /** The types it applies to, as a set of the bits in `json_type.ts`. */
  readonly types: number;
  /** True if a value of these types has the format. */
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

/** A regular expression that the `u` flag accepts, as JSON Schema asks for ECMA-262 and RFC 9485 for nothing looser. */
function isRegex(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

/**
 * The formats that covtool checks, by name: those of JSON Schema 2020-12 (Validation, section 7.3), the
 * names that drafts 3 to 7 had for some of them, and `int32`, `int64` and `byte` of OpenAPI. No test takes
 * more than time in proportion to the text.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { formats } from "./formats.ts";
 *
 * assert.equal(formats.get("date")?.test("2024-02-29"), true);
 * assert.equal(formats.get("date")?.test("2023-02-29"), false);
 * assert.equal(formats.has("password"), false);
 * ```
 */
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
  ["json-pointer", ofText(isJsonPointer)],
  ["relative-json-pointer", ofText(isRelativeJsonPointer)],
  ["regex", ofText(isRegex)],
  ["byte", ofText(isBase64)],
  ["int32", ofIntegers(2 ** 31)],
  ["int64", ofIntegers(2 ** 63)],
]);
