import { escapeHtml } from "../html/escape_html.ts";
import { plainText } from "../text/plain_text.ts";

/** Characters that XML 1.0 does not allow, not even escaped, in addition to those that `plainText` removes. */
const FORBIDDEN = /[\ufffe\uffff]/g;

/**
 * Makes any text safe in XML 1.0, as the content of an element and within a quoted attribute. Control characters, which
 * XML cannot hold, are written as their escapes: `\u0007`.
 *
 * @example
 * ```ts
 * import { xmlText } from "./xml_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(xmlText("]]>\u0007"), "]]&gt;\\u0007");
 * ```
 */
export function xmlText(text: string): string {
  return escapeHtml(
    plainText(text).replace(FORBIDDEN, (character) => {
      return `\\u${character.charCodeAt(0).toString(16)}`;
    }),
  );
}
