import type { ValueParser } from "@optique/core/valueparser";
import { checkedText } from "../../run/values/checked_text.ts";

/** Characters of a field's name (RFC 9110, section 5.6.2) and of its value. */
const FIELD = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;

/** A header field: `Authorization: Bearer abc`. */
export function headerValue(): ValueParser<"sync", string> {
  return checkedText("NAME: VALUE", "X-Name: value", readHeader);
}

/**
 * The name and the value of a header field.
 *
 * @throws {TypeError} if it isn't one; the text isn't repeated, since it may hold a secret.
 */
export function readHeader(text: string): readonly [name: string, value: string] {
  const match = FIELD.exec(text);
  if (match === null) {
    throw new TypeError(
      'Write a header field as "Name: value", such as "Authorization: Bearer …".',
    );
  }
  return [match[1] ?? "", (match[2] ?? "").trim()];
}
